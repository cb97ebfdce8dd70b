"""Video in, video out, through codecs; and nothing is left behind."""
# SPDX-License-Identifier: MIT
import os
import subprocess
import sys

from conftest import launch, rows


def test_a_video_file(tmp_path):
    """A file is decoded, bloomed and encoded: as many frames, and those of a decoded file bloomed raw but for VP8."""
    launch("videotestsrc pattern=ball num-buffers=25 ! video/x-raw,width=160,height=120,framerate=25/1 !",
           f"vp8enc deadline=1 ! webmmux ! filesink location={tmp_path}/in.webm")
    graph = "decodebin ! videoconvert ! glupload ! glcolorconvert ! afterglow-bloom intensity=0.6 ! gldownload"
    launch(f"filesrc location={tmp_path}/in.webm ! {graph} ! videoconvert ! vp8enc deadline=1 target-bitrate=4000000",
           f"! webmmux ! filesink location={tmp_path}/out.webm")
    launch(f"filesrc location={tmp_path}/in.webm ! {graph} ! videoconvert ! video/x-raw,format=RGBA !",
           f"filesink location={tmp_path}/wanted.raw")
    for name in ("in", "out"):
        launch(f"filesrc location={tmp_path}/{name}.webm ! decodebin ! videoconvert ! video/x-raw,format=RGBA !",
               f"filesink location={tmp_path}/{name}.raw")
    before, after, wanted = (rows((tmp_path / f"{name}.raw").read_bytes(), (120, 160), "RGBA").astype(float)[..., :3]
                             for name in ("in", "out", "wanted"))
    assert len(before) == len(after) == len(wanted) == 25
    codec, bloom = abs(after - wanted).mean(), abs(wanted - before).mean()
    print(f"the codec changes {codec:.2f} codes on average (limit 1.5), bloom {bloom:.2f} (more than 2)")
    assert codec < 1.5 and bloom > 2


GRAPH = ("videotestsrc num-buffers=30 ! video/x-raw,width=64,height=48 ! glupload ! glcolorconvert ! afterglow-bloom !"
         " afterglow effect=box_blur ! gldownload")


def alive(printed):
    """The objects that GStreamer's tracer found alive at the end."""
    return [line for line in printed.splitlines() if "object-alive, type-name" in line and "gsttracerrecord" not in line]


def test_nothing_leaks():
    trace = {"GST_TRACERS": "leaks", "GST_DEBUG": "GST_TRACER:7", "GST_DEBUG_NO_COLOR": "1"}
    assert alive(launch(GRAPH, "! fakesink", **trace)) == []
    # It sees an element that nobody releases.
    program = ("import ctypes; gst = ctypes.CDLL('libgstreamer-1.0.so.0'); gst.gst_init(None, None); "
               "gst.gst_element_factory_make(b'afterglow', None); gst.gst_deinit()")
    leaking = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                             env={**os.environ, **trace})
    assert any("GstAfterglow" in line for line in alive(leaking.stderr))


def test_gl_is_silent():
    """GStreamer's GL debug output, in contexts that are debug contexts by default, has no error and no warning."""
    printed = launch(GRAPH, "! fakesink", GST_DEBUG="gl*:3,afterglow:3", GST_DEBUG_NO_COLOR="1")
    problems = [line for line in printed.splitlines() if (" WARN " in line or " ERROR " in line)
                and "creating dummy window" not in line]  # egl-device is a display without windows
    assert not problems, "\n".join(problems)
    assert "gldebug" in launch(GRAPH, "! fakesink", GST_DEBUG="gldebug:7", GST_DEBUG_NO_COLOR="1")
