"""What the elements make is what the command line makes: the same codes, because the same programs run."""
# SPDX-License-Identifier: MIT
import re
import subprocess

import numpy as np
import pytest

from conftest import BUILD, CHANNELS, ROOT, launch, rows

BLOOM = "shape=aperture intensity=0.6 size=0.5 tint=1,0.5,0.25"


def picture(random, height, width, layout="RGBA"):
    """Dark noise with some bright texels, so that a bloom is seen."""
    most = np.array([1023, 1023, 1023, 3]) if layout == "RGB10A2_LE" else 255
    shape = (height, width, 4) if CHANNELS[layout] == 4 else (height, width)
    lights = random.random((height, width)) < 0.01
    values = random.random(shape) ** np.where(lights, 0.1, 4).reshape(lights.shape + (1,) * (len(shape) - 2))
    return np.rint(values * most).astype(np.uint32 if layout == "RGB10A2_LE" else np.uint8)


def compare(result, wanted, limit=0):
    error = np.abs(result.astype(int) - wanted.astype(int)).max()
    print(f"largest difference {error} codes; limit {limit}")
    assert result.shape == wanted.shape and error <= limit


@pytest.mark.parametrize("layout", ["RGBA", "RGBx", "RGB10A2_LE", "GRAY8"])
@pytest.mark.parametrize("size", [(64, 48), (97, 61), (1, 1)])
def test_formats(random, through, command_line, layout, size):
    one = picture(random, *size[::-1], layout)
    result = through(one[None], f"afterglow settings={BLOOM.replace(' ', ';')}", layout)
    assert len(result) == 1
    compare(result[0], command_line(one, "bloom", BLOOM, layout))
    assert size == (1, 1) or np.abs(result[0].astype(int) - one.astype(int)).max() > 8  # it does something


@pytest.mark.parametrize("element,effect,settings", [
    ("afterglow-bloom", "bloom", "shape=star intensity=0.4 seed=7"),
    ("afterglow-bloom", "bloom", "intensity=0.5 resolution=half scrub=off"),
    ("afterglow-box-blur", "box_blur", "radius=5"),
    ("afterglow-denoise", "denoise", "strength=2"),
    ("afterglow-filter-spectrum", "filter_spectrum", "cutoff=0.2"),
    ("afterglow-spectrum", "spectrum", "range=60"),
])
def test_effects(random, through, command_line, element, effect, settings):
    one = picture(random, 62, 75)
    typed = settings.replace("=off", "=false")
    compare(through(one[None], f"{element} {typed}")[0], command_line(one, effect, settings))
    generic = settings.replace(" ", ";")
    compare(through(one[None], f"afterglow effect={effect} settings={generic}")[0],
            command_line(one, effect, settings))


@pytest.mark.parametrize("folder,settings", [("film_grain", "strength=0.3 values=codes"), ("sharpen", "amount=0.8"),
                                             ("tone_map", "curve=agx ev=-1")])
def test_a_pass_of_a_folder(random, through, command_line, folder, settings):
    one, path = picture(random, 62, 75), ROOT / "passes" / folder
    wanted = command_line(one, str(path), settings)
    compare(through(one[None], f"afterglow effect={path} settings={settings.replace(' ', ';')}")[0], wanted)
    assert np.abs(wanted.astype(int) - one.astype(int)).max() > 8  # it does something


def test_arrays_and_dashes(random, through, command_line):
    one = picture(random, 40, 50)
    result = through(one[None], "afterglow-bloom tint=<1,0.5,0.25> ghosts=3 ghost-intensity=0.3")
    compare(result[0], command_line(one, "bloom", "tint=1,0.5,0.25 ghosts=3 ghost_intensity=0.3"))


def test_a_context_of_version_3_3(random, through, command_line):
    """The library takes a context by what it can do."""
    one = picture(random, 40, 50)
    compare(through(one[None], "afterglow-bloom", MESA_GL_VERSION_OVERRIDE="3.3")[0], command_line(one, "bloom"))


def test_properties():
    """Each setting that the command line lists is a property, with its range."""
    listed = subprocess.run([BUILD / "bin" / "afterglow", "list", "bloom"], capture_output=True, text=True, check=True).stdout
    shown = subprocess.run(["gst-inspect-1.0", "afterglow-bloom"], capture_output=True, text=True, check=True).stdout
    settings = re.findall(r"^    (\w+) +(float|int|bool|enum) ", listed[listed.index("\n  settings\n"):], re.M)
    assert len(settings) > 20
    for name, _ in settings:
        assert re.search(rf"^  {name.replace('_', '-')} +: ", shown, re.M), name
    assert re.search(r"Float. Range: +0 - +1 Default: +0.3 ", shown) and re.search(r"Integer. Range: 3 - 16 Default: 6", shown)
    assert all(f": {shape} " in shown for shape in ("gaussian", "aperture", "star", "anamorphic"))


@pytest.mark.parametrize("size", [(31, 17), (64, 100), (1, 1)])
def test_downsample_to_the_size_that_follows(random, through, command_line, size):
    one = picture(random, 100, 131)
    result = through(one[None], "afterglow-downsample", size=size)
    compare(result[0], command_line(one, "downsample", size=size))


def test_300_frames(random, tmp_path, command_line):
    """Every frame is written; some are compared, the first and the last among them."""
    size = "width=90,height=70,framerate=30/1"
    launch(f"videotestsrc pattern=ball num-buffers=300 ! video/x-raw,format=RGBA,{size} ! tee name=t",
           f"t. ! queue ! filesink location={tmp_path}/before.raw",
           "t. ! queue ! glupload ! afterglow settings=intensity=0.5;shape=aperture ! gldownload !",
           f"video/x-raw,format=RGBA,{size} ! filesink location={tmp_path}/after.raw")
    before, after = (rows((tmp_path / f"{name}.raw").read_bytes(), (70, 90), "RGBA") for name in ("before", "after"))
    assert len(before) == len(after) == 300
    for i in [0, 299, *random.integers(1, 299, 3)]:
        compare(after[i], command_line(before[i], "bloom", "intensity=0.5 shape=aperture"))
    assert (before[0] != before[299]).any()


def test_the_size_changes_in_the_stream(tmp_path, command_line):
    """Four sources one after the other: smaller, wider, and the first size again. All frames are compared."""
    sizes = [(120, 90), (61, 43), (200, 30), (120, 90)]
    sources = [f"videotestsrc pattern=ball num-buffers=5 ! video/x-raw,format=RGBA,width={w},height={h},framerate=25/1"
               for w, h in sizes]
    launch("concat name=c ! glupload ! afterglow-bloom intensity=0.5 ! gldownload !",
           f"multifilesink location={tmp_path}/%02d.raw", *(f"{source} ! c." for source in sources))
    for part, (width, height) in enumerate(sizes):
        launch(sources[part], f"! filesink location={tmp_path}/source.raw")
        frames = rows((tmp_path / "source.raw").read_bytes(), (height, width), "RGBA")
        for i, frame in enumerate(frames):
            result = rows((tmp_path / f"{part * 5 + i:02}.raw").read_bytes(), (height, width), "RGBA")[0]
            compare(result, command_line(frame, "bloom", "intensity=0.5"))
