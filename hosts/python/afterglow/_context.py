"""OpenGL contexts: one of our own without a window, by EGL, or the caller's."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import os
import re
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int32, c_uint32, c_void_p
from typing import Callable, NamedTuple, Optional

EGL_OPENGL_API, EGL_EXTENSIONS, EGL_NONE = 0x30A2, 0x3055, 0x3038
EGL_PLATFORM_DEVICE, EGL_PLATFORM_SURFACELESS = 0x313F, 0x31DD
EGL_MAJOR, EGL_MINOR, EGL_PROFILE, EGL_CORE = 0x3098, 0x30FB, 0x30FD, 1
EGL_RENDERABLE_TYPE, EGL_SURFACE_TYPE, EGL_OPENGL_BIT = 0x3040, 0x3033, 8
EGL_NOT_INITIALIZED, EGL_BAD_CONTEXT, EGL_BAD_DISPLAY = 0x3001, 0x3006, 0x3008
MAX_DEVICES = 32

_egl: Optional[ctypes.CDLL] = None
_forked = False  # this process is a copy of one that had a driver of OpenGL in its memory


def _after_fork() -> None:
    global _forked
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            _forked = _forked or bool(re.search(r"/lib(EGL|GLX)_\w+\.so|_dri\.so", maps.read()))
    except OSError:
        _forked = True  # it may be so


os.register_at_fork(after_in_child=_after_fork)


def forked() -> bool:
    return _forked


def check_fork() -> None:
    """Raises where a call of GL could hang: a driver's threads and locks do not survive a fork of the process."""
    if _forked:
        raise RuntimeError("this process was forked from one that had used OpenGL, and a driver does not work after a "
                           "fork; expected a process that is started anew, such as "
                           "multiprocessing.get_context('spawn'), or a fork before the first use of OpenGL")


def _load_egl() -> ctypes.CDLL:
    """libEGL with the prototypes of what is called here."""
    global _egl
    if _egl is None:
        try:
            egl = ctypes.CDLL("libEGL.so.1")
        except OSError as reason:
            raise RuntimeError(f"libEGL.so.1 cannot be opened: {reason}") from None
        for name, result, *arguments in (
                ("eglGetProcAddress", c_void_p, c_char_p), ("eglQueryString", c_char_p, c_void_p, c_int32),
                ("eglGetError", c_int32), ("eglInitialize", c_uint32, c_void_p, c_void_p, c_void_p),
                ("eglBindAPI", c_uint32, c_uint32), ("eglQueryAPI", c_uint32),
                ("eglChooseConfig", c_uint32, c_void_p, c_void_p, c_void_p, c_int32, c_void_p),
                ("eglCreateContext", c_void_p, c_void_p, c_void_p, c_void_p, c_void_p),
                ("eglDestroyContext", c_uint32, c_void_p, c_void_p),
                ("eglQueryContext", c_uint32, c_void_p, c_void_p, c_int32, c_void_p),
                ("eglMakeCurrent", c_uint32, c_void_p, c_void_p, c_void_p, c_void_p),
                ("eglGetCurrentContext", c_void_p), ("eglGetCurrentDisplay", c_void_p),
                ("eglGetCurrentSurface", c_void_p, c_int32)):
            function = getattr(egl, name)
            function.restype, function.argtypes = result, arguments
        _egl = egl
    return _egl


def _extension(name: bytes, *signature):
    address = _load_egl().eglGetProcAddress(name)
    return CFUNCTYPE(*signature)(address) if address else None


class Gone(Exception):
    """The context is no more: another library has terminated EGL's display, which a process has once for each GPU."""


