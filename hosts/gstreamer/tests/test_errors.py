"""What is wrong is an error message on the bus, in the module's words."""
# SPDX-License-Identifier: MIT
import os
import subprocess

import pytest

from conftest import ROOT, launch

SOURCE = "videotestsrc num-buffers=3 ! video/x-raw,format=RGBA,width=64,height=48 ! glupload !"


@pytest.mark.parametrize("element,message", [
    ("afterglow settings=intensity=2", "bloom: setting intensity is 2; its range is 0 .. 1"),
    ("afterglow settings=intensity=nan", "bloom: setting intensity is nan; its range is 0 .. 1"),
    ("afterglow settings=blades=2", "bloom: setting blades is 2; its range is 3 .. 16"),
    ("afterglow settings=blades=6.5", "bloom: blades is 6.5; expected an integer"),
    ("afterglow settings=shape=starfish", "bloom: shape is starfish; expected one of: gaussian aperture"),
    ("afterglow settings=tint=1,2", "bloom: tint is 1,2; expected 3 values with commas between, each a number"),
    ("afterglow settings=intensity", "bloom: \"intensity\" is no setting; expected NAME=VALUE"),
    ("afterglow settings=strength=1", "bloom has no setting strength; expected one of: intensity size"),
    ("afterglow settings=shape=texture", "bloom: shape is texture, but slot kernel_image is empty"),
    ("afterglow effect=blom", "there is no effect blom; expected one of: bloom convolve"),
    ("afterglow effect=convolve", "convolve does not make one picture of one picture"),
    ("afterglow effect=/nowhere/grain", 'pass_load: "/nowhere/grain" is no folder that can be read'),
    ("afterglow effect=PASSES/film_grain settings=strenght=1",
     "film_grain has no setting strenght; expected one of: strength"),
    ("afterglow effect=PASSES/film_grain settings=strength=7", "film_grain: setting strength is 7; its range is 0 .. 1"),
])
def test_wrong(element, message):
    printed = launch(SOURCE, element.replace("PASSES", str(ROOT / "passes")), "! gldownload ! fakesink", right=False)
    assert f"ERROR: from element /GstPipeline:pipeline0/GstAfterglow:afterglow0: {message}" in printed, printed


def test_no_library():
    printed = launch(SOURCE, "afterglow ! gldownload ! fakesink", right=False, AFTERGLOW_LIBRARY="/nowhere.so")
    assert "Afterglow's library cannot be loaded: /nowhere.so: cannot open shared object file" in printed, printed


def test_another_library():
    printed = launch(SOURCE, "afterglow ! gldownload ! fakesink", right=False, AFTERGLOW_LIBRARY="libm.so.6")
    assert "libm.so.6 has no symbol ag_entry_v1" in printed, printed


def test_without_the_library_there_is_the_one_element():
    """GStreamer's registry follows the variable: the other elements go, and come back."""
    def elements(**environment):
        lines = subprocess.run(["gst-inspect-1.0"], capture_output=True, text=True, check=True,
                               env={**os.environ, **environment}).stdout.splitlines()
        return sum(line.startswith("afterglow:") for line in lines)
    assert elements() > 5
    assert elements(AFTERGLOW_LIBRARY="/nowhere.so") == 1
    assert elements() > 5


@pytest.mark.parametrize("api", ["gles2", "opengl"])
def test_a_context_that_is_no_core_profile(api):
    """Not every machine's EGL gives each API; where it does, Afterglow's element does not take the context."""
    printed = launch(SOURCE, "afterglow ! gldownload ! fakesink", right=False, GST_GL_API=api)
    assert api in printed, printed


def test_shaders_that_do_not_compile(tmp_path):
    """The library's own are used instead, and a warning on the bus says why, once."""
    printed = launch(SOURCE, f"afterglow shader-dir={tmp_path} ! gldownload ! fakesink", quiet=False)
    assert printed.count("WARNING: from element /GstPipeline:pipeline0/GstAfterglow:afterglow0: cannot read") == 1, printed
