// Afterglow.cs - Afterglow's C interface, made by hosts/bindings/generate.py from the public headers
// SPDX-License-Identifier: MIT
//
// Names are those of C. afterglow.h says at its top how the interface is used and which GL state it changes, and the
// header of each effect what it does. Compile with -unsafe.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Afterglow
{
    // TYPES

    /// <summary>The module's functions, and numbers that macros name. Text is UTF-8 on every system.</summary>
    public sealed unsafe class Ag
    {
        // NUMBERS

        public readonly ag_api* table;
        // FUNCTIONS

        /// <summary>Loads the module: afterglow.dll or libafterglow.dll, libafterglow.so where the system looks for it,
        /// or its libafterglow.so.1. DllNotFoundException: there is none.</summary>
        public Ag()
        {
            table = Entry();
            if (table->abi_major != AG_ABI_MAJOR || table->struct_size < sizeof(ag_api))
                throw new NotSupportedException("afterglow " + Text(table->version) + " is older than Afterglow.cs");
            // LOADS
        }

        /// <summary>A string of the module's; null if there is none.</summary>
        public static string Text(byte* text)
        {
            int bytes = 0;
            while (text != null && text[bytes] != 0)
                bytes++;
            return text == null ? null : Encoding.UTF8.GetString(text, bytes);
        }

        static T Function<T>(IntPtr function)
        {
            return Marshal.GetDelegateForFunctionPointer<T>(function);
        }

        // Each runtime completes a name in its own way, and none finds the names of all systems.
        [DllImport("afterglow", EntryPoint = "ag_entry_v1", CallingConvention = CallingConvention.Cdecl)]
        static extern ag_api* Plain(uint minor);

        [DllImport("libafterglow", EntryPoint = "ag_entry_v1", CallingConvention = CallingConvention.Cdecl)]
        static extern ag_api* WithPrefix(uint minor);

        [DllImport("libafterglow.so.1", EntryPoint = "ag_entry_v1", CallingConvention = CallingConvention.Cdecl)]
        static extern ag_api* OfSystem(uint minor);

        static ag_api* Entry()
        {
            try { return Plain(AG_ABI_MINOR); } catch (DllNotFoundException) { }
            try { return WithPrefix(AG_ABI_MINOR); } catch (DllNotFoundException) { }
            return OfSystem(AG_ABI_MINOR);
        }
    }
}
