"""Properties that change while the stream runs, by GStreamer's own library, as an application does it."""
# SPDX-License-Identifier: MIT
import ctypes

import pytest

from conftest import launch, rows

PAUSED, PLAYING, NULL = 3, 4, 1
EOS, ERROR = 1, 2
SECOND = 10**9


@pytest.fixture
def gst():
    library = ctypes.CDLL("libgstreamer-1.0.so.0")
    for name in ("gst_parse_launch", "gst_bin_get_by_name", "gst_element_get_bus", "gst_bus_timed_pop_filtered"):
        getattr(library, name).restype = ctypes.c_void_p
    library.gst_init(None, None)
    return library


@pytest.mark.parametrize("element,change", [
    ("afterglow-bloom intensity=0.2", (b"intensity", b"0.9")),
    ("afterglow-bloom intensity=0.2", (b"shape", b"star")),
    ("afterglow settings=intensity=0.2", (b"settings", b"intensity=0.9")),
])
def test_a_property_changes(gst, tmp_path, command_line, element, change):
    """The frame of the preroll has the old setting, and the last one the new."""
    size = "format=RGBA,width=64,height=48,framerate=25/1"
    source = f"videotestsrc pattern=gradient num-buffers=20 ! video/x-raw,{size}"
    launch(f"{source} ! filesink location={tmp_path}/before.raw")
    graph = (f"{source} ! glupload ! {element} name=a ! gldownload ! multifilesink max-files=0 "
             f"location={tmp_path}/%d.raw")
    pipeline = ctypes.c_void_p(gst.gst_parse_launch(graph.encode(), None))
    chosen = ctypes.c_void_p(gst.gst_bin_get_by_name(pipeline, b"a"))
    bus = ctypes.c_void_p(gst.gst_element_get_bus(pipeline))
    gst.gst_element_set_state(pipeline, PAUSED)
    gst.gst_element_get_state(pipeline, None, None, ctypes.c_uint64(60 * SECOND))
    gst.gst_util_set_object_arg(chosen, *change)
    gst.gst_element_set_state(pipeline, PLAYING)
    message = gst.gst_bus_timed_pop_filtered(bus, ctypes.c_uint64(60 * SECOND), EOS | ERROR)
    assert message
    gst.gst_element_set_state(pipeline, NULL)
    for thing in (bus, chosen, pipeline):
        gst.gst_object_unref(thing)
    frame = rows((tmp_path / "before.raw").read_bytes(), (48, 64), "RGBA")[0]
    old, new = "intensity=0.2", "intensity=0.9" if change[1] != b"star" else "intensity=0.2 shape=star"
    for number, settings in ((0, old), (19, new)):
        result = rows((tmp_path / f"{number}.raw").read_bytes(), (48, 64), "RGBA")[0]
        assert (result == command_line(frame, "bloom", settings)).all()
    assert (command_line(frame, "bloom", old) != command_line(frame, "bloom", new)).any()
