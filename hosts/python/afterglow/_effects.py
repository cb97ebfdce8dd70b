"""The effects by reflection: slots, settings, documentation, and settings structs from keyword arguments."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import itertools
import operator
from ctypes import byref, c_uint32
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Mapping, Optional

from . import _abi as abi
from ._arguments import INT32, listed, number, shown, text
from ._gl import BY_NUMBER


@dataclass(frozen=True)
class Slot:
    """A texture that an effect reads or writes."""
    name: str
    help: str
    access: int  # AG_READ | AG_WRITE | AG_OPTIONAL | AG_STATE | AG_LEVELS
    formats: tuple[int, ...]  # sized GL internal formats

    @property
    def reads(self) -> bool:
        return bool(self.access & abi.READ)

    @property
    def writes(self) -> bool:
        return bool(self.access & abi.WRITE)

    @property
    def optional(self) -> bool:
        return bool(self.access & abi.OPTIONAL)

    @property
    def state(self) -> bool:
        return bool(self.access & abi.STATE)

    @property
    def levels(self) -> bool:
        return bool(self.access & abi.LEVELS)

    @property
    def format_names(self) -> str:
        return " ".join(BY_NUMBER.get(number, hex(number)) for number in self.formats)


@dataclass(frozen=True)
class Setting:
    """A member of an effect's settings struct."""
    name: str
    unit: str
    help: str
    type: int  # AG_FLOAT, AG_INT, AG_BOOL, AG_ENUM
    offset: int
    count: int
    min: float
    max: float
    initial: tuple[float, ...]
    names: tuple[Optional[str], ...]  # of AG_ENUM

    @property
    def default(self) -> Any:
        """The default as one would write it: a number, a bool, a name or a tuple."""
        values = tuple(self._python(value) for value in self.initial)
        return values if self.count > 1 else values[0]

    def _python(self, value: float) -> Any:
        if self.type == abi.FLOAT:
            return float(f"{value:.7g}")  # floats of 32 bits, without the digits that doubles add
        if self.type == abi.BOOL:
            return bool(value)
        if self.type == abi.ENUM and 0 <= value < len(self.names) and self.names[int(value)]:
            return self.names[int(value)]
        return int(value)

    @property
    def annotation(self) -> Any:
        one = {abi.FLOAT: float, abi.INT: int, abi.BOOL: bool, abi.ENUM: str}[self.type]
        return tuple[(one,) * self.count] if self.count > 1 else one

    @property
    def range(self) -> str:
        """In words, for documentation."""
        if self.type == abi.ENUM:
            return " | ".join(name for name in self.names if name)
        return "True or False" if self.type == abi.BOOL else f"{self.min:.9g} .. {self.max:.9g}"

    def _encode(self, effect: str, value: Any) -> list:
        """`count` values for the struct. What only the module can judge, such as the range, is left to it."""
        if self.count == 1:
            return [self._encode_one(effect, value)]
        try:
            values = list(itertools.islice(value, self.count + 1))
        except TypeError:
            values = []
        if len(values) != self.count:
            raise TypeError(f"{effect}: {self.name} takes {self.count} values, got {shown(value)}")
        return [self._encode_one(effect, one) for one in values]

    def _encode_one(self, effect: str, value: Any):
        label = f"{effect}: {self.name}"
        if self.type == abi.FLOAT:
            return number(label, value)
        if self.type == abi.ENUM and isinstance(value, str):
            if value in self.names:
                return self.names.index(value)
            raise ValueError(f"{label} is {shown(value)}; expected one of: "
                             f"{listed((name for name in self.names if name), value)}")
        try:
            whole = operator.index(value)
        except TypeError:
            what = "a name or an int" if self.type == abi.ENUM else "an int"
            raise TypeError(f"{label} takes {what}, got {shown(value)}") from None
        if not INT32[0] <= whole <= INT32[1]:
            raise ValueError(f"{label} is {shown(whole)}; expected {self.range}")
        return whole


