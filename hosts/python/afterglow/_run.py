"""Effects on NumPy arrays."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import itertools
import os
import threading
from contextlib import ExitStack, contextmanager
from types import MappingProxyType
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _abi as abi
from ._arguments import INT32, integers, number, shown, text
from ._context import Gone, Headless, check_fork
from ._device import Device, RawPass, device_given, effect_of, folder_named, job_of
from ._effects import Effect, Slot, effect_named
from ._gl import FORMATS, Format, Image, find

Inputs = Union[np.ndarray, Sequence[np.ndarray], Mapping[str, np.ndarray], None]
Output = Union[np.ndarray, list[np.ndarray]]
Named = Union[str, os.PathLike[str]]  # an effect, or the folder of a pass
Step = Union[Named, tuple[Named, Mapping[str, Any]]]  # of a chain

_lock = threading.Lock()  # of the own context, which is current on one thread at a time
_own: Optional[tuple[Headless, Device]] = None
_versions = itertools.count(1)  # GL gives names again, so each texture has a version of its own


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()  # another thread of the parent may hold it


os.register_at_fork(after_in_child=_after_fork)

DTYPES = "float16, float32, float64, uint8, uint16, uint32, complex64 or complex128"
OPTIONS = ("outputs", "sizes", "formats")  # of an effect; device and dt are of the whole run


@contextmanager
def _working(device: Optional[Device]) -> Iterator[Device]:
    """The caller's device, or our own with its context current."""
    global _own
    check_fork()
    if device is not None:
        yield device_given(device)
        return
    with _lock:
        context = _own[0] if _own else Headless()
        try:
            before = context.enter()
        except Gone:
            if _own:
                _own[1].close(context_gone=True)
                _own = None
            context = Headless()
            before = context.enter()
        try:
            if _own is None:
                try:
                    _own = context, Device(context.proc, is_current=context.is_current)
                except BaseException:
                    context.leave(before)
                    context.destroy()
                    raise
            yield _own[1]
        finally:
            if _own is not None:
                context.leave(before)


class _Shape:
    """What the results shall look like: as the effect's first input."""

    def __init__(self, first: Optional[np.ndarray]):
        self.channels = 4 if first is None else 1 if first.ndim == 2 else first.shape[-1]
        self.two_axes = first is not None and first.ndim == 2
        self.four_axes = first is not None and first.ndim == 4

    def result(self, texels: np.ndarray, state: bool) -> np.ndarray:
        """An output of layers x height x width x channels, with three channels where the input had three."""
        if self.channels == 3 and texels.shape[-1] == 4 and not state:
            texels = np.ascontiguousarray(texels[..., :3])
        if texels.shape[0] == 1 and not self.four_axes:
            texels = texels[0]
            if self.two_axes and texels.shape[-1] == 1:
                texels = texels[..., 0]
        return texels


def _array(label: str, data: Any) -> np.ndarray:
    try:
        array = np.asarray(data)
    except Exception as reason:  # of NumPy, for what is no array
        raise TypeError(f"{label} is {shown(data)}; expected an array ({reason})") from None
    if array.ndim not in (2, 3, 4) or array.size == 0 or (array.ndim > 2 and not 1 <= array.shape[-1] <= 4):
        raise ValueError(f"{label}: shape {array.shape}; expected (height, width), (height, width, channels) or "
                         "(layers, height, width, channels) with 1 to 4 channels")
    if array.dtype == np.float64:
        with np.errstate(over="ignore"):
            array = array.astype(np.float32)
    elif array.dtype == np.complex128:
        with np.errstate(over="ignore"):
            array = array.astype(np.complex64)
    if array.dtype not in (np.float16, np.float32, np.uint8, np.uint16, np.uint32, np.complex64):
        raise TypeError(f"{label}: {array.dtype}; expected {DTYPES}")
    return array


