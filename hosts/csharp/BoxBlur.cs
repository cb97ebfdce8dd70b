// BoxBlur.cs - an effect on a texture, without a window: mcs -unsafe BoxBlur.cs Afterglow.cs && mono BoxBlur.exe
// SPDX-License-Identifier: MIT
using System;
using System.Runtime.InteropServices;
using Afterglow;

static unsafe class BoxBlur
{
    const string Egl = "libEGL.so.1";
    const int Size = 7;
    const uint Texture2D = 0x0DE1, R32F = 0x822E, Red = 0x1903, Float = 0x1406;

    [DllImport(Egl)] static extern IntPtr eglGetProcAddress(string name);
    [DllImport(Egl)] static extern IntPtr eglGetPlatformDisplay(uint platform, IntPtr native, IntPtr* attributes);
    [DllImport(Egl)] static extern uint eglInitialize(IntPtr display, int* major, int* minor);
    [DllImport(Egl)] static extern uint eglBindAPI(uint api);
    [DllImport(Egl)] static extern IntPtr eglCreateContext(IntPtr display, IntPtr config, IntPtr share, int[] attributes);
    [DllImport(Egl)] static extern uint eglMakeCurrent(IntPtr display, IntPtr draw, IntPtr read, IntPtr context);

    delegate uint QueryDevices(int most, IntPtr* devices, int* count);
    delegate void GenTextures(int count, uint* names);
    delegate void BindTexture(uint target, uint name);
    delegate void TexStorage2D(uint target, int levels, uint format, int width, int height);
    delegate void TexSubImage2D(uint target, int level, int x, int y, int width, int height, uint channels, uint type,
                                float[] texels);
    delegate void GetTexImage(uint target, int level, uint channels, uint type, [Out] float[] texels);

    // A function of EGL or GL by its name.
    static T Function<T>(string name)
    {
        return Marshal.GetDelegateForFunctionPointer<T>(eglGetProcAddress(name));
    }

    static void Check(bool right, string what)
    {
        if (!right)
            throw new Exception(what);
    }

    // A context on the first device, of Mesa or of a vendor's driver.
    static void MakeContext()
    {
        IntPtr device, none = IntPtr.Zero;
        int count;
        Check(Function<QueryDevices>("eglQueryDevicesEXT")(1, &device, &count) != 0 && count > 0, "EGL has no device");
        IntPtr display = eglGetPlatformDisplay(0x313F, device, null); // EGL_PLATFORM_DEVICE_EXT
        Check(eglInitialize(display, null, null) != 0 && eglBindAPI(0x30A2) != 0, "no OpenGL"); // EGL_OPENGL_API
        int[] wanted = { 0x3098, 4, 0x30FB, 3, 0x3038 }; // EGL_CONTEXT_MAJOR_VERSION, MINOR, EGL_NONE
        IntPtr context = eglCreateContext(display, none, none, wanted);
        Check(eglMakeCurrent(display, none, none, context) != 0, "no OpenGL 4.3 context");
    }

    static uint MakeTexture(float[] texels)
    {
        uint name;
        Function<GenTextures>("glGenTextures")(1, &name);
        Function<BindTexture>("glBindTexture")(Texture2D, name);
        Function<TexStorage2D>("glTexStorage2D")(Texture2D, 1, R32F, Size, Size);
        Function<TexSubImage2D>("glTexSubImage2D")(Texture2D, 0, 0, 0, Size, Size, Red, Float, texels);
        return name;
    }

    static void Log(void* user, ag_message* message)
    {
        Console.Error.WriteLine("afterglow: " + Ag.Text(message->text));
    }

    static void Main()
    {
        var texels = new float[Size * Size];
        texels[3 * Size + 2] = 9;
        MakeContext();
        var ag = new Ag();
        ag_host_log log = Log; // kept until device_destroy has returned
        var host = new ag_host { struct_size = (uint)sizeof(ag_host), log = Marshal.GetFunctionPointerForDelegate(log) };
        ag_device* device;
        ag_pass* pass;
        Check(ag.device_create(&host, null, &device) >= 0, "device_create");
        Check(ag.pass_create(device, "box_blur", &pass) >= 0, "pass_create");

        var slots = stackalloc ag_texture[(int)ag_box_blur_slot.AG_BOX_BLUR_DST + 1];
        ag_texture* source = &slots[(int)ag_box_blur_slot.AG_BOX_BLUR_SRC];
        ag_texture* result = &slots[(int)ag_box_blur_slot.AG_BOX_BLUR_DST];
        for (int i = 0; i <= (int)ag_box_blur_slot.AG_BOX_BLUR_DST; i++)
            slots[i] = new ag_texture { struct_size = (uint)sizeof(ag_texture) };
        Check(ag.texture(device, MakeTexture(texels), 0, source) >= 0, "texture");
        Check(ag.texture(device, MakeTexture(new float[Size * Size]), 0, result) >= 0, "texture");

        ag_box_blur_settings blur;
        ag.defaults("box_blur", &blur, (uint)sizeof(ag_box_blur_settings));
        blur.radius = 1;
        blur.border = ag_border.AG_BORDER_CLAMP;
        var job = new ag_job
        {
            struct_size = (uint)sizeof(ag_job),
            slots = slots,
            slot_count = (uint)ag_box_blur_slot.AG_BOX_BLUR_DST + 1,
            settings = &blur,
            next_use = ag_next_use.AG_USE_COPY
        };
        Check(ag.run(pass, &job) >= 0, "run");

        Function<BindTexture>("glBindTexture")(Texture2D, result->name);
        Function<GetTexImage>("glGetTexImage")(Texture2D, 0, Red, Float, texels);
        ag.device_destroy(device, 0);
        GC.KeepAlive(log);
        for (int y = 0; y < Size; y++) // a texel of 9 becomes nine of 1
            for (int x = 0; x < Size; x++)
            {
                float expected = x >= 1 && x <= 3 && y >= 2 && y <= 4 ? 1 : 0, texel = texels[y * Size + x];
                Check(Math.Abs(texel - expected) < 1e-5, "texel " + x + " " + y + " is " + texel + ", not " + expected);
            }
        Console.WriteLine("box_blur: " + texels.Length + " texels are right");
    }
}
