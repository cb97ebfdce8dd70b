#!/usr/bin/env bash
# docs/viewer_gallery.sh VIEWER SHADERS FOLDER - the pictures of docs/viewer.md, on a GPU, without a window
# SPDX-License-Identifier: MIT
set -euo pipefail
viewer=$(realpath "$1") shaders=$(realpath "$2") out=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$shaders" "$work/shaders"
cd "$work"
exposure='{"id": "exposure", "on": true, "settings": {"key": 0.06, "min_ev": -12, "max_ev": 10, "high": 0.95}}'
cat >soft.json <<end
{"effects": [{"id": "denoise", "on": true}, $exposure,
 {"id": "bloom", "on": true, "settings": {"shape": "gaussian", "size": 0.12, "intensity": 0.35}}]}
end
cat >star.json <<end
{"effects": [{"id": "denoise", "on": true}, $exposure, {"id": "bloom", "on": true, "settings":
 {"shape": "star", "blades": 8, "rotation": 15, "size": 0.6, "intensity": 0.3}}]}
end

# As many frames as the chart of times has, in less than two seconds of the street.
draw() { "$viewer" --frames 260 --fps 150 --size 1280x720 --panel "$@"; }
draw --screenshot "$out/viewer.jpg"
draw --screenshot "$out/viewer-grade.jpg" --preset soft.json --preset star.json \
    --set view.scopes=on view.loupe=on view.split_at=0.4
draw --screenshot "$out/viewer-inspector.jpg" --inspect scene.normal --set view.split=on view.split_at=0.3
"$viewer" --frames 1 --size 960x540 --screenshot "$out/viewer-mirror.jpg" \
    --set scene.mirror=on box_blur=on box_blur.radius=1
# A shader that is broken while it runs.
(sleep 6 && sed -i 's/^void main()/void main() {\n    vec4 light = texture(t_src, 0.5);\n}\nvoid mian()/' \
    shaders/exposure/histogram.comp) &
draw --frames 1400 --fps 700 --shaders shaders --screenshot "$out/viewer-reload.jpg"
