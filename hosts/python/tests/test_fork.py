"""After a fork: an exception where the parent had used OpenGL, results where it had not, and never a hang."""
# SPDX-License-Identifier: MIT
import subprocess
import sys

import pytest

HEAD = """if True:
    import multiprocessing, os, sys, threading, time, traceback
    import numpy as np
    import afterglow
    IMAGE = np.linspace(0, 9, 600, dtype=np.float32).reshape(20, 30)

    def blur(image=IMAGE):
        return afterglow.box_blur(image, radius=2)

    def refused(call):
        try:
            call()
        except RuntimeError as reason:
            return "was forked" in str(reason) and "expected" in str(reason)
        return False

    def child(work, leave=os._exit):
        pid = os.fork()
        if pid == 0:
            try:
                good = work()
            except BaseException:
                traceback.print_exc()
                good = False
            leave(0 if good else 1)
        assert os.waitpid(pid, 0)[1] == 0
"""


def run(code: str) -> None:
    """In a process of its own, which a child that hangs cannot outlive."""
    process = subprocess.Popen([sys.executable, "-c", HEAD + code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, start_new_session=True)
    try:
        said = process.communicate(timeout=120)[0]
    except subprocess.TimeoutExpired:
        subprocess.run(["kill", "-KILL", "--", f"-{process.pid}"], check=True)
        pytest.fail(f"a child hangs; {process.communicate()[0]}")
    assert process.returncode == 0, said


@pytest.mark.parametrize("leave", ["os._exit", "sys.exit"])
def test_after_a_run(leave):
    run(f"""
    expected = blur()
    child(lambda: refused(blur) and refused(afterglow.Device) and refused(lambda: afterglow.Pass("bloom")), {leave})
    child(lambda: True, {leave})
    np.testing.assert_array_equal(blur(), expected)
    """)


def test_before_the_first_run():
    run("""
    def work():
        before = blur()
        child(lambda: refused(blur))  # of a child that has used it
        return np.ptp(before) > 0 and np.array_equal(blur(), before)
    child(work)
    child(lambda: os.fork() or work())
    assert blur().shape == IMAGE.shape
    """)


@pytest.mark.parametrize("where", ["multiprocessing.get_context('fork').Pool(2)",
                                   "__import__('concurrent.futures').futures.ProcessPoolExecutor(2, "
                                   "multiprocessing.get_context('fork'))"])
def test_multiprocessing(where):
    run(f"""
    with {where} as workers:  # started before the first run
        before = list(workers.map(blur, [IMAGE, IMAGE]))
    expected = blur()
    assert all(np.array_equal(one, expected) for one in before)
    with {where} as workers:
        assert refused(lambda: list(workers.map(blur, [IMAGE, IMAGE])))
    """)


def test_spawn(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("""
import multiprocessing
import numpy as np
import afterglow
if __name__ == "__main__":
    image = np.ones((20, 30), np.float32)
    expected = afterglow.box_blur(image)
    with multiprocessing.get_context("spawn").Pool(2) as workers:
        assert all(np.array_equal(one, expected) for one in workers.map(afterglow.box_blur, [image, image]))
""")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr


def test_while_another_thread_works():
    run("""
    inside, leave = threading.Event(), threading.Event()
    from afterglow import _run
    def hold():
        with _run._lock:
            inside.set()
            leave.wait()
    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait()
    child(lambda: blur().shape == IMAGE.shape)
    leave.set()
    thread.join()
    expected = blur()
    stop = threading.Event()
    thread = threading.Thread(target=lambda: [blur() for _ in iter(stop.is_set, True)])
    thread.start()
    for _ in range(5):
        child(lambda: refused(blur))
    stop.set()
    thread.join()
    np.testing.assert_array_equal(blur(), expected)
    """)


def test_what_the_child_inherits():
    pytest.importorskip("moderngl", reason="moderngl is not installed: pip install moderngl")
    run("""
    import gc, moderngl
    context = moderngl.create_context(standalone=True, backend="egl", require=430)
    assert context.info
    child(lambda: refused(blur))  # the parent's OpenGL is moderngl's alone
    device = afterglow.Device()
    bloom, own = afterglow.Pass("bloom", device), afterglow.Pass("bloom")
    src, dst = (context.texture((30, 20), 4, dtype="f4") for _ in range(2))
    bloom(src=src, dst=dst)
    own(src=src, dst=dst)

    def work():
        calls = [lambda: device.frame(), lambda: device.forget(src.glo), lambda: device.texture(src.glo),
                 lambda: device.scrubbed_texels(), lambda: blur_in(device)]
        for one in (bloom, own):
            calls += [lambda one=one: one(src=src, dst=dst), lambda one=one: one.plan(src=src, dst=dst),
                      lambda one=one: one.gpu_time(), lambda one=one: one.forget(src)]
        good = [refused(call) for call in calls]
        bloom.set(intensity=0.5)
        own.close()
        device.close()
        return all(good) or print(good)

    def blur_in(device):
        return afterglow.box_blur(IMAGE, device=device)

    def drop():
        global bloom, own, device
        del bloom, own, device
        gc.collect()
        return True

    child(work)
    child(drop, sys.exit)
    bloom(src=src, dst=dst)
    own(src=src, dst=dst)
    own.close()
    device.close()
    assert context.error == "GL_NO_ERROR"
    """)
