"""Devices: what the module keeps for one OpenGL context; and its errors."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import logging
import os
import weakref
from ctypes import byref, c_void_p
from typing import Callable, Optional

from . import _abi as abi
from . import _context
from ._gl import GL

logger = logging.getLogger("afterglow")


class Error(Exception):
    """A call that failed. The text is the module's own message; `code` is its status ("AG_E_SIZE")."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status
        self.code = abi.STATUS.get(status, str(status))


class Device:
    """What Afterglow keeps for one OpenGL context, which is the one that is current now.

    `gl_proc` returns the address of a GL function by name; without it, it is found by EGL or GLX, whichever made the
    context. The context must be current in all calls, also those of the device's passes, and on one thread at a time.
    `shader_dir` is a folder of shaders to use instead of the embedded ones; `frame()` then replaces edited shaders.
    Warnings and notes go to the logger "afterglow". Needs OpenGL 4.3.
    """

    def __init__(self, gl_proc: Optional[Callable[[str], Optional[int]]] = None, *,
                 is_current: Optional[Callable[[], bool]] = None,
                 shader_dir: Optional[str | os.PathLike[str]] = None):
        self._handle: Optional[int] = None
        if gl_proc is None:
            gl_proc, is_current = _context.current()
        self.gl = GL(gl_proc)
        messages: list[str] = []  # of the call that runs now

        def log(_user, message):
            text = message.contents.text.decode(errors="replace")
            if message.contents.level == abi.LOG_ERROR:
                messages.append(text)
            else:
                level = logging.WARNING if message.contents.level == abi.LOG_WARNING else logging.INFO
                logger.log(level, "%s", text)

        self._messages = messages
        # The module keeps the callbacks, so the device keeps them alive.
        self._callbacks = [abi.GlProc(lambda _user, name: gl_proc(name.decode()) or None), abi.Log(log)]
        host = abi.new(abi.Host, gl_proc=self._callbacks[0], log=self._callbacks[1])
        if is_current is not None:
            self._callbacks.append(abi.IsCurrent(lambda _user: int(bool(is_current()))))
            host.is_current = self._callbacks[2]
        desc = abi.new(abi.DeviceDesc)
        if shader_dir is not None:
            desc.shader_dir = os.fsencode(shader_dir)
        handle = c_void_p()
        self.check(abi.api.device_create(byref(host), byref(desc), byref(handle)))
        self._handle = handle.value
        self._passes: weakref.WeakSet = weakref.WeakSet()

    @property
    def handle(self) -> int:
        if self._handle is None:
            raise RuntimeError("the device is closed")
        return self._handle

    def check(self, status: int) -> int:
        """Raises `Error` with the module's message if the status is a failure."""
        text = "\n".join(self._messages)
        self._messages.clear()
        if status < 0:
            raise Error(status, text or abi.api.status_text(status).decode())
        if text:
            logger.error("%s", text)
        return status

    def frame(self, number: int = 0) -> None:
        """Once a frame: collects GPU times, replaces edited shaders. Never waits for the GPU."""
        self.check(abi.api.frame(self.handle, number))

    def forget(self, texture: int) -> None:
        """Call it before a texture that a pass has used is deleted, or created again under its name."""
        abi.api.forget(self.handle, texture)

    def texture(self, name: int, level: int = 0, target: int = 0) -> abi.Texture:
        """What GL says of a level of a texture. `target` counts only in contexts that cannot be asked for it."""
        asked = abi.new(abi.Texture, target=target)
        self.check(abi.api.texture(self.handle, name, level, byref(asked)))
        return asked

    def scrubbed_texels(self) -> int:
        """How many texels were read as 0 (NaN, Inf, too large to be summed), as far as the counters were read back."""
        health = abi.new(abi.Health)
        self.check(abi.api.health(self.handle, byref(health)))
        return health.scrubbed_texels

    def close(self, context_gone: bool = False) -> None:
        """Deletes the device, its passes and all their GL objects; with `context_gone` it frees memory only."""
        if self._handle is not None:
            for one in list(self._passes):
                one._handle = None  # the module destroys them with the device
            handle, self._handle = self._handle, None
            abi.api.device_destroy(handle, int(context_gone))

    def __enter__(self) -> "Device":
        return self

    def __exit__(self, *_) -> None:
        self.close()


class RawPass:
    """A pass of the module: the calls with a job."""

    def __init__(self, device: Device, effect: str):
        self._handle: Optional[int] = None
        handle = c_void_p()
        device.check(abi.api.pass_create(device.handle, effect.encode(), byref(handle)))
        self.device, self._handle = device, handle.value
        device._passes.add(self)

    @property
    def handle(self) -> int:
        if self._handle is None:
            raise RuntimeError("the pass is closed")
        return self._handle

    def slot_size(self, job: abi.Job, slot: int) -> tuple[int, int, int]:
        size = (ctypes.c_int32 * 3)()
        self.device.check(abi.api.slot_size(self.handle, byref(job), slot, size))
        return tuple(size)

    def prepare(self, job: abi.Job) -> int:
        return self.device.check(abi.api.prepare(self.handle, byref(job)))

    def execute(self, job: abi.Job) -> None:
        self.device.check(abi.api.execute(self.handle, byref(job), None))

    def plan(self, job: abi.Job) -> str:
        plan = ctypes.POINTER(abi.Plan)()
        self.device.check(abi.api.declare(self.handle, byref(job), byref(plan)))
        return plan.contents.text.decode()

    def stats(self) -> abi.Stats:
        stats = abi.new(abi.Stats)
        self.device.check(abi.api.stats(self.handle, abi.WHOLE_PASS, byref(stats)))
        return stats

    def close(self) -> None:
        if self._handle is not None:
            handle, self._handle = self._handle, None
            self.device._passes.discard(self)
            abi.api.pass_destroy(handle)


def job_of(slots: ctypes.Array, settings: ctypes.Array, settings_size: int, **members) -> abi.Job:
    """A job. It points into `slots` and `settings`, which must live as long as it is used."""
    return abi.new(abi.Job, slots=ctypes.cast(slots, ctypes.POINTER(abi.Texture)), slot_count=len(slots),
                   settings=ctypes.addressof(settings), settings_size=settings_size, **members)
