// lib.rs - Afterglow's C interface for Rust
// SPDX-License-Identifier: MIT

//! The C interface of Afterglow, GPU post-processing for OpenGL engines, with the names of C. The header `afterglow.h`
//! says at its top how it is used and which GL state it changes, and the header of each effect what it does.

#![allow(non_camel_case_types)]

use std::os::raw::{c_char, c_void};

pub type ag_status = ag_status_code;

/// What hosts that load the module themselves look up: the type of [`ag_entry_v1`].
pub type ag_entry_fn = unsafe extern "C" fn(host_abi_minor: u32) -> *const ag_api;

extern "C" {
    /// The table of functions, valid as long as the module is loaded. `host_abi_minor`: [`AG_ABI_MINOR`]. Compare
    /// `struct_size` with the size of [`ag_api`] before you make a reference of it: an older module's table is shorter.
    pub fn ag_entry_v1(host_abi_minor: u32) -> *const ag_api;
}

macro_rules! sized {
    ($($name:ident),*) => {$(
        /// All zero, but `struct_size`.
        impl Default for $name {
            fn default() -> Self {
                let mut it: Self = unsafe { std::mem::zeroed() };
                it.struct_size = std::mem::size_of::<Self>() as u32;
                it
            }
        }
    )*};
}

include!("bindings.rs");