def _format(label: str, slot: Slot, asked: Optional[str], exact: Format) -> Format:
    if asked is None:
        of = exact
    elif asked in FORMATS:
        of = FORMATS[asked]
    else:
        raise ValueError(f"{label}: unknown format {shown(asked)}; expected one of: {' '.join(FORMATS)}")
    if of.sized not in slot.formats:
        raise ValueError(f"{label} does not take {of.name}; expected one of: {slot.format_names}")
    return of


def _texels(label: str, array: np.ndarray, of: Format) -> np.ndarray:
    """layers x height x width x channels of the format; channels that the array lacks are 0, alpha is 1."""
    if array.dtype != of.dtype and not (array.dtype.kind == "f" and of.dtype.kind == "f"):
        raise TypeError(f"{label}: {array.dtype} for a {of.name} texture; expected {of.dtype}")
    array = array[..., None] if array.ndim == 2 else array
    array = array if array.ndim == 4 else array[None]
    if array.shape[-1] > of.channels:
        raise ValueError(f"{label}: {array.shape[-1]} channels for a {of.name} texture")
    if array.shape[-1] == of.channels and array.dtype == of.dtype:
        return np.ascontiguousarray(array)
    texels = np.zeros((*array.shape[:-1], of.channels), of.dtype)
    if of.channels == 4:
        texels[..., 3] = {np.uint8: 255, np.uint16: 65535}.get(of.dtype.type, 1)
    if array.dtype == np.float32 and of.dtype == np.float16:
        # As the effects store: finite values stay finite.
        array = np.where(np.isfinite(array), np.clip(array, -65504, 65504), array)
    texels[..., :array.shape[-1]] = array
    return texels


class _Run:
    """One run: textures of the slots, and the job that names them."""

    def __init__(self, device: Device, effect: Effect, settings: Mapping[str, Any], dt: float,
                 linked: Mapping[str, tuple[Image, int]] = MappingProxyType({}), deep: bool = False):
        self.device, self.effect, self.dt = device, effect, dt
        self.deep = deep  # a later effect writes the levels of its source in place: all pictures have levels
        self.settings = effect._struct(settings)
        self.images: dict[str, Image] = {name: image for name, (image, _) in linked.items()}
        self.versions: dict[str, int] = {name: version for name, (_, version) in linked.items()}
        self.linked = linked  # of earlier effects, which delete them

    def create(self, slot: Slot, *texture: Any) -> Image:
        image = Image(self.device._gl, f"{self.effect.id}: {slot.name}", *texture)
        self.images[slot.name], self.versions[slot.name] = image, next(_versions)
        return image

    def load(self, slot: Slot, array: np.ndarray, asked: Optional[str]) -> Format:
        label = f"{self.effect.id}: {slot.name}"
        channels = 1 if array.ndim == 2 else array.shape[-1]
        if array.dtype == np.uint16 and asked != "rgba16":  # no other format has 16-bit codes
            array = array.astype(np.float32) / np.float32(65535)
        of = _format(label, slot, asked, find(array.dtype, channels))
        texels = _texels(label, array, of)
        layers, height, width = texels.shape[:3]
        chain = (slot.writes and slot.levels) or (self.deep and slot is self.effect.inputs[0])
        levels = max(width, height).bit_length() if chain else 1
        self.create(slot, of, width, height, layers if array.ndim == 4 else 0, levels).write(texels)
        return of

    def job(self) -> abi.Job:
        self.slots = (abi.Texture * len(self.effect.slots))()
        for i, slot in enumerate(self.effect.slots):
            row = self.slots[i]
            row.struct_size = ctypes.sizeof(abi.Texture)
            image = self.images.get(slot.name)
            if image:
                row.name, row.target, row.format = image.name, image.target, image.format.sized
                row.width, row.height, row.layers = image.width, image.height, image.layers
                row.version = self.versions[slot.name]
        return job_of(self.slots, self.settings, dt=self.dt, next_use=abi.CONSTANTS["AG_USE_COPY"])

    def output_format(self, slot: Slot, asked: Optional[str], source: Optional[Format]) -> Format:
        """As asked; else the source's, 32-bit floats if the slot takes only floats, or the slot's only format."""
        number = source.sized if source and source.sized in slot.formats else None
        if number is None and len(slot.formats) == 1:
            number = slot.formats[0]
        if number is None and source:
            number = find(np.dtype(np.float32), source.channels).sized
        exact = next((of for of in FORMATS.values() if of.sized == number), FORMATS["rgba32f"])
        return _format(f"{self.effect.id}: {slot.name}", slot, asked, exact)

    def spectrum(self) -> bool:
        """As numpy.fft has it: results are complex but those of an inverse transform to a real image."""
        value = lambda name: self.effect._value(self.settings, name)
        half = value("spectrum") == "half" or self.packed()
        return not (value("direction") == "inverse" and half)

    def packed(self) -> bool:
        return self.effect._value(self.settings, "packing") not in (None, "planes")

    def output(self, raw: RawPass, slot: Slot, size: Optional[Sequence[int]], of: Format) -> None:
        width, height, layers = raw.slot_size(self.job(), self.effect.index(slot.name))
        if size is not None:
            width, height = size
        if not width or not height:
            raise ValueError(f"{self.effect.id}: {slot.name} may have any size, or the settings leave it empty; "
                             f"expected sizes={{{slot.name!r}: (width, height)}}")
        array = any(image.layers for image in self.images.values())
        image = self.create(slot, of, width, height, layers if layers > 1 or array else 0,
                            max(width, height).bit_length() if slot.levels or (self.deep and not slot.state) else 1)
        if slot.state:
            image.write(np.zeros((max(layers, 1), height, width, of.channels), of.dtype))

    def levels(self, slot: Slot) -> int:
        """How many levels of a chain hold results, the first included."""
        wanted = self.effect._value(self.settings, "levels") or 0
        most = self.images[slot.name].levels
        return min(wanted + slot.reads, most) if wanted else most

    def delete(self) -> None:
        for name, image in self.images.items():
            if name not in self.linked:
                self.device.forget(image.name)
                image.delete()


