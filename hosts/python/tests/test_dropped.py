"""Devices and passes that are dropped without `close`: their memory and GL objects go, and nobody else's."""
# SPDX-License-Identifier: MIT
import ctypes
import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import afterglow
from afterglow import _context, _device

moderngl = pytest.importorskip("moderngl", reason="moderngl is not installed: pip install moderngl")


def create():
    return moderngl.create_context(standalone=True, backend="egl", require=430)


@pytest.fixture
def context():
    gc.collect()
    context = create()
    yield context
    gc.collect()
    with afterglow.Device():
        pass  # collects what the test has dropped
    assert not _device._dropped
    assert context.error == "GL_NO_ERROR"
    context.release()


def bytes_used() -> int:
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def used(context, device=None):
    """A pass that was used."""
    src, state = context.texture((16, 16), 4, dtype="f4"), context.texture((1, 1), 4, dtype="f4")
    one = afterglow.Pass("exposure", device)
    one(src=src, state=state)
    for texture in (src, state):
        one.forget(texture)
        texture.release()
    return one


def objects() -> int:
    """How many programs, shaders, buffers and textures the context has."""
    proc = _context.current().proc
    kinds = [ctypes.CFUNCTYPE(ctypes.c_uint8, ctypes.c_uint32)(proc(f"glIs{kind}"))
             for kind in ("Program", "Shader", "Buffer", "Texture")]
    return sum(kind(name) for kind in kinds for name in range(1, 4000))


def in_a_cycle(one):
    one._itself = one


@pytest.mark.parametrize("hold", [lambda one: None, in_a_cycle])
def test_memory(context, hold):
    """What 100 dropped passes leave behind, against what they would keep: 141 KiB each."""
    with afterglow.Device() as device:
        for i in range(130):
            hold(used(context))
            if i % 10 == 0:
                gc.collect()
            if i == 29:
                gc.collect()
                existed, before = objects(), bytes_used()
        gc.collect()
        device.frame()
        grown = bytes_used() - before
        print(f"{grown / 1024:.0f} KiB more; limit 4096; {objects()} GL objects, {existed} before")
        assert grown < 4 << 20
        assert objects() <= existed


def test_passes_of_a_device(context):
    with afterglow.Device() as device:
        keep = used(context, device)
        numbers = []
        for _ in range(8):
            used(context, device)
            gc.collect()
            device.frame()
            assert not device._held.passes
            numbers.append(objects())
        assert numbers[0] > 0 and max(numbers) == numbers[0], numbers
        dropped = used(context, device)
        del dropped
    with pytest.raises(RuntimeError, match="closed"):
        keep.gpu_time()
    keep.close()


def test_elsewhere(context):
    """Dropped on a thread without a context, and while another context is current: deleted where the own one is."""
    device = [used(context)]
    thread = threading.Thread(target=lambda: (device.clear(), gc.collect()))
    thread.start()
    thread.join()
    assert len(_device._dropped) == 1
    other = create()
    with afterglow.Device() as unrelated:
        unrelated.frame()
        assert len(_device._dropped) == 1
    context.__enter__()
    with afterglow.Device():
        assert not _device._dropped
    other.release()


def survivor(context):
    """Textures and programs of the names that another context's device had."""
    image = np.arange(64, dtype=np.float32).reshape(4, 4, 4)
    made = [context.texture((4, 4), 4, image.tobytes(), dtype="f4") for _ in range(30)]
    programs = [context.compute_shader("#version 430\nlayout(local_size_x = 1) in;\nvoid main() {}") for _ in range(30)]

    def check():
        assert all(one.read() == image.tobytes() for one in made)
        for one in programs:
            one.run(1)
        assert context.error == "GL_NO_ERROR"

    return check


def test_after_the_context_is_gone(context):
    old = create()
    dropped = used(old)
    old.release()
    del old, dropped
    gc.collect()
    context.__enter__()
    check = survivor(context)
    assert len(_device._dropped) == 1
    with afterglow.Device():
        assert not _device._dropped
    check()


def test_a_later_context_at_the_same_address(context):
    """A driver may give an address again, so the address does not tell which context it is."""
    old = create()
    dropped = used(old)
    dropped.device._held.is_current = lambda: True
    old.release()
    del old, dropped
    gc.collect()
    context.__enter__()
    check = survivor(context)
    with afterglow.Device():
        assert not _device._dropped
    check()


def test_a_loader_of_ones_own(context):
    """Without is_current nobody knows whether its context is current. So GL is left alone, and a warning says so."""
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglGetProcAddress.restype, egl.eglGetProcAddress.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    load = lambda name: egl.eglGetProcAddress(name.encode())
    check = survivor(context)
    answers = [True] * 40
    for is_current in (None, lambda: answers.pop()):  # which raises in the end
        dropped = afterglow.Device(load, is_current=is_current)
        answers.clear()
        del dropped
        gc.collect()
        with pytest.warns(ResourceWarning, match="was not closed"):
            with afterglow.Device(load):
                pass
        answers += [True] * 40
    check()
    assert not _device._dropped


def test_an_is_current_that_refers_to_the_device(context):
    """A cycle through the module's callbacks is found by the garbage collector, too."""

    def cycle():
        devices = []
        devices.append(afterglow.Device(_context.current().proc, is_current=lambda: devices is not None))
        devices[0].frame()

    cycle()
    gc.collect()
    assert len(_device._dropped) == 1
    with afterglow.Device():
        assert not _device._dropped


def test_failures_leave_nothing(context):
    with afterglow.Device():
        pass
    for wrong in ({"intensity": "much"}, {"nothing": 1}):
        with pytest.raises(TypeError):
            afterglow.Pass("bloom", **wrong)
    gc.collect()
    assert not _device._dropped


def test_a_process_ends_quietly():
    """With all kinds of things alive: nothing on stderr, exit status 0."""
    code = """if True:
        import afterglow, moderngl
        context = moderngl.create_context(standalone=True, backend="egl", require=430)
        kept, dropped, in_cycle = (afterglow.Pass("bloom") for _ in range(3))
        in_cycle._itself = in_cycle
        device = afterglow.Device()
        of_device = afterglow.Pass("bloom", device)
        del dropped, in_cycle
        """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