class Headless:
    """A core context of OpenGL 4.3 or newer without a surface, on an EGL device or Mesa's surfaceless platform."""

    def __init__(self, device: int = 0):
        check_fork()
        self._egl = egl = _load_egl()
        before = self._save()
        self._display = self._open_display(device)
        if not egl.eglBindAPI(EGL_OPENGL_API):
            raise RuntimeError("this EGL has no desktop OpenGL")
        try:
            self._context = self._create()
        finally:
            egl.eglBindAPI(before[0])

    def _open_display(self, device: int) -> int:
        egl = self._egl
        devices = (c_void_p * MAX_DEVICES)()
        count = c_int32()
        query = _extension(b"eglQueryDevicesEXT", c_uint32, c_int32, c_void_p, POINTER(c_int32))
        if query is None or not query(MAX_DEVICES, devices, byref(count)):
            count.value = 0
        platform = _extension(b"eglGetPlatformDisplayEXT", c_void_p, c_uint32, c_void_p, c_void_p)
        client = (egl.eglQueryString(None, EGL_EXTENSIONS) or b"").split()
        ways = []
        if platform and 0 <= device < count.value:
            ways.append((EGL_PLATFORM_DEVICE, devices[device]))
        if platform and device == 0 and b"EGL_MESA_platform_surfaceless" in client:
            ways.append((EGL_PLATFORM_SURFACELESS, None))
        for kind, native in ways:
            display = platform(kind, native, None)
            if display and egl.eglInitialize(display, None, None):
                return display
        raise RuntimeError(f"EGL device {device} cannot be initialized; EGL has {count.value} devices")

    def _create(self) -> int:
        egl = self._egl
        wanted = (c_int32 * 7)(EGL_MAJOR, 4, EGL_MINOR, 3, EGL_PROFILE, EGL_CORE, EGL_NONE)
        extensions = (egl.eglQueryString(self._display, EGL_EXTENSIONS) or b"").split()
        context = None
        if b"EGL_KHR_no_config_context" in extensions or b"EGL_MESA_configless_context" in extensions:
            context = egl.eglCreateContext(self._display, None, None, wanted)
        if not context:
            # Surface type 0, because the default would demand windows.
            rules = (c_int32 * 5)(EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE)
            config, found = c_void_p(), c_int32()
            if egl.eglChooseConfig(self._display, rules, byref(config), 1, byref(found)) and found.value:
                context = egl.eglCreateContext(self._display, config, None, wanted)
        if not context:
            raise RuntimeError(f"EGL cannot create an OpenGL 4.3 core context (EGL error {egl.eglGetError():#06x})")
        return context

    def _save(self) -> tuple:
        """The thread's API and its current context. Only the context of the API that is bound can be asked for."""
        egl = self._egl
        api = egl.eglQueryAPI()
        egl.eglBindAPI(EGL_OPENGL_API)
        state = (api, egl.eglGetCurrentDisplay(), egl.eglGetCurrentSurface(0x3059), egl.eglGetCurrentSurface(0x305A),
                 egl.eglGetCurrentContext())
        egl.eglBindAPI(api)
        return state

    def enter(self) -> tuple:
        """Makes the context current; the return value is for `leave`."""
        before = self._save()
        self._egl.eglBindAPI(EGL_OPENGL_API)
        if not self._egl.eglMakeCurrent(self._display, None, None, self._context):
            error = self._egl.eglGetError()
            self._egl.eglBindAPI(before[0])
            if error in (EGL_BAD_CONTEXT, EGL_NOT_INITIALIZED, EGL_BAD_DISPLAY):
                raise Gone
            raise RuntimeError(f"Afterglow's own context cannot be made current (EGL error {error:#06x}): another "
                               "thread uses it, or this thread has a context that is not EGL's. With "
                               "device=afterglow.Device() Afterglow works in the current context")
        return before

    def leave(self, before: tuple) -> None:
        """Makes current what was current before `enter`."""
        api, display, draw, read, context = before
        # A context that was destroyed while it was current cannot be made current again. Ours must not stay.
        if not (display and context and self._egl.eglMakeCurrent(display, draw, read, context)):
            self._egl.eglMakeCurrent(self._display, None, None, None)
        self._egl.eglBindAPI(api)

    def proc(self, name: str) -> Optional[int]:
        return self._egl.eglGetProcAddress(name.encode())

    def is_current(self) -> bool:
        return self._egl.eglGetCurrentContext() == self._context

    def destroy(self) -> None:
        if self._context:
            self._egl.eglDestroyContext(self._display, self._context)
            self._context = None


class Current(NamedTuple):
    """The context that is current: how to load its functions, whether it still is current, and whether it still exists.

    `exists` is None where nobody can be asked: GLX would follow a pointer to a context that is gone.
    """
    proc: Callable[[str], Optional[int]]
    is_current: Callable[[], bool]
    exists: Optional[Callable[[], bool]]


def current() -> Current:
    """The context that is current by EGL or GLX, which say themselves which of them made it."""
    check_fork()
    for library, get_current, get_proc in (("libEGL.so.1", "eglGetCurrentContext", "eglGetProcAddress"),
                                           ("libGLX.so.0", "glXGetCurrentContext", "glXGetProcAddressARB"),
                                           ("libGL.so.1", "glXGetCurrentContext", "glXGetProcAddressARB")):
        try:
            gl = ctypes.CDLL(library)
            context, find = getattr(gl, get_current), getattr(gl, get_proc)
        except (OSError, AttributeError):
            continue
        context.restype, context.argtypes = c_void_p, []
        find.restype, find.argtypes = c_void_p, [c_char_p]
        mine = context()
        if mine:
            return Current(lambda name: find(name.encode()), lambda: context() == mine,
                           _existence(mine) if library == "libEGL.so.1" else None)
    raise RuntimeError("no OpenGL context of EGL or GLX is current on this thread")


def _existence(context: int) -> Callable[[], bool]:
    egl = _load_egl()
    display, version = egl.eglGetCurrentDisplay(), c_int32()
    return lambda: bool(egl.eglQueryContext(display, context, EGL_MAJOR, byref(version)))