def _named_inputs(effect: Effect, inputs: Inputs, linked: Sequence[str] = ()) -> dict[str, np.ndarray]:
    """Inputs by the names of their slots; `linked` are those that others fill."""
    if inputs is None:
        given = {}
    elif isinstance(inputs, Mapping):
        given = dict(inputs)
    else:
        row = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        if len(row) > len(effect.inputs):
            raise TypeError(f"{effect.id}: {len(row)} inputs; expected {len(effect.inputs)} "
                            f"({', '.join(slot.name for slot in effect.inputs)}), others by name")
        given = {slot.name: data for slot, data in zip(effect.inputs, row)}
    arrays = {}
    for name, data in given.items():
        slot = effect.slot(name)
        if data is None:
            continue
        if not slot.reads:
            raise TypeError(f"{effect.id}: {name} is written, not read; expected one of: "
                            f"{' '.join(slot.name for slot in effect.slots if slot.reads) or 'no input'}")
        array = _array(f"{effect.id}: {name}", data)
        if array.dtype == np.complex64:
            partner = effect._partner(slot)
            if partner is None or partner.name in given:
                raise TypeError(f"{effect.id}: {name} takes real numbers")
            arrays[partner.name] = np.ascontiguousarray(array.imag)
            array = np.ascontiguousarray(array.real)
        arrays[name] = array
    missing = [slot.name for slot in effect.inputs if slot.name not in arrays and slot.name not in linked]
    if missing:
        raise TypeError(f"{effect.id} needs {', '.join(missing)}")
    return arrays


def _names(effect: Effect, outputs: Any) -> set[str]:
    """Names of slots."""
    try:
        names = iter(() if outputs is None else outputs)
        if isinstance(outputs, (str, bytes)):
            raise TypeError
    except TypeError:
        raise TypeError(f"{effect.id}: outputs is {shown(outputs)}; expected a list of names of slots") from None
    return {effect.slot(name).name for name in names}