@dataclass(frozen=True)
class Effect:
    """What an effect reads, writes and can be set to."""
    id: str
    help: str
    slots: tuple[Slot, ...]
    settings: Mapping[str, Setting]
    settings_size: int
    tag: int
    loaded: bool = False  # from a folder: one device knows it

    def slot(self, name: str) -> Slot:
        return self.slots[self.index(name)]

    def index(self, name: str) -> int:
        for i, slot in enumerate(self.slots):
            if isinstance(name, str) and slot.name == name:
                return i
        names = listed((slot.name for slot in self.slots), name)
        raise TypeError(f"{self.id} has no slot {shown(name)}; it has: {names}")

    @property
    def inputs(self) -> tuple[Slot, ...]:
        """The slots that must be given, in the order of positional arguments."""
        return tuple(slot for slot in self.slots if slot.reads and not slot.optional and not slot.state)

    def _partner(self, slot: Slot) -> Optional[Slot]:
        """The slot of the imaginary part, if this one is of the real part of complex data."""
        return next((other for other in self.slots if other.name == slot.name + "_imag"), None)

    def _struct(self, values: Mapping[str, Any]) -> ctypes.Array:
        """The settings struct: defaults, then these values."""
        block = ctypes.create_string_buffer(self.settings_size)
        if self.loaded:
            ctypes.memmove(block, (c_uint32 * 2)(self.settings_size, self.tag), 8)
            self._change(block, {setting.name: setting.default for setting in self.settings.values()})
            self._change(block, values)
            return block
        status = abi.api.defaults(self.id.encode(), block, self.settings_size)
        if status < 0:
            raise RuntimeError(f"{self.id}: {abi.api.status_text(status).decode()}")
        self._change(block, values)
        return block

    def _change(self, block: ctypes.Array, values: Mapping[str, Any]) -> None:
        """Writes these values into a settings struct: all or, if one is wrong, none."""
        writes = []
        for name, value in values.items():
            setting = self.settings.get(name)
            if setting is None:
                raise TypeError(f"{self.id} has no setting {shown(name)}; it has: {listed(self.settings, name)}")
            kind = ctypes.c_float if setting.type == abi.FLOAT else ctypes.c_int32
            writes.append((setting.offset, (kind * setting.count)(*setting._encode(self.id, value))))
        for offset, data in writes:
            ctypes.memmove(ctypes.addressof(block) + offset, data, ctypes.sizeof(data))

    def _value(self, block: ctypes.Array, name: str) -> Any:
        """A setting of a struct, as `Setting.default` has it; None if the effect has no such setting."""
        setting = self.settings.get(name)
        if setting is None:
            return None
        kind = ctypes.c_float if setting.type == abi.FLOAT else ctypes.c_int32
        data = (kind * setting.count).from_buffer_copy(block, setting.offset)
        values = tuple(setting._python(value) for value in data)
        return values if setting.count > 1 else values[0]

    @property
    def documentation(self) -> str:
        """The description of slots and settings, for docstrings."""
        lines = [f"{self.help[:1].upper()}{self.help[1:]}.", "", "Slots:"]
        for slot in self.slots:
            way = ("state" if slot.state else "read and write" if slot.reads and slot.writes
                   else "read" if slot.reads else "write")  # yapf: disable
            lines.append(f"    {slot.name} ({way}{', optional' if slot.optional else ''}): {slot.help}")
        lines += ["", "Settings:"]
        for setting in self.settings.values():
            kind = {abi.FLOAT: "float", abi.INT: "int", abi.BOOL: "bool", abi.ENUM: "str"}[setting.type]
            many = f"{setting.count} of " if setting.count > 1 else ""
            unit = f" {setting.unit}" if setting.unit else ""
            lines.append(f"    {setting.name} ({many}{kind}, {setting.range}{unit}, default {setting.default!r}): "
                         f"{setting.help}")
        return "\n".join(lines)


def _text(data: Optional[bytes]) -> str:
    return (data or b"").decode()


def _slot(address: int) -> Slot:
    info = abi.SlotInfo.from_address(address)
    return Slot(_text(info.name), _text(info.help), info.access, tuple(info.formats[:info.format_count]))


def _setting(address: int) -> Setting:
    info = abi.SettingInfo.from_address(address)
    names = tuple(name.decode() if name else None for name in info.names[:info.name_count]) if info.names else ()
    return Setting(_text(info.name), _text(info.unit), _text(info.help), info.type, info.offset, info.count, info.min,
                   info.max, tuple(info.initial[:info.count]), names)


def reflect(info: abi.EffectInfo, loaded: bool = False) -> Effect:
    settings = [_setting(info.settings + k * info.setting_stride) for k in range(info.setting_count)]
    return Effect(
        _text(info.id), _text(info.help),
        tuple(_slot(info.slots + k * info.slot_stride) for k in range(info.slot_count)),
        MappingProxyType({setting.name: setting for setting in settings}), info.settings_size, info.settings_tag,
        loaded)


def _reflect() -> Mapping[str, Effect]:
    count = c_uint32()
    rows = abi.api.effects(byref(count))
    found = (reflect(rows[i].contents) for i in range(count.value))
    return MappingProxyType({effect.id: effect for effect in found})


effects: Mapping[str, Effect] = _reflect()


def effect_named(name: str) -> Effect:
    if text("effect", name, "the name of an effect") in effects:
        return effects[name]
    raise ValueError(f"unknown effect {shown(name)}; expected one of: {listed(effects, name)}")
