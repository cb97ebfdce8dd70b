#!/usr/bin/env python3
"""check_commands.py AFTERGLOW [DOCUMENT...] - the command lines of README.md and docs/*.md do what they say

Each line, and each span with -o, that begins with `afterglow` runs as it stands, page by page in the order of the page, on small pictures that
have the names that the page uses; sizes are divided by four. What only a person ends (--watch) is left out, and so are
the bench and the viewer, which have tests of their own.

SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WIDTH, HEIGHT = 480, 270
PICTURES = ("big.png", "leaves.png", "photo.png", "photo.jpg", "street.png", "night.hdr", "in.hdr", "frame.hdr", "image.exr",
            "photo.exr", "render.exr", "street.exr", "shot.npy", "image.npy", "depth.npy")


def commands(text):
    """Those of a page, lines that go on joined, comments left out."""
    text = re.sub(r"\\\n\s*", " ", text)
    for line in re.findall(r"^(?: {4}|(?:mkdir [\w.]+|cp [^&\n]*) && )?\s*((?:mkdir \w+ && |cp [^&\n]* && )?afterglow (?!-).*)$",
                           text, re.M) + re.findall(r"`(afterglow (?:info|[^`]* -o )[^`]*)`", text):
        line = re.sub(r"\s+#.*", "", line).rstrip("|").strip()
        if "--watch" not in line and "..." not in line and " - -o -" not in line and "EFFECT" not in line:
            yield line


def array(path, rows):
    """Floats as NumPy writes them: a list of lines, or of lines of texels."""
    shape = (len(rows), len(rows[0])) + ((len(rows[0][0]),) if isinstance(rows[0][0], (list, tuple)) else ())
    flat = [x for row in rows for texel in row for x in (texel if len(shape) == 3 else [texel])]
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{len(flat)}f", *flat))


def stand_ins(afterglow, folder):
    def wave(x, y, c):
        return ((x * (3 + c) + y * y // (5 + c)) % 97) / 96
    picture = [[[wave(x, y, c) for c in range(4)] for x in range(WIDTH)] for y in range(HEIGHT)]
    array(os.path.join(folder, "image.npy"), [[texel[:3] for texel in row] for row in picture])
    for name in ("depth.npy", "map.npy"):
        array(os.path.join(folder, name), [[1 + texel[0] for texel in row] for row in picture])
    disc = [[float((x - 7)**2 + (y - 7)**2 < 50) for x in range(15)] for y in range(15)]
    for name in ("kernel.npy", "disc.npy"):
        array(os.path.join(folder, name), disc)
    array(os.path.join(folder, "db6.npy"), [[0.1, -0.2, 0.3, 0.5, 0.6, 0.1, 0, 0]])
    raw = b"".join(b"\0" + bytes(round(255 * v) for texel in row for v in texel) for row in picture)
    with open(os.path.join(folder, "big.png"), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 6, 0, 0, 0)), (b"IDAT", zlib.compress(raw)),
                           (b"IEND", b"")):
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))
    for name in PICTURES:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            continue
        source = "big.png" if name.endswith(("png", "jpg")) else "image.npy"
        if source.rsplit(".")[-1] == name.rsplit(".")[-1]:
            shutil.copy(os.path.join(folder, source), path)
        else:
            subprocess.run([afterglow, "run", "downsample", source, "-o", name, "--size", f"{WIDTH}x{HEIGHT}"], cwd=folder,
                           check=True, capture_output=True)
    shutil.copy(os.path.join(folder, "big.png"), os.path.join(folder, "mask.png"))
    for name in ("shaders", "passes"):
        shutil.copytree(os.path.join(ROOT, name), os.path.join(folder, name))


def smaller(line):
    line = re.sub(r"(?<=[ ,])(\d{3,4}|64)x(\d+)(?=,| |$)", lambda m: f"{int(m.group(1)) // 4}x{int(m.group(2)) // 4}", line)
    line = line.replace("size=512", "size=64").replace("--frames 60", "--frames 3")
    if re.match(r"afterglow (?:ocean -o sea.png|scene)", line) and "--size" not in line:
        program, *others = line.split(" | ")
        line = " | ".join([program + " --size 160x90", *others])
    return line + (" --seconds 1" if line.startswith("afterglow tune") else "")


def main(afterglow, *only):
    afterglow = os.path.abspath(afterglow)
    pages = only or ["README.md"] + sorted(f"docs/{name}" for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))
    count = failed = 0
    with tempfile.TemporaryDirectory() as made:
        stand_ins(afterglow, made)
        for page in pages:
            with open(os.path.join(ROOT, page), encoding="utf-8") as stream:
                lines = list(commands(stream.read()))
            folder = os.path.join(made, "page")
            shutil.copytree(made, folder, ignore=lambda *_: ["page"])
            env = {**os.environ, "PATH": os.path.dirname(afterglow) + ":" + os.environ["PATH"], "XDG_CACHE_HOME": made}
            for line in lines:
                done = subprocess.run(["bash", "-c", smaller(line)], cwd=folder, env=env, capture_output=True, text=True)
                wanted = re.findall(r"-o ([\w/.]+)", line)
                missing = [name for name in wanted if not os.path.exists(os.path.join(folder, name))]
                count += 1
                if done.returncode or missing:
                    failed += 1
                    print(f"{page}: {line}: exit status {done.returncode}, missing {missing}: {done.stderr.strip()}")
            shutil.rmtree(folder)
    print(f"{count} command lines, {failed} failed")
    return 1 if failed or count < (20 if not only else 1) else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