def _sizes(effect: Effect, sizes: Any) -> dict[Optional[str], tuple[int, int]]:
    """Sizes by slots; that of None is the first output's."""
    named = sizes if isinstance(sizes, Mapping) else {} if sizes is None else {None: sizes}
    return {name if name is None and named is not sizes else effect.slot(name).name: integers(
        f"{effect.id}: sizes", size, 2, (1, INT32[1]), "(width, height), or a dict of them by slots")
        for name, size in named.items()}  # yapf: disable


def _check_formats(effect: Effect, formats: Any) -> None:
    expected = "the name of a format, or a dict of them by slots"
    for name, of in formats.items() if isinstance(formats, Mapping) else [(None, formats)]:
        if isinstance(formats, Mapping):
            effect.slot(name)
        if of is not None:
            text(f"{effect.id}: formats", of, expected)


def run(effect: Union[Named, Sequence[Step]], inputs: Inputs = None, *, device: Optional[Device] = None,
        outputs: Optional[Sequence[str]] = None, sizes: Union[Sequence[int], Mapping[str, Sequence[int]], None] = None,
        formats: Union[str, Mapping[str, str], None] = None, dt: float = 1 / 60,
        **settings: Any) -> Union[Output, dict[str, Output]]:
    """Applies an effect, or a chain of them, to arrays, and returns its results as arrays.

    effect      its name, or the path of the folder of a pass of your own (docs/passes.md): a pathlib.Path, or a string
                with a / in it. Or a list of such, a chain: each is a name, or a pair of a name and a dict with its settings, other inputs,
                outputs, sizes and formats: run(["denoise", ("bloom", {"intensity": 0.3})], frame). Textures pass on
                the GPU from effect to effect: the first output to the source of the next, and what an effect makes to
                slots that have its name, as the exposure of bloom. Results are those of the last.
    inputs      an array; or several, in the order of the slots that the effect needs; or a dict by names of slots,
                which also takes the optional ones. Shapes are (height, width), (height, width, channels) or (layers,
                height, width, channels); row 0 is texel row y = 0. float32 and float64 become textures of 32-bit
                floats, float16 of 16-bit floats, uint8 of 8-bit codes, uint32 of integers, and nothing is decoded.
                uint16 are codes, too: 32-bit floats from 0 to 1, or the codes of formats="rgba16". Three channels get
                alpha = 1 and come back as three. Complex arrays fill both parts' slots.
    device      a `Device` of the context that is current. None: a context of our own, without a window, by EGL,
                created by the first call and kept; any thread may call, one runs at a time.
    outputs     names of optional output slots, in addition to the others.
    sizes       (width, height) of the first output, or a dict by slots, where the effect leaves it open.
    formats     the texture format of inputs and outputs ("rgba16f"), but not of kernels and other inputs; or a dict
                by slots. Floats of 32 bits can go to 16-bit textures, uint8 to srgb8, which is decoded and encoded.
    dt          seconds since the run before, for effects with state.
    settings    the effect's, by name: `help(afterglow.bloom)` lists them.

    returns     the output's array, a list of them for a chain of levels (level 0 first), or a dict by slots where
                there are several outputs. State (slots of AG_STATE) is an output, and an optional input.
    raises      `Error` with the module's message; TypeError for an argument of a wrong type or name, and ValueError
                for a wrong value, which say what was expected; RuntimeError where there is no OpenGL, and in a process
                that was forked from one that had used it; MemoryError.
    """
    if isinstance(effect, (list, tuple)):
        beside = [*settings, *(name for name, value in zip(OPTIONS, (outputs, sizes, formats)) if value is not None)]
        if beside:
            raise TypeError(f"{beside[0]} is of one effect; expected it in the chain: (effect, {{{beside[0]!r}: ...}})")
        return _run_chain(effect, inputs, device, dt)
    if folder_named(effect, ", or a list of them") is not None:
        with _working(device) as at:
            return apply(effect_of(at, effect), inputs, settings, at, outputs, sizes, formats, dt)
    return apply(effect_named(effect), inputs, settings, device, outputs, sizes, formats, dt)


