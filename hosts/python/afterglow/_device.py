"""Devices: what the module keeps for one OpenGL context; and its errors."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import logging
import os
import warnings
from ctypes import byref, c_void_p
from typing import Any, Callable, Optional

from . import _abi as abi
from . import _context
from ._arguments import INT32, UINT32, UINT64, flag, integer, path, shown, text
from ._effects import Effect, effect_named, reflect
from ._gl import GL, Marker

logger = logging.getLogger("afterglow")


class Error(Exception):
    """A call that failed. The text is the module's own message; `code` is its status ("AG_E_SIZE")."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status
        self.code = abi.STATUS.get(status, str(status))


class _Held:
    """A device of the module, with what its deletion needs; it outlives the `Device` that was dropped.

    Whoever drops one may be the garbage collector, on any thread and within any call. So what is dropped is only
    noted, and deleted in the next call of this package that finds its context current.
    """

    def __init__(self, gl: GL, is_current: Optional[Callable[[], bool]], exists: Optional[Callable[[], bool]]):
        self.gl, self.is_current, self.exists = gl, is_current, exists
        self.messages: list[str] = []  # of the call that runs now
        self.callbacks: list = []
        self.handle: Optional[int] = None
        self.marker: Optional[Marker] = None
        self.passes: list[int] = []  # that were dropped

    def create(self, host: abi.Host, desc: abi.DeviceDesc) -> None:
        handle = c_void_p()
        self.check(abi.api.device_create(byref(host), byref(desc), byref(handle)))
        self.handle, self.marker = handle.value, Marker(self.gl)

    def check(self, status: int) -> int:
        text = "\n".join(self.messages)
        self.messages.clear()
        if status < 0:
            raise Error(status, text or abi.api.status_text(status).decode())
        if text:
            logger.error("%s", text)
        return status

    def delete_passes(self) -> None:
        """Those that were dropped, with the device's context current."""
        while self.passes:
            abi.api.pass_destroy(self.passes.pop())

    def destroy(self, context_gone: bool) -> None:
        handle, self.handle = self.handle, None
        self.passes.clear()  # the module destroys them with the device
        if not context_gone and (self.is_current is None or self.is_current()):
            self.marker.delete()
        abi.api.device_destroy(handle, int(context_gone))
        self.check(0)

    def collect(self) -> None:
        """Deletes it, if its context is current on this thread, or is no more."""
        try:
            current = bool(self.is_current()) if self.is_current else None
        except Exception:  # of the caller's function, whose objects may be gone
            current = None
        if current is None:
            gone = True
            warnings.warn("an afterglow.Device was not closed, and its is_current is missing or raises: its GL objects "
                          "exist until their context is destroyed", ResourceWarning)
        elif current:
            gone = not self.marker.found()
        elif self.exists and not self.exists():
            gone = True
        else:
            return
        try:
            _dropped.remove(self)
        except ValueError:
            return  # another thread has it
        self.destroy(gone)


_dropped: list[_Held] = []


def _collect() -> None:
    for held in list(_dropped):
        held.collect()


