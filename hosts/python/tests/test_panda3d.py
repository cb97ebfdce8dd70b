"""A scene of Panda3D, rendered without a window and bloomed by Afterglow in Panda3D's own context."""
# SPDX-License-Identifier: MIT
import numpy as np
import pytest

import afterglow

core = pytest.importorskip("panda3d.core", reason="Panda3D is not installed: pip install panda3d")
SIZE = (160, 90)


@pytest.fixture(scope="module")
def window():
    core.load_prc_file_data("", "load-display p3headlessgl\ngl-version 4 3\naudio-library-name null\n"
                                "gl-debug #t\nnotify-level-glgsg error\ntextures-power-2 none\n")  # yapf: disable
    engine = core.GraphicsEngine.get_global_ptr()
    pipe = core.GraphicsPipeSelection.get_global_ptr().make_default_pipe()
    if not pipe:
        pytest.skip("Panda3D has no headless display (p3headlessgl) on this machine")
    flags = core.GraphicsPipe.BF_refuse_window
    size = core.WindowProperties.size(*SIZE)
    # The first one is the context; the frame is in a framebuffer object, which alone can have floats.
    host = engine.make_output(pipe, "context", 0, core.FrameBufferProperties.get_default(), size, flags)
    assert host, "Panda3D makes no context"
    properties = core.FrameBufferProperties()
    properties.set_rgba_bits(16, 16, 16, 16)
    properties.set_float_color(True)
    buffer = engine.make_output(pipe, "scene", 0, properties, size, flags, host.get_gsg(), host)
    assert buffer, "Panda3D makes no floating point buffer"
    final = engine.make_output(pipe, "final", 10, properties, size, flags, host.get_gsg(), host)
    yield engine, buffer, final
    engine.remove_all_windows()


def texels(engine, buffer, texture):
    """A texture's texels as GL has them. Panda3D gives floats of 32 bits; the texture has 16."""
    assert engine.extract_texture_data(texture, buffer.get_gsg()) and texture.component_width == 4
    data = np.frombuffer(bytes(texture.get_ram_image_as("RGBA")), np.float32)
    texels = data.reshape(texture.get_y_size(), texture.get_x_size(), 4)
    np.testing.assert_array_equal(texels, texels.astype(np.float16))
    return texels.astype(np.float16)


def test_panda3d(window):
    engine, buffer, final = window
    frame, bloomed = core.Texture("frame"), core.Texture("bloomed")
    buffer.add_render_texture(frame, core.GraphicsOutput.RTM_bind_or_copy)
    bloomed.setup_2d_texture(*SIZE, core.Texture.T_half_float, core.Texture.F_rgba16)
    scene = core.NodePath("scene")
    for i, brightness in enumerate((0.2, 3, 30)):
        maker = core.CardMaker("light")
        maker.set_frame(-0.6 + i * 0.5, -0.5 + i * 0.5, -0.1, 0.1)
        card = scene.attach_new_node(maker.generate())
        card.set_color(brightness, brightness * 0.5, brightness * 0.25, 1)
        card.set_color_scale_off()
    camera = scene.attach_new_node(core.Camera("camera", core.OrthographicLens()))
    camera.node().get_lens().set_film_size(2, 2)
    camera.set_y(-5)
    buffer.make_display_region().set_camera(camera)
    buffer.set_clear_color((0.01, 0.02, 0.03, 1))
    # What shows the result. Panda3D creates `bloomed` in GL when it is used first, here.
    screen = core.NodePath("screen")
    maker = core.CardMaker("card")
    maker.set_frame_fullscreen_quad()
    card = screen.attach_new_node(maker.generate())
    card.set_texture(bloomed)
    eye = screen.attach_new_node(core.Camera("eye", core.OrthographicLens()))
    eye.node().get_lens().set_film_size(2, 2)
    eye.set_y(-5)
    final.make_display_region().set_camera(eye)
    glow, done, failures = [], [], []

    def draw(_data):
        """After the frame is drawn, on Panda3D's drawing thread, with its context current."""
        gsg = buffer.get_gsg()
        contexts = [texture.prepare_now(0, gsg.prepared_objects, gsg) for texture in (frame, bloomed)]
        names = [one.get_native_id() if one else 0 for one in contexts]
        if not all(names):
            return
        try:
            if not glow:
                glow.append(afterglow.Pass("bloom", intensity=0.4, shape="aperture"))
            glow[0](src=names[0], dst=names[1])
            done.append(names)
        except afterglow.Error as error:  # a name changes once, and until then GL does not have it
            failures.append(str(error))

    buffer.get_display_region(buffer.get_num_display_regions() - 1).set_draw_callback(
        core.PythonCallbackObject(lambda data: (data.upcall(), draw(data))))
    for _ in range(4):
        engine.render_frame()
    assert len(done) >= 2 and len(failures) <= 1, failures
    before, after = texels(engine, buffer, frame), texels(engine, buffer, bloomed)
    assert before.max() > 20
    np.testing.assert_array_equal(after, afterglow.bloom(before, intensity=0.4, shape="aperture"))
    assert np.abs(after.astype(np.float32) - before).max() > 0.3