def apply(what: Effect, inputs: Inputs, settings: Mapping[str, Any], device: Any = None, outputs: Any = None,
          sizes: Any = None, formats: Any = None, dt: Any = 1 / 60) -> Union[Output, dict[str, Output]]:
    """`run`, of an effect. What callers pass is checked before anything of GL is called."""
    if device is not None:
        device_given(device)
    stage = _Stage(what, inputs, settings, outputs, sizes, formats, dt)
    with _working(device) as at, at._gl.kept():
        try:
            stage.execute(at)
            return stage.results()
        finally:
            stage.close()


class _Stage:
    """An effect of a chain, from its checked arguments to its results."""

    def __init__(self, what: Effect, inputs: Inputs, settings: Mapping[str, Any], outputs: Any, sizes: Any,
                 formats: Any, dt: Any, linked: Sequence[str] = ()):
        self.what, self.settings, self.formats = what, settings, formats
        self.dt = number(f"{what.id}: dt", dt)
        self.arrays = _named_inputs(what, inputs, linked)
        self.first = what.inputs[0] if what.inputs else None
        self.sizes = _sizes(what, sizes)
        self.wanted = _names(what, outputs) | set(self.sizes) - {None}
        _check_formats(what, formats)
        for name in self.wanted:
            if not what.slot(name).writes:
                raise TypeError(f"{what.id}: {name} is read, not written; expected one of: "
                                f"{' '.join(slot.name for slot in what.slots if slot.writes)}")
        what._struct(settings)  # a wrong one raises
        self.work: Optional[_Run] = None
        self.raw: Optional[RawPass] = None

    def asked(self, slot: Slot) -> Optional[str]:
        if isinstance(self.formats, str):
            return self.formats if slot is self.first or (slot.writes and not slot.state) else None
        return (self.formats or {}).get(slot.name)

    def execute(self, at: Device, linked: Mapping[str, tuple[Image, int]] = MappingProxyType({}),
                shape: Optional[_Shape] = None, deep: bool = False) -> None:
        """`linked`: textures of earlier effects by slots; `shape`: of results, if the source is one of these."""
        what, wanted = self.what, self.wanted
        work = self.work = _Run(at, what, self.settings, self.dt, linked, deep)
        self.imaginary = {}  # of the outputs
        for slot in what.slots:
            partner = what._partner(slot)
            if partner and slot.writes and work.spectrum():
                self.imaginary[slot.name] = partner
                wanted.add(partner.name)
        self.written = [slot for slot in what.slots if slot.writes and
                        (not slot.optional or slot.name in wanted or slot.name in self.arrays)]  # yapf: disable
        if None in self.sizes:
            self.sizes = {self.written[0].name: self.sizes[None]}
        raw = self.raw = RawPass(at, what.id)
        for name, array in self.arrays.items():
            work.load(what.slot(name), array, self.asked(what.slot(name)))
        for name, (image, _) in linked.items():  # in the format that they have
            _format(f"{what.id}: {name}", what.slot(name), None, image.format)
        source = work.images[self.first.name].format if self.first else None
        for slot in self.written:
            if slot.name in work.images:
                continue  # in place, or state
            of = work.output_format(slot, self.asked(slot), source)
            complex_ = any(slot is part or slot.name == name for name, part in self.imaginary.items())
            if complex_ and not self.asked(slot):
                channels = (2 if slot in self.imaginary.values() else 4) if work.packed() else source.channels
                of = find(np.dtype(np.float32), channels)
            work.output(raw, slot, self.sizes.get(slot.name), of)
        raw.run(work.job())
        self.shape = shape or _Shape(self.arrays[self.first.name] if self.first else None)

    def results(self) -> Union[Output, dict[str, Output]]:
        work = self.work
        results: dict[str, Output] = {}
        for slot in self.written:
            image = work.images[slot.name]
            chain = [self.shape.result(image.read(level), slot.state)
                     for level in range(work.levels(slot) if slot.levels else 1)]  # yapf: disable
            results[slot.name] = chain if slot.levels else chain[0]
        work.device.frame()
        for name, partner in self.imaginary.items():
            if not work.packed() and results[name].dtype == np.float32:
                results[name] = results[name] + 1j * results.pop(partner.name)
        return next(iter(results.values())) if len(results) == 1 else results

    def result_slot(self) -> Optional[Slot]:
        """What a later effect's slot of this one's name takes."""
        return next((slot for slot in self.what.slots if slot.writes and not slot.optional), None)

    def picture(self) -> str:
        """The slot of what the next effect takes: the first that is written and no state, or the source."""
        made = next((slot for slot in self.what.slots if slot.writes and not slot.optional and not slot.state), self.first)
        return made.name

    def close(self) -> None:
        if self.raw:
            self.raw.close()
        if self.work:
            self.work.delete()