class Device:
    """What Afterglow keeps for one OpenGL context, which is the one that is current now.

    `gl_proc` returns the address of a GL function by name; without it, it is found by EGL or GLX, whichever made the
    context. The context must be current in all calls, also those of the device's passes, and on one thread at a time.
    `shader_dir` is a folder of shaders to use instead of the embedded ones; `frame()` then replaces edited shaders.
    Warnings and notes go to the logger "afterglow". Needs OpenGL 4.3.

    `close` it before the context is destroyed. One that is dropped is deleted in a later call of this package with its
    context current. What is wrong raises as in `run`; a closed device, and a process that was forked, RuntimeError.
    """

    _held: Optional[_Held] = None

    def __init__(self, gl_proc: Optional[Callable[[str], Optional[int]]] = None, *,
                 is_current: Optional[Callable[[], bool]] = None,
                 shader_dir: Optional[str | os.PathLike[str]] = None):
        for name, given in (("gl_proc", gl_proc), ("is_current", is_current)):
            if given is not None and not callable(given):
                raise TypeError(f"{name} is {shown(given)}; expected a function")
        desc = abi.new(abi.DeviceDesc)
        if shader_dir is not None:
            desc.shader_dir = path("shader_dir", shader_dir)
        _context.check_fork()
        exists = None
        if gl_proc is None:
            gl_proc, is_current, exists = _context.current()
        self._held = held = _Held(GL(gl_proc), is_current, exists)
        messages = held.messages

        def log(_user, message):
            text = message.contents.text.decode(errors="replace")
            if message.contents.level == abi.LOG_ERROR:
                messages.append(text)
            else:
                level = logging.WARNING if message.contents.level == abi.LOG_WARNING else logging.INFO
                logger.log(level, "%s", text)

        # The module keeps the callbacks, so the device keeps them alive.
        held.callbacks = [abi.GlProc(lambda _user, name: gl_proc(name.decode()) or None), abi.Log(log)]
        host = abi.new(abi.Host, gl_proc=held.callbacks[0], log=held.callbacks[1])
        if is_current is not None:
            held.callbacks.append(abi.IsCurrent(lambda _user: int(bool(is_current()))))
            host.is_current = held.callbacks[2]
        _collect()
        held.create(host, desc)

    def __del__(self) -> None:
        if self._held is not None and self._held.handle is not None:
            _dropped.append(self._held)

    @property
    def _gl(self) -> GL:
        return self._held.gl

    @property
    def _handle(self) -> int:
        if self._held.handle is None:
            raise RuntimeError("the device is closed")
        _context.check_fork()
        return self._held.handle

    def _call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Calls the module; raises `Error` with its message if the status is a failure."""
        held = self._held
        if held.passes and (held.is_current is None or held.is_current()):
            held.delete_passes()
        if _dropped:
            _collect()
        return held.check(function(*arguments))

    def frame(self, number: int = 0) -> None:
        """Once a frame: collects GPU times, replaces edited shaders. Never waits for the GPU."""
        number = integer("number", number, UINT64)
        self._call(abi.api.frame, self._handle, number)

    def forget(self, texture: int) -> None:
        """Call it before a texture that a pass has used is deleted, or created again under its name."""
        abi.api.forget(self._handle, integer("texture", texture, UINT32, "the name of a GL texture"))

    def texture(self, name: int, level: int = 0, target: int = 0) -> abi.Texture:
        """What GL says of a level of a texture. `target` counts only in contexts that cannot be asked for it."""
        asked = abi.new(abi.Texture, target=integer("target", target, UINT32, "a texture target of GL"))
        name, level = integer("name", name, UINT32, "the name of a GL texture"), integer("level", level, INT32)
        self._call(abi.api.texture, self._handle, name, level, byref(asked))
        return asked

    def scrubbed_texels(self) -> int:
        """How many texels were read as 0 (NaN, Inf, too large to be summed), as far as the counters were read back."""
        health = abi.new(abi.Health)
        self._call(abi.api.health, self._handle, byref(health))
        return health.scrubbed_texels

    def close(self, context_gone: bool = False) -> None:
        """Deletes the device, its passes and all their GL objects; with `context_gone` it frees memory only."""
        context_gone = flag("context_gone", context_gone)
        if self._held.handle is not None:
            if _context.forked():
                self._held.handle = None  # the parent's
            else:
                self._held.destroy(context_gone)

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_) -> None:
        self.close()


def folder_named(effect: Any, more: str = "") -> Optional[bytes]:
    """The path of a pass's folder: an os.PathLike, or a string with a / in it. None: it is an effect's name."""
    if isinstance(effect, os.PathLike):
        return path("effect", effect)
    named = text("effect", effect, "the name of an effect, or the path of a pass's folder" + more)
    return os.fsencode(named) if "/" in named else None


def effect_of(device: Device, effect: Any) -> Effect:
    """An effect by its name, or by the path of a pass's folder."""
    folder = folder_named(effect)
    if folder is None:
        return effect_named(effect)
    info = ctypes.POINTER(abi.EffectInfo)()
    device._call(abi.api.pass_load, device._handle, folder, byref(info))
    return reflect(info.contents, loaded=True)


class RawPass:
    """A pass of the module: the calls with a job."""

    _pass: Optional[int] = None

    def __init__(self, device: Device, effect: str):
        handle = c_void_p()
        device._call(abi.api.pass_create, device._handle, effect.encode(), byref(handle))
        self.device = device
        self._pass = handle.value

    def __del__(self) -> None:
        if self._pass is not None and self.device._held.handle is not None:
            self.device._held.passes.append(self._pass)

    @property
    def _handle(self) -> int:
        if self._pass is None or self.device._held.handle is None:
            raise RuntimeError("the pass is closed")
        _context.check_fork()
        return self._pass

    def check(self) -> None:
        """Raises if it is closed."""
        _ = self._handle

    def slot_size(self, job: abi.Job, slot: int) -> tuple[int, int, int]:
        size = (ctypes.c_int32 * 3)()
        self.device._call(abi.api.slot_size, self._handle, byref(job), slot, size)
        return tuple(size)

    def run(self, job: abi.Job) -> None:
        """Also with the embedded shaders (AG_FALLBACK), because those of shader_dir failed: the log says why."""
        self.device._call(abi.api.run, self._handle, byref(job))

    def plan(self, job: abi.Job) -> str:
        plan = ctypes.POINTER(abi.Plan)()
        self.device._call(abi.api.declare, self._handle, byref(job), byref(plan))
        return plan.contents.text.decode()

    def stats(self) -> abi.Stats:
        stats = abi.new(abi.Stats)
        self.device._call(abi.api.stats, self._handle, abi.WHOLE_PASS, byref(stats))
        return stats

    def close(self) -> None:
        if self._pass is not None:
            handle, self._pass = self._pass, None
            if self.device._held.handle is not None and not _context.forked():
                abi.api.pass_destroy(handle)


def job_of(slots: ctypes.Array, settings: ctypes.Array, **members) -> abi.Job:
    """A job. It points into `slots` and `settings`, which must live as long as it is used."""
    return abi.new(abi.Job, slots=ctypes.cast(slots, ctypes.POINTER(abi.Texture)), slot_count=len(slots),
                   settings=ctypes.addressof(settings), **members)


def device_given(device: Any) -> Device:
    if not isinstance(device, Device):
        raise TypeError(f"device is {shown(device)}; expected an afterglow.Device")
    return device
