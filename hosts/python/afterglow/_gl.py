"""Textures from NumPy arrays and back. All state that these functions change is restored."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import uuid
from contextlib import contextmanager
from ctypes import CFUNCTYPE, byref, c_char_p, c_int32, c_uint8, c_uint32, c_void_p, create_string_buffer
from typing import Callable, Iterator, NamedTuple, Optional

import numpy as np

from ._arguments import UINT32, UINT64, integer, shown

TEXTURE_2D, TEXTURE_2D_ARRAY = 0x0DE1, 0x8C1A
COMPUTE_SHADER, SHADER = 0x91B9, 0x82E1
MAX_TEXTURE_SIZE, MAX_ARRAY_LAYERS = 0x0D33, 0x88FF
MIN_FILTER, MAG_FILTER, NEAREST, MAX_LEVEL = 0x2801, 0x2800, 0x2600, 0x813D
BINDINGS = {TEXTURE_2D: 0x8069, TEXTURE_2D_ARRAY: 0x8C1D, 0x9100: 0x9104, 0x9102: 0x9105}
BUFFERS = {0x88EB: 0x88ED, 0x88EC: 0x88EF}  # GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER, and their bindings
# SWAP_BYTES, LSB_FIRST, ROW_LENGTH, SKIP_ROWS, SKIP_PIXELS, ALIGNMENT, IMAGE_HEIGHT, SKIP_IMAGES of unpack, then pack
PIXEL_STORE = (0x0CF0, 0x0CF1, 0x0CF2, 0x0CF3, 0x0CF4, 0x0CF5, 0x806E, 0x806D,
               0x0D00, 0x0D01, 0x0D02, 0x0D03, 0x0D04, 0x0D05, 0x806C, 0x806B)  # yapf: disable
ALIGNMENTS = (0x0CF5, 0x0D05)

FUNCTIONS = {
    "glGetIntegerv": (None, c_uint32, c_void_p), "glGetError": (c_uint32,), "glFinish": (None,),
    "glGenTextures": (None, c_int32, c_void_p), "glDeleteTextures": (None, c_int32, c_void_p),
    "glBindTexture": (None, c_uint32, c_uint32), "glBindBuffer": (None, c_uint32, c_uint32),
    "glPixelStorei": (None, c_uint32, c_int32), "glTexParameteri": (None, c_uint32, c_uint32, c_int32),
    "glTexStorage2D": (None, c_uint32, c_int32, c_uint32, c_int32, c_int32),
    "glTexStorage3D": (None, c_uint32, c_int32, c_uint32, c_int32, c_int32, c_int32),
    "glTexSubImage2D": (None, c_uint32, *[c_int32] * 5, c_uint32, c_uint32, c_void_p),
    "glTexSubImage3D": (None, c_uint32, *[c_int32] * 7, c_uint32, c_uint32, c_void_p),
    "glGetTexImage": (None, c_uint32, c_int32, c_uint32, c_uint32, c_void_p),
    "glCreateShader": (c_uint32, c_uint32), "glDeleteShader": (None, c_uint32), "glIsShader": (c_uint8, c_uint32),
    "glObjectLabel": (None, c_uint32, c_uint32, c_int32, c_char_p),
    "glGetObjectLabel": (None, c_uint32, c_uint32, c_int32, c_void_p, c_char_p),
}  # yapf: disable


class Format(NamedTuple):
    name: str
    sized: int  # GL's sized internal format
    components: int  # GL's enum
    type: int
    channels: int
    dtype: np.dtype


def _table() -> dict[str, Format]:
    color, integer = (0x1903, 0x8227, 0x1908), (0x8D94, 0x8228, 0x8D99)  # RED, RG, RGBA; the same of integers
    rows = {}
    for suffix, type_, dtype, parts, sized in (
            ("8", 0x1401, np.uint8, color, (0x8229, 0x822B, 0x8058)),
            ("16f", 0x140B, np.float16, color, (0x822D, 0x822F, 0x881A)),
            ("32f", 0x1406, np.float32, color, (0x822E, 0x8230, 0x8814)),
            ("32ui", 0x1405, np.uint32, integer, (0x8236, 0x823C, 0x8D70))):
        for name, channels, part, number in zip(("r", "rg", "rgba"), (1, 2, 4), parts, sized):
            rows[name + suffix] = Format(name + suffix, number, part, type_, channels, np.dtype(dtype))
    rows["rgba16"] = Format("rgba16", 0x805B, 0x1908, 0x1403, 4, np.dtype(np.uint16))
    rows["srgb8"] = Format("srgb8", 0x8C43, 0x1908, 0x1401, 4, np.dtype(np.uint8))
    return rows


FORMATS = _table()  # of arrays
BY_NUMBER = {of.sized: of.name for of in FORMATS.values()}
# Others that a texture of the host may have. 0x81A5 ..: GL's sized depth formats.
OTHERS = {
    "rgb10a2": 0x8059, "r11g11b10f": 0x8C3A, "depth16": 0x81A5, "depth24": 0x81A6, "depth32": 0x81A7,
    "depth32f": 0x8CAC, "depth24_stencil8": 0x88F0, "depth32f_stencil8": 0x8CAD,
}  # yapf: disable
BY_NUMBER.update({number: name for name, number in OTHERS.items()})


def format_number(of: str | int) -> int:
    """GL's sized internal format, of a name ("rgba16f") or of that number itself."""
    if not isinstance(of, str):
        return integer("format", of, UINT32, "a name or GL's number of a sized internal format")
    if of in FORMATS:
        return FORMATS[of].sized
    if of in OTHERS:
        return OTHERS[of]
    raise ValueError(f"unknown format {shown(of)}; expected one of: {' '.join([*FORMATS, *OTHERS])}")


