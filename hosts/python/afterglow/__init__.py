"""Afterglow: GPU post-processing by OpenGL compute, for NumPy arrays and for textures of other libraries.

`afterglow.bloom(array, intensity=0.2)`, and so for each effect; `afterglow.run(effect, inputs, **settings)` for all.
`afterglow.Pass` works on textures of an OpenGL context of yours. `afterglow.effects` describes slots and settings.
"""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import inspect
from typing import Any, Optional

import numpy as np

from ._abi import api as _api
from ._device import Device, Error
from ._effects import Effect, Setting, Slot, effects
from ._pass import Pass, Texture
from ._run import Inputs, run
from ._run import apply as _apply

__version__: str = _api.version.decode()
__all__ = ["Device", "Effect", "Error", "Pass", "Setting", "Slot", "Texture", "effects", "run", *effects]

_OPTIONS = ("device", "outputs", "sizes", "formats", "dt")


def _function(effect: Effect):
    """The function of an effect: its inputs, then keywords for optional inputs, settings and the options of `run`.

    An optional input that has the name of a setting (box_blur's `radius`) is given in a dict of inputs, as in `run`.
    """
    optional = [slot.name for slot in effect.slots
                if slot.reads and slot not in effect.inputs and slot.name not in effect.settings]  # yapf: disable

    def function(*inputs, **keywords):
        if len(inputs) == 1 and isinstance(inputs[0], dict):
            named = dict(inputs[0])
        else:
            if len(inputs) > len(effect.inputs):
                raise TypeError(f"{effect.id}: {len(inputs)} inputs; expected {len(effect.inputs)}, others by name")
            named = {slot.name: array for slot, array in zip(effect.inputs, inputs)}
        for name in [*(slot.name for slot in effect.inputs), *optional]:
            if name in keywords:
                if name in named:
                    raise TypeError(f"{effect.id}: {name} is given twice")
                named[name] = keywords.pop(name)
        chosen = {name: keywords.pop(name) for name in _OPTIONS if name in keywords}
        return _apply(effect, named, keywords, **chosen)

    options = inspect.signature(run, eval_str=True).parameters
    kinds = inspect.Parameter
    parameters = [kinds(slot.name, kinds.POSITIONAL_OR_KEYWORD, annotation=np.ndarray) for slot in effect.inputs]
    parameters += [kinds(name, kinds.KEYWORD_ONLY, default=None, annotation=Optional[np.ndarray])
                   for name in optional]  # yapf: disable
    parameters += [kinds(setting.name, kinds.KEYWORD_ONLY, default=setting.default, annotation=setting.annotation)
                   for setting in effect.settings.values()]  # yapf: disable
    parameters += [options[name] for name in _OPTIONS]
    result: Any = options and inspect.signature(run, eval_str=True).return_annotation
    function.__name__ = function.__qualname__ = effect.id
    function.__module__ = __name__
    function.__signature__ = inspect.Signature(parameters, return_annotation=result)
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters} | {"return": result}
    function.__doc__ = effect.documentation + "\n\nInputs, results and the options are those of `afterglow.run`."
    return function


for _effect in effects.values():
    globals()[_effect.id] = _function(_effect)
del _effect
