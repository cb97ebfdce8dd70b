"""Effects on textures of the caller's OpenGL context: moderngl, pyglet, Panda3D, VTK, PyOpenGL."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import _abi as abi
from ._arguments import INT32, UINT32, UINT64, flag, integer, integers, listed, number, shown
from ._device import Device, RawPass, device_given, effect_of, folder_named, job_of
from ._effects import effect_named
from ._gl import TEXTURE_2D, TEXTURE_2D_ARRAY, format_number

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class Texture:
    """A level of a texture of yours, or a rectangle (x, y, width, height) of it.

    Without `width`, `height` and `format` GL is asked for them in every call, which takes microseconds, and waits for
    the driver's thread where it has one. Increase `version` when a texture was created again under its old name, and
    for kernels also when the content changed.
    """
    name: int
    width: int = 0
    height: int = 0
    format: Union[str, int] = 0  # "rgba16f", or GL's number of the sized internal format
    target: int = TEXTURE_2D
    level: int = 0
    first_layer: int = 0
    layers: int = 0
    rect: tuple[int, int, int, int] = (0, 0, 0, 0)
    version: int = 0

    def __post_init__(self):
        for name, limits in (("name", UINT32), ("width", INT32), ("height", INT32), ("target", UINT32),
                             ("level", INT32), ("first_layer", INT32), ("layers", INT32), ("version", UINT32)):
            object.__setattr__(self, name, integer(f"Texture: {name}", getattr(self, name), limits))
        object.__setattr__(self, "format", format_number(self.format))
        object.__setattr__(self, "rect", integers("Texture: rect", self.rect, 4, INT32, "(x, y, width, height)"))


class _Seen(NamedTuple):
    """What GL said of a level last."""
    target: int
    format: int
    width: int
    height: int
    layers: int


def _texture(of: Any) -> Texture:
    """A Texture of: itself, a GL name, or a texture of moderngl (`glo`), pyglet (`id`) or VTK (`GetHandle()`)."""
    if isinstance(of, Texture):
        return of
    target = TEXTURE_2D
    if hasattr(of, "glo"):  # moderngl
        if type(of).__name__ == "TextureArray":
            target = TEXTURE_2D_ARRAY
        name = of.glo
    elif hasattr(of, "GetHandle"):  # vtkTextureObject
        name = of.GetHandle()
    elif hasattr(of, "id"):  # pyglet
        name, target = of.id, getattr(of, "target", target)
    else:
        name = of
    if isinstance(name, (bool, np.bool_)) or not hasattr(name, "__index__"):
        raise TypeError(f"{shown(of)} is no texture; expected a GL name, an afterglow.Texture, or a texture of "
                        "moderngl, pyglet or VTK")
    return Texture(name, target=target)


class Pass:
    """One configured effect on textures of the context that is current.

        bloom = afterglow.Pass("bloom", intensity=0.2)
        bloom(src=frame, dst=bloomed)       # each frame, with the context current

    A call prepares what has changed and records the effect's GL commands; it waits for nothing. Textures are given by
    the names of slots. What they may be: `Texture`, a GL name, or a texture of moderngl, pyglet or VTK. Without
    `device` the pass has a device of its own for the context that is current now. With `restore` all GL state that
    the effect changes is put back; else it is left 0, as afterglow.h says: for libraries that cache bindings.

    `close` it before the context is destroyed. One that is dropped is deleted in a later call of this package with its
    context current. What is wrong raises as in `run`; a closed pass, and a process that was forked, RuntimeError.
    """

    def __init__(self, effect: Union[str, os.PathLike[str]], device: Optional[Device] = None, *, restore: bool = True, **settings: Any):
        loaded = folder_named(effect) is not None
        if not loaded:
            self.effect = effect_named(effect)
            self._settings = self.effect._struct(settings)  # before anything of GL, so that a wrong name costs nothing
        self._restore = flag("restore", restore)
        self._own = device is None
        self.device = Device() if device is None else device_given(device)
        if loaded:
            self.effect = effect_of(self.device, effect)
            self._settings = self.effect._struct(settings)
        self._raw = RawPass(self.device, self.effect.id)
        self._seen: dict[tuple[int, int], _Seen] = {}  # by name and level
        self._versions: dict[int, int] = {}
        self._frame = 0

    def set(self, **settings: Any) -> None:
        """Changes settings, from the next call on. `bloom.intensity = 0.5` does the same for one."""
        self.effect._change(self._settings, settings)

    if not TYPE_CHECKING:  # the stubs have the settings of each effect

        def __setattr__(self, name: str, value: Any) -> None:
            if name in ("effect", "device") or name.startswith("_"):
                object.__setattr__(self, name, value)
            else:
                self._check_setting(name)
                self.set(**{name: value})

        def __getattr__(self, name: str) -> Any:  # of what is no attribute
            self._check_setting(name)
            return self.effect._value(self._settings, name)

    def _check_setting(self, name: str) -> None:
        effect = self.__dict__.get("effect")
        settings = effect.settings if effect else {}
        if name not in settings:
            raise AttributeError(f"{effect.id if effect else 'Pass'} has no setting {shown(name)}; it has: "
                                 f"{listed(settings, name) or 'none yet'}")

    @property
    def settings(self) -> Mapping[str, Any]:
        """The values of all settings."""
        return {name: self.effect._value(self._settings, name) for name in self.effect.settings}

    def __call__(self, *, frame: Optional[int] = None, dt: float = 0.0, reset: bool = False, **textures: Any) -> None:
        """Records the effect for these textures. If it raises, no output texel was written.

        dt is the time in seconds since the call before, for effects with state; reset: ignore the state.
        """
        dt, reset = number("dt", dt), flag("reset", reset)
        frame = None if frame is None else integer("frame", frame, UINT64)
        job, keep = self._job(textures, dt, reset)
        self._frame = self._frame + 1 if frame is None else frame
        job.frame = self._frame
        self._raw.run(job)
        if self._own:
            self.device.frame(self._frame)
        del keep

    def plan(self, **textures: Any) -> str:
        """What a call with these textures does, in the module's words."""
        job, keep = self._job(textures, 0.0, False)
        text = self._raw.plan(job)
        del keep
        return text

    def gpu_time(self) -> Optional[float]:
        """Median time of the last calls on the GPU in seconds; None: no result has arrived yet.

        With a device that you gave, call its `frame()` once a frame.
        """
        stats = self._raw.stats()
        return stats.gpu_median * 1e-9 if stats.samples else None

    def forget(self, texture: Any) -> None:
        """Call it before you delete a texture that the pass has used."""
        name = _texture(texture).name
        self._seen = {key: seen for key, seen in self._seen.items() if key[0] != name}
        self._versions[name] = self._versions.get(name, 0) + 1
        self.device.forget(name)

    def close(self) -> None:
        """Deletes the pass and, if it has one of its own, its device, with their GL objects."""
        self._raw.close()
        if self._own:
            self.device.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _job(self, textures: Mapping[str, Any], dt: float, reset: bool):
        slots = (abi.Texture * len(self.effect.slots))()
        for row in slots:
            row.struct_size = ctypes.sizeof(abi.Texture)
        self._raw.check()
        for name, given in textures.items():
            i = self.effect.index(name)
            if given is not None:
                self._fill(slots[i], _texture(given))
        missing = [slot.name for i, slot in enumerate(self.effect.slots) if not slot.optional and not slots[i].name]
        if missing:
            raise TypeError(f"{self.effect.id} needs {', '.join(missing)}")
        constant = abi.CONSTANTS
        flags = constant["AG_JOB_RESTORE"] * self._restore | constant["AG_JOB_RESET"] * reset
        return job_of(slots, self._settings, flags=flags, dt=dt, next_use=constant["AG_USE_UNKNOWN"]), slots

    def _fill(self, row: abi.Texture, of: Texture) -> None:
        row.name, row.target, row.level = of.name, of.target, of.level
        row.first_layer = of.first_layer
        row.rect_x, row.rect_y, row.rect_width, row.rect_height = of.rect
        if of.width and of.height and of.format:
            row.width, row.height, row.format, row.layers = of.width, of.height, of.format, of.layers
        else:
            asked = self.device.texture(of.name, of.level, of.target)
            seen = _Seen(asked.target, asked.format, asked.width, asked.height, asked.layers)
            if self._seen.get((of.name, of.level), seen) != seen:  # created again under its name
                self.forget(of.name)
            self._seen[of.name, of.level] = seen
            row.target, row.format, row.width, row.height = seen[:4]
            row.layers = of.layers or max(seen.layers - of.first_layer, 1)
        row.version = self._versions.get(of.name, 0) << 32 | of.version