def find(dtype: np.dtype, channels: int) -> Format:
    """The smallest format of this type with at least so many channels."""
    return min((of for of in FORMATS.values() if of.dtype == dtype and of.channels >= channels and of.name != "srgb8"),
               key=lambda of: of.channels)


class GL:
    """The functions of a context by name."""

    def __init__(self, proc: Callable[[str], Optional[int]]):
        for name, (result, *arguments) in FUNCTIONS.items():
            address = proc(name)
            if address is not None:
                address = integer(f"gl_proc({name!r})", address, UINT64, "an address or None")
            if not address:
                raise RuntimeError(f"the context has no {name}; Afterglow needs OpenGL 4.3")
            setattr(self, name, CFUNCTYPE(result, *arguments)(address))

    def integer(self, what: int) -> int:
        value = (c_int32 * 16)()
        self.glGetIntegerv(what, value)
        return value[0]

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Restores the texture and buffer bindings and the pixel store that transfers change."""
        textures = {target: self.integer(binding) for target, binding in BINDINGS.items()}
        buffers = {target: self.integer(binding) for target, binding in BUFFERS.items()}
        store = {name: self.integer(name) for name in PIXEL_STORE}
        try:
            for target in buffers:
                self.glBindBuffer(target, 0)
            for name in store:
                self.glPixelStorei(name, 1 if name in ALIGNMENTS else 0)
            yield
        finally:
            for name, value in store.items():
                self.glPixelStorei(name, value)
            for target, buffer in buffers.items():
                self.glBindBuffer(target, buffer)
            for target, texture in textures.items():
                self.glBindTexture(target, texture)

    def drain(self) -> int:
        """Empties the error flag, and returns what was in it first."""
        first = error = self.glGetError()
        while error and error != 0x0507:  # GL_CONTEXT_LOST stays
            error = self.glGetError()
        return first


class Marker:
    """An object by which its context is known again: a later one may have the same address, and the same names."""

    def __init__(self, gl: GL):
        self.gl, self.label = gl, uuid.uuid4().hex.encode()
        self.name = gl.glCreateShader(COMPUTE_SHADER)
        gl.glObjectLabel(SHADER, self.name, len(self.label), self.label)

    def found(self) -> bool:
        """Whether the context that is current has it."""
        label = create_string_buffer(len(self.label) + 1)
        if self.gl.glIsShader(self.name):
            self.gl.glGetObjectLabel(SHADER, self.name, len(label), None, label)
        return label.value == self.label

    def delete(self) -> None:
        self.gl.glDeleteShader(self.name)


class Image:
    """A texture of our own; use it within `GL.kept`."""

    def __init__(self, gl: GL, label: str, of: Format, width: int, height: int, layers: int = 0, levels: int = 1):
        self.gl, self.format, self.width, self.height, self.layers, self.levels = gl, of, width, height, layers, levels
        self.target = TEXTURE_2D_ARRAY if layers else TEXTURE_2D
        self.name = 0
        limit, most = gl.integer(MAX_TEXTURE_SIZE), gl.integer(MAX_ARRAY_LAYERS)
        if width > limit or height > limit or layers > most:
            raise ValueError(f"{label}: {width}x{height} texels, {max(layers, 1)} layers; this GPU takes up to "
                             f"{limit}x{limit}, {most} layers")
        name = c_uint32()
        gl.drain()
        gl.glGenTextures(1, byref(name))
        self.name = name.value
        gl.glBindTexture(self.target, self.name)
        if layers:
            gl.glTexStorage3D(self.target, levels, of.sized, width, height, layers)
        else:
            gl.glTexStorage2D(self.target, levels, of.sized, width, height)
        # Without mipmaps the default filter would leave the texture incomplete.
        for parameter, value in ((MIN_FILTER, NEAREST), (MAG_FILTER, NEAREST), (MAX_LEVEL, levels - 1)):
            gl.glTexParameteri(self.target, parameter, value)
        error = gl.glGetError()
        if error:
            self.delete()
            raise MemoryError(f"{label}: a {of.name} texture of {width}x{height} texels cannot be created "
                              f"(GL error {error:#06x})")

    def write(self, texels: np.ndarray) -> None:
        """Texels of level 0: layers x height x width x channels, of the format's type, contiguous."""
        gl, of = self.gl, self.format
        gl.glBindTexture(self.target, self.name)
        if self.layers:
            gl.glTexSubImage3D(self.target, 0, 0, 0, 0, self.width, self.height, self.layers, of.components, of.type,
                               texels.ctypes.data)
        else:
            gl.glTexSubImage2D(self.target, 0, 0, 0, self.width, self.height, of.components, of.type,
                               texels.ctypes.data)

    def read(self, level: int = 0) -> np.ndarray:
        """A level: layers x height x width x channels."""
        of = self.format
        texels = np.empty((max(self.layers, 1), max(self.height >> level, 1), max(self.width >> level, 1), of.channels),
                          of.dtype)
        self.gl.glBindTexture(self.target, self.name)
        self.gl.drain()
        self.gl.glGetTexImage(self.target, level, of.components, of.type, texels.ctypes.data)
        error = self.gl.glGetError()
        if error:
            raise RuntimeError(f"the result cannot be read back (GL error {error:#06x})")
        return texels

    def delete(self) -> None:
        if self.name:
            self.gl.glDeleteTextures(1, byref(c_uint32(self.name)))
            self.name = 0
