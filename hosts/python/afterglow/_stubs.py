"""python -m afterglow._stubs: the stub file of the package, for type checkers and editors, from reflection."""
# SPDX-License-Identifier: MIT
from __future__ import annotations

from . import _abi as abi
from ._effects import Effect, Setting, effects

HEAD = '''"""Written by _stubs.py when the package was built."""
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, overload

import numpy as np
from typing_extensions import Unpack

from ._device import Device as Device, Error as Error
from ._effects import Effect as Effect, Setting as Setting, Slot as Slot, effects as effects
from ._pass import Pass as _Pass, Texture as Texture
from ._run import Output, run as run

__version__: str
'''

OPTIONS = ("device: Device | None = ...", "outputs: Sequence[str] | None = ...",
           "sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = ...",
           "formats: str | Mapping[str, str] | None = ...", "dt: float = ...")  # yapf: disable


def setting_type(setting: Setting) -> str:
    if setting.type == abi.ENUM:
        one = f"Literal[{', '.join(repr(name) for name in setting.names if name)}] | int"
    else:
        one = {abi.FLOAT: "float", abi.INT: "int", abi.BOOL: "bool"}[setting.type]
    return one if setting.count == 1 else f"Sequence[{one}] | np.ndarray"


def result_type(effect: Effect) -> str:
    written = [slot for slot in effect.slots if slot.writes]
    if len(written) > 1:  # optional ones too
        return "Output | dict[str, Output]"
    return "list[np.ndarray]" if written[0].levels else "np.ndarray"


def function(effect: Effect) -> str:
    inputs = [f"{slot.name}: np.ndarray" for slot in effect.inputs]
    if inputs:  # a dict of inputs instead
        inputs[0] = inputs[0].replace("np.ndarray", "np.ndarray | Mapping[str, np.ndarray]")
        inputs[1:] = [one + " = ..." for one in inputs[1:]]
    keywords = [f"{slot.name}: np.ndarray | None = ..." for slot in effect.slots
                if slot.reads and slot not in effect.inputs and slot.name not in effect.settings]  # yapf: disable
    keywords += [f"{setting.name}: {setting_type(setting)} = ..." for setting in effect.settings.values()]
    lines = [*inputs, "*", *keywords, *OPTIONS]
    documentation = effect.documentation.replace("\\", "\\\\").replace("\n", "\n    ")
    return (f"def {effect.id}(\n    " + ",\n    ".join(lines) + f",\n) -> {result_type(effect)}:\n"
            f'    """{documentation}\n    """\n')


def settings_of(effect: Effect) -> str:
    return f"_{effect.id} = TypedDict({'_' + effect.id!r}, {{\n" + "".join(
        f"    {setting.name!r}: {setting_type(setting)},\n" for setting in effect.settings.values()) + "}, total=False)\n"


def pass_classes() -> str:
    """A pass takes the settings of its effect, and has them as attributes.

    Those of a folder's pass are not known here: one of a Path takes any, and `Pass.set`, and the call looks. A string
    takes none, so that a setting of an effect that is spelt wrong is found.
    """
    start = "    @overload\n    def __new__(cls, effect: "
    end = ", device: Device | None = ..., *, restore: bool = ..."
    lines = ["class Pass(_Pass):\n"]
    lines += [f"{start}Literal[{id!r}]{end}, **settings: Unpack[_{id}]) -> _{id}_pass: ...\n" for id in effects]
    lines += [f"{start}os.PathLike[str]{end}, **settings: Any) -> _folder_pass: ...\n"]
    lines += [f"{start}str{end}) -> Pass: ...\n"]
    for effect in effects.values():
        lines += [f"\n\nclass _{effect.id}_pass(Pass):\n"]
        lines += [f"    {setting.name}: {setting_type(setting)}\n" for setting in effect.settings.values()]
    lines += ["\n\nclass _folder_pass(Pass):\n    def __getattr__(self, name: str) -> Any: ...\n"
              "    def __setattr__(self, name: str, value: Any) -> None: ...\n"]  # yapf: disable
    return "".join(lines)


def stubs() -> str:
    parts = [function(effect) for effect in effects.values()] + [settings_of(effect) for effect in effects.values()]
    return HEAD + "".join("\n\n" + part for part in [*parts, pass_classes()])


if __name__ == "__main__":
    print(stubs(), end="")
