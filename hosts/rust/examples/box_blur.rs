// box_blur.rs - an effect on a texture, without a window: cargo run --example box_blur
// SPDX-License-Identifier: MIT
use afterglow_sys::*;
use std::ffi::CStr;
use std::mem::{size_of, transmute};
use std::os::raw::{c_char, c_void};
use std::ptr::{null, null_mut};

type Pointer = *mut c_void;

#[link(name = "EGL")]
extern "C" {
    fn eglGetProcAddress(name: *const c_char) -> *const c_void;
    fn eglGetPlatformDisplay(platform: u32, native: Pointer, attributes: *const isize) -> Pointer;
    fn eglInitialize(display: Pointer, major: *mut i32, minor: *mut i32) -> u32;
    fn eglBindAPI(api: u32) -> u32;
    fn eglCreateContext(
        display: Pointer,
        config: Pointer,
        share: Pointer,
        attributes: *const i32,
    ) -> Pointer;
    fn eglMakeCurrent(display: Pointer, draw: Pointer, read: Pointer, context: Pointer) -> u32;
}

// A function of EGL or GL by its name.
macro_rules! function {
    ($name:literal, fn($($argument:ty),*) $(-> $result:ty)?) => {
        transmute::<*const c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(
            eglGetProcAddress(concat!($name, "\0").as_ptr().cast()))
    };
}

const TEXTURE_2D: u32 = 0x0DE1;
const R32F: u32 = 0x822E;
const RED: u32 = 0x1903;
const FLOAT: u32 = 0x1406;

// A context on the first device, of Mesa or of a vendor's driver.
unsafe fn make_context() {
    let query = function!("eglQueryDevicesEXT", fn(i32, *mut Pointer, *mut i32) -> u32);
    let (mut device, mut count) = (null_mut(), 0);
    assert!(
        query(1, &mut device, &mut count) != 0 && count > 0,
        "EGL has no device"
    );
    let display = eglGetPlatformDisplay(0x313F, device, null()); // EGL_PLATFORM_DEVICE_EXT
    assert!(eglInitialize(display, null_mut(), null_mut()) != 0 && eglBindAPI(0x30A2) != 0); // EGL_OPENGL_API
    let wanted = [0x3098, 4, 0x30FB, 3, 0x3038]; // EGL_CONTEXT_MAJOR_VERSION, MINOR, EGL_NONE
    let context = eglCreateContext(display, null_mut(), null_mut(), wanted.as_ptr());
    assert!(
        eglMakeCurrent(display, null_mut(), null_mut(), context) != 0,
        "no OpenGL 4.3 context"
    );
}

unsafe fn make_texture(size: i32, texels: &[f32]) -> u32 {
    let mut name = 0;
    function!("glGenTextures", fn(i32, *mut u32))(1, &mut name);
    function!("glBindTexture", fn(u32, u32))(TEXTURE_2D, name);
    function!("glTexStorage2D", fn(u32, i32, u32, i32, i32))(TEXTURE_2D, 1, R32F, size, size);
    let upload = function!(
        "glTexSubImage2D",
        fn(u32, i32, i32, i32, i32, i32, u32, u32, *const f32)
    );
    upload(TEXTURE_2D, 0, 0, 0, size, size, RED, FLOAT, texels.as_ptr());
    name
}

unsafe extern "C" fn log(_: Pointer, message: *const ag_message) {
    eprintln!(
        "afterglow: {}",
        CStr::from_ptr((*message).text).to_string_lossy()
    );
}

fn main() {
    const SIZE: usize = 7;
    let mut texels = [0f32; SIZE * SIZE];
    texels[3 * SIZE + 2] = 9.0;
    unsafe {
        make_context();
        let table = ag_entry_v1(AG_ABI_MINOR);
        assert!(
            (*table).struct_size as usize >= size_of::<ag_api>(),
            "libafterglow is older than these bindings"
        );
        let ag = &*table;
        let host = ag_host {
            log: Some(log),
            ..Default::default()
        };
        let (mut device, mut pass) = (null_mut(), null_mut());
        assert!((ag.device_create)(&host, null(), &mut device) >= 0);
        assert!((ag.pass_create)(device, b"box_blur\0".as_ptr().cast(), &mut pass) >= 0);

        let mut slots = [ag_texture::default(); AG_BOX_BLUR_DST as usize + 1];
        let source = make_texture(SIZE as i32, &texels);
        let result = make_texture(SIZE as i32, &[f32::NAN; SIZE * SIZE]);
        assert!((ag.texture)(device, source, 0, &mut slots[AG_BOX_BLUR_SRC as usize]) >= 0);
        assert!((ag.texture)(device, result, 0, &mut slots[AG_BOX_BLUR_DST as usize]) >= 0);

        let mut blur: ag_box_blur_settings = std::mem::zeroed();
        let bytes = size_of::<ag_box_blur_settings>() as u32;
        (ag.defaults)(
            b"box_blur\0".as_ptr().cast(),
            (&mut blur as *mut ag_box_blur_settings).cast(),
            bytes,
        );
        blur.radius = 1.0;
        blur.border = AG_BORDER_CLAMP;
        let job = ag_job {
            slots: slots.as_ptr(),
            slot_count: slots.len() as u32,
            settings: (&blur as *const ag_box_blur_settings).cast(),
            next_use: AG_USE_COPY,
            ..Default::default()
        };
        assert!((ag.run)(pass, &job) >= 0);

        function!("glBindTexture", fn(u32, u32))(TEXTURE_2D, result);
        let read = function!("glGetTexImage", fn(u32, i32, u32, u32, *mut f32));
        read(TEXTURE_2D, 0, RED, FLOAT, texels.as_mut_ptr());
        (ag.device_destroy)(device, 0);
    }
    // A texel of 9 becomes nine of 1.
    for (at, &texel) in texels.iter().enumerate() {
        let (x, y) = (at % SIZE, at / SIZE);
        let expected = if (1..=3).contains(&x) && (2..=4).contains(&y) {
            1.0
        } else {
            0.0
        };
        assert!(
            (texel - expected).abs() < 1e-5,
            "texel {} {} is {}, not {}",
            x,
            y,
            texel,
            expected
        );
    }
    println!("box_blur: {} texels are right", texels.len());
}
