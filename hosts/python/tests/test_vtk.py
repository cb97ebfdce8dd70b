"""A scene of VTK, rendered without a window into a floating point texture and bloomed in VTK's own context."""
# SPDX-License-Identifier: MIT
import os

import numpy as np
import pytest

import afterglow

os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
vtk = pytest.importorskip("vtk", reason="VTK is not installed: pip install vtk")
SIZE = (160, 90)


def test_vtk():
    renderer, window = vtk.vtkRenderer(), vtk.vtkRenderWindow()
    if "EGL" not in window.GetClassName():
        pytest.skip(f"this VTK has no vtkEGLRenderWindow, but {window.GetClassName()}")
    window.SetOffScreenRendering(True)
    window.SetMultiSamples(0)
    window.SetSize(*SIZE)
    window.AddRenderer(renderer)
    renderer.SetBackground(0.01, 0.02, 0.03)
    source = vtk.vtkSphereSource()
    source.SetThetaResolution(16)
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetAmbient(1)
    actor.GetProperty().SetDiffuse(0)
    actor.GetProperty().SetColor(1, 0.6, 0.3)
    renderer.AddActor(actor)

    steps = vtk.vtkRenderStepsPass()
    target = vtk.vtkFramebufferPass()
    target.SetDelegatePass(steps)
    target.SetColorFormat(vtk.vtkTextureObject.Float16)
    renderer.SetPass(target)
    window.Render()

    frame = target.GetColorTexture()
    bloomed = vtk.vtkTextureObject()
    bloomed.SetContext(window)
    bloomed.SetInternalFormat(0x881A)  # GL_RGBA16F
    bloomed.Allocate2D(frame.GetWidth(), frame.GetHeight(), 4, vtk.VTK_FLOAT)
    window.MakeCurrent()
    with afterglow.Pass("bloom", intensity=0.4, size=0.8) as bloom:
        for _ in range(2):
            renderer.ResetCamera()
            window.Render()
            bloom(src=frame, dst=bloomed)
        with afterglow.Device() as device:
            before, after = (read(device, texture) for texture in (frame, bloomed))
    assert 0.5 < before.max() <= 1 and before[..., 0].min() < 0.02
    expected = afterglow.bloom(before, intensity=0.4, size=0.8)
    np.testing.assert_array_equal(after, expected)
    assert np.abs(after.astype(np.float32) - before).max() > 0.05
    window.Finalize()


def read(device, texture):
    """The RGBA16F texels of a texture of VTK."""
    gl = device._gl
    texels = np.empty((texture.GetHeight(), texture.GetWidth(), 4), np.float16)
    with gl.kept():
        gl.glBindTexture(0x0DE1, texture.GetHandle())
        gl.glGetTexImage(0x0DE1, 0, 0x1908, 0x140B, texels.ctypes.data)
    assert gl.drain() == 0
    return texels