def _step(at: Any, step: Any) -> tuple[Effect, dict[str, Any]]:
    """An effect of a chain, and what is said of it."""
    name, said = step if isinstance(step, (list, tuple)) and len(step) == 2 else (step, {})
    if not isinstance(said, Mapping):
        raise TypeError(f"{shown(step)} in a chain; expected the name of an effect, or (name, dict of settings)")
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"effect is {shown(name)}; expected the name of an effect, or (name, dict of settings)")
    return effect_of(at, name), dict(said)


def _links(what: Effect, given: Mapping[str, Any], before: Sequence[_Stage]) -> dict[str, tuple[_Stage, str]]:
    """Slots that earlier effects fill: the source, and those that have the name of one."""
    links = {}
    if before and what.inputs:
        links[what.inputs[0].name] = before[-1], before[-1].picture()
    for slot in what.slots:
        for stage in before:  # the nearest one stays
            made = stage.result_slot()
            if slot.reads and stage.what.id == slot.name and made:
                links[slot.name] = stage, made.name
    return {name: link for name, link in links.items() if name not in given}


def _run_chain(steps: Sequence[Step], inputs: Inputs, device: Any, dt: Any) -> Union[Output, dict[str, Output]]:
    if not steps:
        raise ValueError("an empty chain; expected one effect or more")
    if device is not None:
        device_given(device)
    with _working(device) as at, at._gl.kept(), ExitStack() as stages:
        before: list[_Stage] = []
        read = [_step(at, step) for step in steps]
        for i, (what, said) in enumerate(read):
            deep = any(slot.writes and slot.levels for after, _ in read[i + 1:] for slot in after.inputs[:1])
            options = {name: said.pop(name) for name in OPTIONS if name in said}
            arrays = {slot.name: said.pop(slot.name) for slot in what.slots if slot.name in said and
                      (slot.name not in what.settings or isinstance(said[slot.name], np.ndarray))}  # yapf: disable
            links = _links(what, arrays, before)
            given: Inputs = arrays
            if not before:
                given = {**arrays, **inputs} if isinstance(inputs, Mapping) else arrays if inputs is None else inputs
                if given is inputs and arrays:
                    row = inputs if isinstance(inputs, (list, tuple)) else [inputs]
                    given = {**arrays, **{slot.name: data for slot, data in zip(what.inputs, row)}}
            stage = _Stage(what, given, said, *(options.get(name) for name in OPTIONS), dt, list(links))
            stages.callback(stage.close)
            linked = {name: (of.work.images[slot], of.work.versions[slot]) for name, (of, slot) in links.items()}
            source = links.get(stage.first.name) if stage.first else None
            stage.execute(at, linked, source[0].shape if source else None, deep)
            before.append(stage)
        return before[-1].results()
