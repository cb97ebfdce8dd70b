"""The filter in libobs makes what the command line makes of the same light; OBS complains of nothing, and leaks nothing."""
# SPDX-License-Identifier: MIT
import re
import subprocess

import numpy as np
import pytest

from conftest import BUILD, complaints, compress, decode, encode, expand

CODES = 1  # limit: OBS decodes to half floats and encodes on the GPU


def picture(random, height, width):
    """Dark noise with some bright texels, and an alpha of its own."""
    lights = random.random((height, width, 1)) < 0.01
    codes = np.rint(255 * random.random((height, width, 4)) ** np.where(lights, 0.1, 3)).astype(np.uint8)
    codes[..., 3] = random.integers(0, 256, (height, width))
    return codes


@pytest.fixture
def bloomed(command_line):
    """bloomed(codes, highlights, settings) -> codes that the filter shall make."""
    def run(codes, highlights=60, **settings):
        return encode(compress(command_line(expand(decode(codes), highlights), **settings), highlights))
    return run


def compare(result, wanted, limit=CODES):
    error = np.abs(result.astype(int) - wanted.astype(int)).max()
    print(f"largest difference {error} codes; limit {limit}")
    assert error <= limit


@pytest.mark.parametrize("kind", ["srgb", "codes"])
@pytest.mark.parametrize("size", [(90, 160), (61, 97), (1, 1)])
def test_sources_of_8_bits(random, obs, bloomed, kind, size):
    """Those that draw linear light when OBS asks for it, and those that always draw codes."""
    codes = picture(random, *size)
    obs.picture(kind, codes)
    obs.render()
    (result,), log = obs.run()
    assert not complaints(log)
    compare(result, bloomed(codes))
    assert size == (1, 1) or np.abs(result.astype(int) - codes.astype(int)).max() > 8  # it does something


def test_hdr(random, obs, command_line):
    """Light above white is kept. OBS's two draws sample linearly: they round, and some millionths of a neighbour get in."""
    linear = random.random((70, 110, 4)) ** 4
    linear[random.random((70, 110)) < 0.01, :3] *= 60
    linear = linear.astype(np.float16)
    obs.picture("hdr", linear)
    obs.render()
    (result,), log = obs.run()
    assert not complaints(log) and result.max() > 1
    wanted = command_line(linear)
    error = np.abs(result - wanted) / (np.abs(wanted) * 3 / 1024 + 1e-5 * wanted.max())
    print(f"largest difference {error.max():.3f} of the limit, 3 ulp of the value and 1e-5 of the largest value")
    assert error.max() <= 1


def test_settings_and_sizes_change(random, obs, bloomed):
    """Settings, also those that need new shaders, and the source's size, while OBS runs."""
    first, second = picture(random, 80, 120), picture(random, 45, 33)
    obs.picture("srgb", first)
    obs.render()
    obs.set(intensity=0.9)
    obs.render()
    obs.set(highlights=1)
    obs.render()
    obs.set(highlights=60)
    obs.set(shape="star", seed=9)
    obs.render()
    obs.picture("srgb", second)
    obs.render()
    obs.picture("srgb", first)
    obs.set(tint=0xFF00FF80, ghosts=3, ghost_intensity=0.1)  # 0xAABBGGRR
    obs.render()
    results, log = obs.run()
    assert not complaints(log)
    star = {"intensity": 0.9, "shape": "star", "seed": 9}
    compare(results[0], bloomed(first))
    compare(results[1], bloomed(first, intensity=0.9))
    compare(results[2], bloomed(first, 1, intensity=0.9))
    compare(results[3], bloomed(first, **star))
    compare(results[4], bloomed(second, **star))
    red = ((128 / 255 + 0.055) / 1.055) ** 2.4
    compare(results[5], bloomed(first, **star, tint=f"{red},1,0", ghosts=3, ghost_intensity=0.1))
    assert all((results[a] != results[b]).any() for a, b in [(0, 1), (1, 2), (1, 3), (3, 5)])


def test_many_frames(random, obs, bloomed):
    """Frame after frame is the same: nothing of OBS's state is spoilt."""
    codes = picture(random, 48, 64)
    obs.picture("srgb", codes)
    for _ in range(60):
        obs.render()
    results, log = obs.run()
    assert not complaints(log)
    assert all((result == results[0]).all() for result in results)
    compare(results[0], bloomed(codes))


@pytest.mark.parametrize("wrong,message", [
    ({"intensity": 2}, "bloom: setting intensity is 2; its range is 0 .. 1"),
    ({"shape": "texture"}, "bloom: shape is texture, but slot kernel_image is empty"),
    ({"size": "nan"}, "bloom: setting size is nan; its range is 0 .. 2"),
])
def test_a_wrong_setting(random, obs, wrong, message):
    """OBS's own interface does not give one, but scripts do: the source is drawn without bloom, the log says why once."""
    codes = picture(random, 40, 56)
    obs.picture("srgb", codes)
    obs.steps.append("unfiltered")
    obs.set(**wrong)
    for _ in range(40):
        obs.render()
    results, log = obs.run()
    assert complaints(log) == [f"error: [afterglow] {message}"]
    compare(results[-1], codes, 0)


def test_no_library(random, obs):
    codes = picture(random, 40, 56)
    obs.steps.append("unfiltered")
    obs.picture("srgb", codes)
    obs.render()
    (result,), log = obs.run(AFTERGLOW_LIBRARY="/nowhere.so")
    said = [line for line in complaints(log) if "[afterglow]" in line]
    assert len(said) == 1 and "Afterglow's library cannot be loaded: /nowhere.so: cannot open" in said[0]
    compare(result, codes, 0)


def test_a_context_of_version_3_3(random, obs, bloomed):
    """What OBS asks for: a driver may give no more, and the library takes it by what it can do."""
    codes = picture(random, 40, 56)
    obs.picture("srgb", codes)
    obs.render()
    (result,), log = obs.run(MESA_GL_VERSION_OVERRIDE="3.3")
    assert "version 3.3" in log and not complaints(log)
    compare(result, bloomed(codes))


def test_properties(obs):
    """Each setting that the command line lists has a property with its range, but for those that OBS has no use for."""
    listed = subprocess.run([BUILD / "bin" / "afterglow", "list", "bloom"], capture_output=True, text=True, check=True).stdout
    wanted = {"highlights": "float 1 200"}
    for line in listed[listed.index("\n  settings\n"):].splitlines():
        found = re.match(r"    (\w+) +(float|int|bool|enum) ([^,]*)(, 3 values)?", line)
        if found:
            name, kind, values, three = found.groups()
            values = values.strip().replace("..", " ").replace(" | ", " ")
            wanted[name] = "color" if three else {"enum": values, "bool": ""}.get(kind, f"{kind} {values}")
    wanted["shape"] = wanted["shape"].replace(" texture", "")
    for name in ("output", "scrub", "kernel_fit", "dirt_intensity", "grid", "transfer", "gain"):
        wanted.pop(name, None)
    obs.steps.append("properties")
    _, log = obs.run()
    has = {line.split()[1]: " ".join(line.split()[2:]) for line in log.splitlines() if line.startswith("property ")}
    assert has == wanted and len(has) > 15
