#!/usr/bin/env bash
# tests/cli/cli.sh - tests the command line as a new user would: cli.sh PATH_OF_AFTERGLOW
# SPDX-License-Identifier: MIT
#
# Needs bash and python3 with its standard library. Every line of the middle part is one case.
set -u

here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
afterglow=$(realpath "${1:?usage: cli.sh PATH_OF_AFTERGLOW}")
shaders=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../shaders")
work=$(mktemp -d)
watcher=
trap '[ -z "$watcher" ] || kill "$watcher"; rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache # the user's own cache is not changed
cd "$work" || exit 1
passed=0
failed=0

report() { # report STATUS NAME FILE...: counts a case; 0 is a pass, else the files say why
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
        shift 2
        sed 's/^/    /' /dev/null "$@"
    fi
}

# run ARGUMENTS...: the program's output in `out` and `err`, its exit status in `code`. Once more where
# LeakSanitizer itself broke, which says nothing of the program (support/leaks.sh).
run() {
    local attempt
    for attempt in 1 2; do
        code=0
        "$afterglow" "$@" >out 2>err || code=$?
        grep -qF 'LeakSanitizer has encountered a fatal error' err || return 0
    done
}

expect() { # expect CODE ARGUMENTS...: the program exits with this code
    local wanted=$1 code
    shift
    run "$@"
    [ "$code" = "$wanted" ]
    report $? "exit $code, expected $wanted: afterglow $*" out err
}

refuse() { # refuse WORD ARGUMENTS...: exits 2 with one line that has this word
    local word=$1 code
    shift
    run "$@"
    [ "$code" = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$word" err
    report $? "exit $code, expected 2 and one line with '$word': afterglow $*" out err
}

check() { # check NAME COMMAND...: the command succeeds; `out` stays that of the program
    local name=$1
    shift
    "$@" >log 2>&1
    report $? "$name" log
}

plan_table() { # plan_table FILE ROWS [measured]: rows of --plan add up and have every column
    python3 - "$@" <<'PYTHON'
import sys
lines = [line.split() for line in open(sys.argv[1])]
measured = len(sys.argv) > 3
top = next(i for i, line in enumerate(lines) if "predicted" in line and line[0] == "step")
rows = lines[top + 1:top + 1 + int(sys.argv[2])]
assert rows[-1][:2] == ["whole", "pass"], rows
tail = 3 if measured else 1
figures = [[float(word) for word in row[-tail:]] for row in rows]
assert all(f[0] > 0 for f in figures), figures
assert abs(sum(f[0] for f in figures[:-1]) - figures[-1][0]) < 0.1 * len(rows), figures
bytes = [int(row[-(tail + 1)]) for row in rows]
assert sum(bytes[:-1]) == bytes[-1], rows
if measured:
    for predicted, median, ratio in figures:
        assert abs(median / predicted - ratio) < 0.02 * ratio + 0.01, figures
PYTHON
}

renderer_is_told() { # renderer_is_told FILE: figures of a renderer on the CPU come with a warning
    ! "$afterglow" info | grep -qE 'llvmpipe|softpipe' || grep -q 'say nothing about a GPU' "$1"
}

absent() { # absent FILE...: none exists, and neither does a temporary of one
    local found
    found=$(for file in "$@"; do compgen -G "$file*" || compgen -G "$(dirname "$file")/.afterglow-*"; done)
    [ -z "$found" ]
    report $? "left behind: $found"
}

cat >npy.py <<'PYTHON'
"""npy.py make FILE TYPE SHAPE LAW  or  npy.py same FILE FILE TOLERANCE  or  npy.py is FILE TYPE SHAPE"""
import ast, struct, sys

CODES = {'<f4': 'f', '<f8': 'd', '<f2': 'e', '|u1': 'B', '<u4': 'I'}

def read(path):
    data = open(path, 'rb').read()
    assert data[:8] == b'\x93NUMPY\x01\x00', 'magic'
    length = struct.unpack('<H', data[8:10])[0]
    assert (10 + length) % 64 == 0, 'alignment'
    header = ast.literal_eval(data[10:10 + length].decode())
    count = 1
    for extent in header['shape']:
        count *= extent
    code = CODES[header['descr']]
    assert len(data) == 10 + length + count * struct.calcsize(code), 'length'
    return header, struct.unpack('<%d%s' % (count, code), data[10 + length:])

def make(path, kind, shape, law):
    """Laws: ramp (i * 37 mod 251, scaled to 0..1 for floats), fortran (as ramp), one, zero, bright."""
    shape = tuple(int(x) for x in shape.split(','))
    count = 1
    for extent in shape:
        count *= extent
    scale = 1 if kind in ('|u1', '<u4') else 1 / 256
    values = [i * 37 % 251 * scale for i in range(count)]
    if law == 'fortran':  # the same picture as ramp, stored with its first axis running fastest
        height, width, depth = (shape + (1,))[:3]
        values = [values[(y * width + x) * depth + c]
                  for c in range(depth) for x in range(width) for y in range(height)]
    elif law == 'one':
        values = [1] * count
    elif law == 'zero':
        values = [0] * count
    elif law == 'bright':
        values = [v * 100 for v in values]
    elif law == 'nan':
        values[count // 2] = float('nan')
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (kind, law == 'fortran', shape)
    header += ' ' * (-(len(header) + 11) % 64) + '\n'
    with open(path, 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode())
        file.write(struct.pack('<%d%s' % (count, CODES[kind]), *values))

def same(a, b, tolerance):
    (ha, va), (hb, vb) = read(a), read(b)
    assert ha['shape'] == hb['shape'], (ha, hb)
    worst = max(abs(x - y) for x, y in zip(va, vb))
    assert worst <= float(tolerance), 'largest difference %g' % worst

def times(a, b, factor):
    """b is a times factor, exactly but for rounding to float32"""
    (ha, va), (hb, vb) = read(a), read(b)
    assert ha['shape'] == hb['shape'], (ha, hb)
    for x, y in zip(va, vb):
        assert abs(x * float(factor) - y) <= 1e-6 * max(1, abs(y)), (x, y)

def sums(image, table):
    """the table holds the sums of the codes left of each texel and above it, as integers"""
    (hi, vi), (ht, vt) = read(image), read(table)
    assert ht['descr'] == '<u4' and ht['shape'][:2] == hi['shape'][:2], ht
    height, width = hi['shape'][:2]
    for i in range(width * height):
        x, y = i % width, i // width
        want = sum(vi[v * width + u] for v in range(y + 1) for u in range(x + 1))
        assert vt[i] == want, (x, y, vt[i], want)

def crop(whole, part, x, y, tolerance):
    (hw, vw), (hp, vp) = read(whole), read(part)
    width, (height, columns) = hw['shape'][1], hp['shape'][:2]
    for j in range(height):
        for i in range(columns):
            error = abs(vp[j * columns + i] - vw[(j + int(y)) * width + i + int(x)])
            assert error <= float(tolerance), (i, j, error)

def is_(path, kind, shape):
    header, values = read(path)
    assert header['descr'] == kind, header
    assert header['shape'] == tuple(int(x) for x in shape.split(',')), header

def stats(path, frames):
    import csv
    rows = list(csv.DictReader(open(path), strict=True))
    assert rows[-1]['step'] == 'whole pass' and len(rows) >= 2
    for row in rows:
        assert None not in row and None not in row.values(), row
        assert int(row['samples']) == int(frames) and int(row['dropped']) == 0, row
        for clock in 'gpu', 'cpu':
            low, half, p95, p99, mean, last, first = (
                float(row['%s_%s_ns' % (clock, name)])
                for name in ('min', 'median', 'p95', 'p99', 'mean', 'last', 'first'))
            assert 0 < low <= half <= p95 <= p99 and low <= mean and low <= last and first > 0, row
        speed = float(row['bytes']) / float(row['gpu_median_ns'])
        assert abs(float(row['gb_per_s']) - speed) <= 1e-3 + 1e-3 * speed, row
        assert 0 < float(row['copy_ratio']), row
    assert sum(int(r['bytes']) for r in rows[:-1]) == int(rows[-1]['bytes'])

def effects(path):
    import json
    listed = json.load(open(path))['effects']
    assert {'bloom', 'convolve', 'mipchain', 'spectrum'} <= {e['id'] for e in listed}
    for effect in listed:
        assert effect['slots'] and all(s['formats'] for s in effect['slots'])
        assert all({'name', 'type', 'help', 'default'} <= s.keys() for s in effect['settings'])

globals()[{'is': 'is_'}.get(sys.argv[1], sys.argv[1])](*sys.argv[2:])
PYTHON
npy() { python3 npy.py "$@"; }

npy make ramp.npy '<f4' 20,31 ramp
npy make rgb.npy '<f4' 20,31,3 ramp
npy make rgba.npy '<f4' 20,31,4 ramp
npy make one_axis.npy '<f4' 20,31,1 ramp
npy make fortran.npy '<f4' 20,31,3 fortran
npy make double.npy '<f8' 20,31,3 ramp
npy make half.npy '<f2' 20,31,3 ramp
npy make codes.npy '|u1' 20,31,3 ramp
npy make codes1.npy '|u1' 20,31 ramp
npy make codes4.npy '|u1' 20,31,4 ramp
npy make words.npy '<u4' 20,31 ramp
npy make zero.npy '<f4' 20,31,3 zero
npy make bright.npy '<f4' 20,31,3 bright
npy make nan.npy '<f4' 20,31,3 nan
npy make one.npy '<f4' 1,1 one
npy make box.npy '<f4' 3,3 one
printf 'not an image' >broken.png
head -c 300 ramp.npy >short.npy
identity() { "$afterglow" run convolve "$1" one.npy -o "$2" "${@:3}"; }

# ---- help, list, info ----
expect 0 --help
expect 0 --version
for command in list info scene ocean run kernel; do expect 0 $command --help; done
expect 0 list
expect 0 list bloom
expect 0 list sat
check 'list names every format of a table' test -z "$(grep 0x out)"
check 'list has no setting that only tests and measuring need' \
    test -z "$("$afterglow" list | grep -E '^ *(tile|threads|carry|exchange|images|stages|tables) ')"
expect 0 list local_stats
check 'list names what border takes, and nothing else' grep -q 'clamp | mirror | normalize' out
expect 0 list --json
check 'list --json describes the effects' npy effects out
expect 0 info
expect 0 info --json
check 'info --json is JSON' python3 -m json.tool out
refuse 'list info scene ocean run kernel tune'
refuse 'list info scene ocean run kernel' nonsense
refuse 'bloom' list nonsense
refuse '--json' list --nonsense
refuse 'info' info extra

# ---- kernel ----
for type in npy png exr; do expect 0 kernel -o kernel.$type --set shape=star --height 64; done
check 'a kernel is float32, of its extent' npy is kernel.npy '<f4' 19,19,3
refuse 'kernel needs -o FILE' kernel
refuse 'go together' kernel -o kernel.npy --set shape=texture
refuse 'expected 1..8192' kernel -o kernel.npy --height 0

# ---- scene ----
for type in npy png jpg hdr; do expect 0 scene -o scene.$type --size 64x36; done
check 'the scene is float32, H x W x 3' npy is scene.npy '<f4' 36,64,3
expect 0 scene -o again.npy --size 64x36
check 'the scene repeats' cmp scene.npy again.npy
expect 0 scene -o other.npy --size 64x36 --seed 2
expect 0 scene -o noisy.exr --size 64x36 --samples 1
for guide in albedo normal depth motion; do check "the scene's $guide" test -s noisy_$guide.exr; done
expect 0 scene -o noisy.npy --size 64x36 --samples 1
expect 0 scene -o frame.npy --size 64x36 --samples 1 --frame 0
check 'noise repeats' cmp noisy.npy frame.npy
expect 0 scene -o frame.npy --size 64x36 --samples 1 --frame 1
check 'another frame has other noise' bash -c '! cmp -s noisy.npy frame.npy'
check 'motion is float32, H x W x 2' npy is noisy_motion.npy '<f4' 36,64,2
expect 0 scene -o sensor.npy --size 64x36 --electrons 100
expect 0 scene -o sensor_again.npy --size 64x36 --electrons 100
check 'the noise of a sensor repeats' cmp sensor.npy sensor_again.npy
check 'the noise of a sensor is that of electrons' python3 - scene.npy sensor.npy <<'END'
import array, math, sys
clean, noisy = (array.array('f', open(name, 'rb').read()[-64 * 36 * 3 * 4:]) for name in sys.argv[1:])
for low, high in (0, 0.02), (0.02, 0.3), (0.3, 1e9):  # in units of the noise that is expected: a mean of 1
    units = [(n - c) ** 2 / (c / 100 + 9e-4) for c, n in zip(clean, noisy) if low <= c < high]
    assert len(units) > 300 and abs(sum(units) / len(units) - 1) < 5 * math.sqrt(3 / len(units)), (low, len(units))
END
refuse '--samples' scene -o sensor.exr --samples 1 --electrons 100
refuse '1..1000000' scene -o sensor.exr --electrons 0
refuse '.exr or .npy' scene -o noisy.png --samples 1
refuse '--samples' scene -o noisy.exr --frame 3
expect 0 run denoise noisy.exr -o quiet.exr --set filter=atrous --slot albedo=noisy_albedo.exr \
    --slot normal=noisy_normal.exr --slot depth=noisy_depth.exr
refuse 'only filter = atrous' run denoise noisy.exr -o none.exr --slot depth=noisy_depth.exr
expect 0 run wavelet scene.npy -o bands.npy --set wavelet=cdf97 --set levels=3 --set border=symmetric
check 'coefficients are as large as PyWavelets has them' npy is bands.npy '<f4' 61,88,3
expect 0 run wavelet bands.npy -o back.npy --set wavelet=cdf97 --set levels=3 --set border=symmetric \
    --set direction=inverse --size 64x36 --compare scene.npy --psnr 120
check 'another seed is another scene' bash -c '! cmp -s scene.npy other.npy'
expect 0 scene -o hdr.npy --size 320x180
check 'the scene is HDR: finite, at most 65504, brightest to median at least 1000' python3 - <<'PY'
import array
data = open('hdr.npy', 'rb').read()
v = array.array('f', data[10 + data[8] + 256 * data[9]:])
light = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in zip(v[0::3], v[1::3], v[2::3]))
assert all(0 <= x <= 65504 for x in v) and max(v) >= 1000 * light[len(light) // 2]
PY
expect 0 scene -o toned.png --size 64x36 --exposure 1 --tonemap aces
expect 0 scene -o seen.npy --depth depth.npy --size 64x36
check 'the depth is float32, H x W' npy is depth.npy '<f4' 36,64,1
check 'a depth does not change the scene' bash -c '
    "$0" scene -o unseen.npy --size 64x36 && cmp seen.npy unseen.npy' "$afterglow"
refuse '.npy or .exr' scene -o none.npy --depth none.png
refuse '-o FILE' scene
refuse '.hdr' scene -o scene.tiff
refuse 'WxH' scene -o none.npy --size 64
refuse 'WxH' scene -o none.npy --size 0x4
refuse 'integer' scene -o none.npy --seed x
refuse 'aces' scene -o none.png --tonemap filmic
absent none

# ---- .npy through an identity kernel ----
for name in ramp one_axis rgb rgba; do
    check "$name.npy runs" identity $name.npy $name.out.npy
    check "$name.npy comes back" npy same $name.npy $name.out.npy 1e-6
done
check 'Fortran order' identity fortran.npy o.npy
check 'Fortran order comes back in C order' npy same rgb.npy o.npy 1e-6
check 'float64' identity double.npy o.npy
check 'float64 comes back as float32' npy is o.npy '<f4' 20,31,3
check 'float64 comes back' npy same double.npy o.npy 1e-6
check 'float16' identity half.npy o.npy
check 'float16 comes back as float32' npy is o.npy '<f4' 20,31,3
check 'float16 comes back' npy same half.npy o.npy 0
check 'uint8, 3 channels' identity codes.npy o.npy
check 'uint8 comes back as uint8' npy is o.npy '|u1' 20,31,3
check 'uint8 comes back' npy same codes.npy o.npy 0
check 'uint8, 4 channels' identity codes4.npy o.npy
check 'uint8 with alpha comes back' npy same codes4.npy o.npy 0
check 'uint8, 1 channel' identity codes1.npy o.npy
check 'uint8, 1 channel, comes back' npy same codes1.npy o.npy 0
check 'srgb8 keeps codes' identity codes.npy o.npy --format srgb8
check 'srgb8 codes come back' npy same codes.npy o.npy 0
check 'rgba16f' identity rgb.npy o.npy --format rgba16f
check 'rgba16f comes back as float32' npy is o.npy '<f4' 20,31,3
check 'rgba16f comes back' npy same rgb.npy o.npy 0
check 'storage uint32 picks a table of integers' \
    "$afterglow" run sat codes1.npy -o sums.npy --set storage=uint32
check 'its entries are sums of codes' npy sums codes1.npy sums.npy
check 'one of floats is what --format says' \
    "$afterglow" run sat codes1.npy -o sums.npy --set storage=float32 --format dst=r32f
check 'dst format of its own' identity rgb.npy o.npy --format dst=rgba16f
check 'dst of rgba16f' npy same rgb.npy o.npy 0
check 'float into rgba8' identity rgb.npy o.npy --format rgba8
check 'rgba8 comes back as uint8' npy is o.npy '|u1' 20,31,3
check '--rect' identity ramp.npy o.npy --rect 5,3,11,7
check '--rect has its size' npy is o.npy '<f4' 7,11
check '--rect is a part' npy crop ramp.npy o.npy 5 3 1e-6
check '--size of the source' identity ramp.npy o.npy --size 31x20
check 'kernel by --slot' "$afterglow" run convolve ramp.npy --slot kernel=one.npy -o o.npy
check 'kernel by --slot comes back' npy same ramp.npy o.npy 1e-6
check '-- ends the options' "$afterglow" run convolve -o o.npy -- ramp.npy one.npy
check '--option=value' "$afterglow" run convolve ramp.npy one.npy -o o.npy --set=method=direct

# ---- pictures ----
check '.npy to .png' identity rgb.npy a.png
check '.png to .png' identity a.png b.png
expect 0 run convolve a.png one.npy --compare b.png --psnr 200
check '.png to .npy' identity a.png a.npy
check 'a picture is float32' npy is a.npy '<f4' 20,31,3
check 'srgb8 of a picture' identity a.png c.npy --format srgb8
check 'srgb8 of a picture is codes' npy is c.npy '|u1' 20,31,3
check '--linear' identity a.png d.npy --linear --format rgba8
check '--linear and srgb8 hold the same codes' npy same c.npy d.npy 0
check '.hdr' identity bright.npy a.hdr
expect 0 run convolve a.hdr one.npy --compare bright.npy --psnr 45
check 'exposure and tone curve' identity a.hdr e.png --exposure -6.5 --tonemap aces
check '.jpg' identity a.png a.jpg
check 'grey' identity ramp.npy grey.png
check 'grey comes back as H x W' identity grey.png grey.npy
check 'grey is H x W' npy is grey.npy '<f4' 20,31
expect 0 run bloom scene.hdr -o glow.png --exposure 1 --tonemap aces
expect 0 run bloom grey.png -o glow.png
expect 0 run bloom scene.npy -o glow.npy --set intensity=0 --compare scene.npy --psnr 100
expect 0 run bloom scene.npy -o glow.npy --set intensity=0.5 --set size=0.2 --set tint=1,0.5,0.25
expect 0 run bloom scene.npy -o glow.npy --set shape=aperture --set scrub=on
# A frame of codes: with nothing to bloom it stays, in 8 and in 16 bits; textures of floats are refused.
expect 0 run bloom grey.png -o glow.png --linear --format rgba8 --set transfer=srgb shape=aperture
expect 0 run bloom a.png -o same.png --linear --format rgba8 --set transfer=srgb intensity=0 --compare a.png --psnr 300
expect 0 run bloom a.png -o same.png --linear --format rgba16 --set transfer=srgb intensity=0 --compare a.png --psnr 300
refuse 'with transfer = srgb' run bloom scene.npy -o none.npy --set transfer=srgb
# Several settings after one --set. After another option, after --, or if there is a file of that name, they are inputs.
expect 0 run bloom scene.npy -o one.glow.npy --set intensity=0.5 --set size=0.2 --set tint=1,0.5,0.25
expect 0 run bloom --set intensity=0.5 size=0.2 tint=1,0.5,0.25 scene.npy -o glow.npy --compare one.glow.npy --psnr 300
cp scene.npy blades=5
refuse '.npy' run bloom --set intensity=0.5 blades=5 -o none.npy
rm blades=5
refuse 'expected a folder' run bloom scene.npy --set size=0.2 -o none.npy blades=5
refuse 'expected a folder' run bloom --set size=0.2 -o none.npy -- scene.npy blades=5
refuse '3..16' run bloom scene.npy -o none.npy --set size=0.2 blades=4.5
refuse 'no setting' run bloom scene.npy -o none.npy --set size=0.2 nonsense=1
expect 0 kernel -o k.npy --set shape=star eyelashes=0.2 --height 32
expect 0 run bloom nan.npy -o glow.npy
expect 0 run spectrum scene.hdr -o spectrum.png
expect 0 run spectrum grey.png -o spectrum.png --set window=hann --set channels=luminance
expect 0 run spectrum rgba.npy -o spectrum.npy --set range=60 --set gain=-6 --set centred=off
expect 0 run spectrum one.npy -o spectrum.npy --set log=off --compare one.npy --psnr 100
expect 0 run convolve scene.npy one.npy -o sharp.npy --set operation=deconvolve --set noise=1e-6 --compare scene.npy --psnr 100
refuse 'noise is 0' run convolve scene.npy one.npy -o none.npy --set operation=deconvolve --set noise=0
expect 0 run filter_spectrum scene.npy -o filtered.npy --set cutoff=0.05
expect 0 run filter_spectrum scene.npy -o filtered.npy --set shape=mask --slot mask=one.npy --compare scene.npy --psnr 100
refuse 'below high' run filter_spectrum scene.npy -o none.npy --set shape=notch --set low=0.3 --set high=0.2

# The documents' methods, in a module beside the program.
ladder=libafterglow_ladder.so.1
expect 0 list sat_ladder --module $ladder
expect 0 run sat scene.npy -o table.npy --set storage=float32
expect 0 run sat_ladder scene.npy -o scan.npy --set method=hensley --module $ladder --compare table.npy --psnr 100
expect 0 run downsample scene.npy -o small.npy --size 32x9
expect 0 --module $ladder run register_columns scene.npy -o columns.npy --size 32x9 --compare small.npy --psnr 120
refuse 'sat_ladder' run sat_ladder scene.npy -o scan.npy
refuse 'no_such_module' list --module no_such_module.so
refuse 'needs a value' list --module

mkdir maps
expect 0 ocean -o maps --set size=32 --set cascades=2 --set time=3
check 'maps of two cascades' npy is maps/displacement1.npy '<f4' 32,32,4
check 'and their Jacobian' npy is maps/jacobian0.npy '<f4' 32,32
expect 0 ocean -o sea.hdr --size 24x16 --set size=32
check 'a picture of the sea' test -s sea.hdr
refuse 'less than the one before' ocean -o maps --set lengths=10,20,30
refuse 'neither a folder' ocean -o nowhere/at/all
refuse 'takes no input' ocean -o sea.png scene.npy
expect 0 run mipchain scene.npy -o chain
check 'levels of a chain' test -f chain/texture_L00.npy -a -f chain/texture_L01.npy
check 'level 0 is the input' cmp chain/texture_L00.npy scene.npy
expect 0 run mipchain grey.png -o chain --set levels=2 --set reduce=max --as png
check 'as many levels as asked for' test -f chain/texture_L02.png -a ! -e chain/texture_L03.png
refuse 'folder' run mipchain scene.npy -o none.npy
refuse 'level' run mipchain scene.npy -o chain --compare scene.npy
expect 0 run depth_pyramid one.npy -o chain --set reduce=max
check 'levels of depth' test -f chain/dst_L00.npy
expect 0 run depth_of_field seen.npy depth.npy -o focus.npy --set encoding=linear --set focus=point
check 'a frame as the lens sees it' npy is focus.npy '<f4' 36,64,3
expect 0 run depth_of_field seen.npy --slot depth=depth.npy --set encoding=linear --set f_number=64 \
    --set focal_length=1 --compare seen.npy --psnr 300
refuse 'depth' run depth_of_field seen.npy -o none.npy
expect 0 run soft_shadow depth.npy depth.npy -o mask.npy --set encoding=linear --set view=linear --set far_plane=400
refuse 'in place' run mipchain scene.npy -o chain --size 4x4
expect 0 run downsample scene.npy -o small.npy --size 9x5
check 'a size that was asked for' npy is small.npy '<f4' 5,9,3
expect 0 run downsample scene.npy -o sizes --size 32x18,16x9,1x1
check 'an output a size' test -s sizes/dst0.npy -a -s sizes/dst1.npy -a -s sizes/dst2.npy -a ! -e sizes/dst3.npy
expect 0 run downsample scene.npy --size 1x1 --compare sizes/dst2.npy --psnr 120
expect 0 run downsample a.png grey.png -o smaller --size 7x5
check 'a batch of one size' test -s smaller/a.png -a -s smaller/grey.png
refuse '--size' run downsample scene.npy -o none.npy
refuse 'larger' run downsample scene.npy -o none.npy --size 65x36
refuse 'at most 4' run downsample scene.npy -o none --size 1x1,2x2,3x3,4x4,5x5
refuse '1..400' run spectrum rgb.npy -o none.npy --set range=0
refuse 'npy' run convolve words.npy one.npy -o o.npy --format rgba32f
refuse 'channels' run convolve rgba.npy one.npy -o o.npy --format r32f

# ---- compare ----
expect 0 run convolve rgb.npy one.npy --compare rgb.npy --psnr 110
expect 1 run convolve rgb.npy box.npy --compare rgb.npy
check '--compare prints the distance' grep -q 'PSNR' out
expect 1 run convolve rgb.npy one.npy --compare zero.npy
expect 0 run convolve codes.npy one.npy --compare codes.npy
expect 1 run convolve codes.npy box.npy -o o.npy --compare codes.npy
check '--compare still writes -o' test -s o.npy
refuse 'size' run convolve rgb.npy one.npy --compare scene.npy
refuse 'channels' run convolve rgb.npy one.npy --compare ramp.npy
refuse 'missing.npy' run convolve rgb.npy one.npy --compare missing.npy
refuse '--compare' run convolve rgb.npy one.npy -o o.npy --psnr 50

# ---- plan, frames ----
expect 0 run convolve ramp.npy box.npy --plan
check '--plan prints the memory' grep -q 'scratch' out
check '--plan predicts the step and the pass' plan_table out 2
check '--plan alone measures nothing' test -z "$(grep measured out)"
check '--plan names the copy speed' grep -Eq 'copy speed of [0-9.]+ GB/s' out
check '--plan on a CPU says so' renderer_is_told out
expect 0 tune --help
expect 0 tune -o tuning.txt --seconds 1
check 'tune writes what the module reads' grep -q '^afterglow tuning 1$' tuning.txt
refuse '--seconds' tune --seconds 0
refuse 'no input' tune ramp.npy
echo 'time.convolve.direct 3 2' >>tuning.txt
expect 0 run convolve ramp.npy box.npy --plan --tuning tuning.txt
check '--plan predicts by the tuning' grep -q 'by --tuning, 3.00 us a dispatch, 2.000 a megabyte' out
check 'a tuning of this device is taken silently' test ! -s err
sed 's/^driver .*/driver of yesterday/' tuning.txt >stale.txt
expect 0 run convolve ramp.npy box.npy --plan --tuning stale.txt
check 'a stale tuning is refused in a sentence' grep -q 'driver of yesterday.*defaults serve' err
check 'a stale tuning predicts nothing' grep -Eq 'copy speed of [0-9.]+ GB/s' out
refuse 'no-such' run convolve ramp.npy box.npy --plan --tuning no-such.txt
expect 0 run convolve ramp.npy box.npy --plan --frames 4
check '--plan with --frames puts medians beside' plan_table out 2 measured
expect 0 run convolve ramp.npy box.npy --set method=fft --plan --frames 4
check '--plan with --frames does so for each step' plan_table out 4 measured
check '--plan says what it cannot know of a kernel' grep -q 'less if prepare finds' out
expect 0 run convolve ramp.npy box.npy --frames 8 --stats s.csv --trace t.json --set method=fft
check '--frames prints a table' grep -q 'whole pass' out
check '--stats writes CSV' grep -q '^whole pass,' s.csv
check '--stats has every column' npy stats s.csv 8
check '--trace has both tracks, by the rules' "$here/check_trace.py" t.json 8 3
expect 0 run convolve ramp.npy box.npy --frames 300 --stats s300.csv --trace t300.json
check '--stats has every frame' npy stats s300.csv 300
check '--trace of 300 frames' "$here/check_trace.py" t300.json 300 1
expect 0 info --json --copy
check 'info --copy measures' grep -q '"copy_gb_per_s": [0-9]' out
expect 0 run bloom scene.npy -o o.npy --frames 4 --stats s.json
check '--stats writes JSON' python3 -m json.tool s.json
refuse '.csv' run convolve ramp.npy one.npy -o o.npy --stats s.txt
refuse '.json' run convolve ramp.npy one.npy -o o.npy --trace t.txt
refuse 'integer' run convolve ramp.npy one.npy -o o.npy --frames 0

# ---- batch ----
expect 0 run convolve rgb.npy rgba.npy a.png --slot kernel=one.npy -o batch
check 'batch: first' npy same rgb.npy batch/rgb.npy 1e-6
check 'batch: second' npy same rgba.npy batch/rgba.npy 1e-6
check 'batch: a picture' test -s batch/a.png
check 'batch: three files' test "$(ls -A batch | wc -l)" = 3
expect 0 run bloom a.jpg -o batch/
check 'batch: .jpg becomes .png' test -s batch/a.png
expect 0 run convolve a.png --slot kernel=one.npy -o batch --as npy
check 'batch: --as' npy is batch/a.npy '<f4' 20,31,3
mkdir -p twice && cp rgb.npy twice/
refuse 'twice/rgb.npy as batch2/rgb.npy are one file' run convolve rgb.npy twice/rgb.npy --slot kernel=one.npy -o batch2
refuse 'rgb.npy as ./rgb.npy would replace rgb.npy' run convolve rgb.npy rgba.npy --slot kernel=one.npy -o .
refuse '--slot' run convolve rgb.npy rgba.npy a.png -o batch2
refuse 'folder' run convolve rgb.npy rgba.npy --slot kernel=one.npy -o batch2.npy
refuse 'batch' run convolve rgb.npy rgba.npy --slot kernel=one.npy -o batch2 --frames 2
refuse '-o DIR' run convolve rgb.npy rgba.npy --slot kernel=one.npy
absent batch2
cp broken.png bad.png
expect 2 run convolve bad.png a.png --slot kernel=one.npy -o batch3
check 'batch: one bad file stops no other' test -s batch3/a.png
check 'batch: nothing for the bad file' test ! -e batch3/bad.png

# ---- live editing ----
wait_for() { # wait_for NAME COMMAND...: the command succeeds within a minute
    local name=$1 tries=0
    shift
    until "$@" >log 2>&1 || [ $((tries += 1)) = 600 ]; do
        sleep 0.1
    done
    check "$name" "$@"
}
cp -r "$shaders" live
"$afterglow" run convolve rgb.npy one.npy -o live.npy --set method=direct --shaders live --watch \
    >out 2>err &
watcher=$!
wait_for 'watch: it starts' grep -q 'watching live' err
check 'watch: the first output' npy same rgb.npy live.npy 1e-6
sed -i 's/u_gain \* total/2.0 * &/' live/fft/direct.comp
wait_for 'watch: an edit by rename' npy times rgb.npy live.npy 2
cp live.npy before.npy
sed 's/u_gain/u_gian/' live/fft/direct.comp >broken.comp
cat broken.comp >live/fft/direct.comp
wait_for 'watch: a mistake is shown with file and line' grep -q '^fft/direct.comp:[0-9]*:[0-9]*: ' err
check 'watch: and with the line and a caret' \
    bash -c "grep -A 1 '^    .*2.0 . u_gian . total' err | grep -q '^ *^$'"
check 'watch: the output stays' cmp before.npy live.npy
check 'watch: it goes on' kill -0 "$watcher"
sed 's/2.0 \* u_gian/5.0 * u_gain/; s/u_gian/u_gain/' broken.comp >live/fft/direct.comp
wait_for 'watch: mended in place' npy times rgb.npy live.npy 5
wait_for 'watch: it says what it wrote' grep -q 'edit 2: live.npy is written' err
kill -INT "$watcher"
wait "$watcher"
report $? 'watch: Ctrl-C ends it with status 0' err
cat broken.comp >live/fft/direct.comp
rm live.npy err # or the words of the former one would be taken for those of the next
"$afterglow" run convolve rgb.npy one.npy -o live.npy --set method=direct --shaders live --watch \
    >out 2>err &
watcher=$!
wait_for 'watch: it starts with broken shaders, too' grep -q 'watching live' err
check 'watch: and says which shaders are used instead' grep -q 'built-in shaders are used' err
check 'watch: and that is what it writes' npy same rgb.npy live.npy 1e-6
sed 's/u_gian/u_gain/' broken.comp >live/fft/direct.comp
wait_for 'watch: mended' npy times rgb.npy live.npy 2
kill -TERM "$watcher"
wait "$watcher"
report $? 'watch: so does being asked to stop' err
watcher=
refuse '--shaders' run convolve rgb.npy one.npy -o none.npy --watch
refuse '-o' run convolve rgb.npy one.npy --shaders live --plan --watch
refuse '--frames' run convolve rgb.npy one.npy -o none.npy --shaders live --watch --frames 3
cat broken.comp >live/fft/direct.comp
expect 1 run convolve rgb.npy one.npy -o none.npy --set method=direct --shaders live
check 'broken shaders are shown, not replaced in silence' grep -q 'u_gian' err
absent none

# ---- compiled programs ----
expect 0 run convolve rgb.npy one.npy -o cold.npy --set method=direct
if compgen -G 'cache/afterglow/*' >/dev/null; then # a driver that has program binaries
    check 'cache: nothing half-written' test "$(ls cache/afterglow | grep -c new-)" = 0
    check 'cache: private' test "$(stat -c %a cache/afterglow)" = 700
    cp -r cache/afterglow kept
    for file in cache/afterglow/*; do
        printf '\377\0\377' | dd of="$file" bs=1 seek=300 conv=notrunc 2>/dev/null
    done
    expect 0 run convolve rgb.npy one.npy -o warm.npy --set method=direct
    check 'cache: corrupt files change nothing' cmp cold.npy warm.npy
    check 'cache: and nobody hears of them' test ! -s err
    restored=0
    for file in cache/afterglow/*; do
        cmp -s "$file" "kept/${file##*/}" && restored=$((restored + 1))
    done
    check 'cache: those that were needed are as before' test "$restored" -ge 2
    for file in cache/afterglow/*; do
        rm "$file" && mkfifo "$file"
    done
    timeout 120 "$afterglow" run convolve rgb.npy one.npy -o warm.npy --set method=direct 2>err
    report $? 'cache: nobody waits for a FIFO' err
    check 'cache: FIFOs change nothing' cmp cold.npy warm.npy
fi
XDG_CACHE_HOME=/dev/null expect 0 run convolve rgb.npy one.npy -o warm.npy --set method=direct
check 'cache: no place for one' cmp cold.npy warm.npy
(unset XDG_CACHE_HOME HOME && "$afterglow" run convolve rgb.npy one.npy -o warm.npy --set method=direct) 2>err
report $? 'cache: no home' err

# ---- what is refused ----
refuse 'bloom' run nonsense rgb.npy -o none.npy
refuse 'effect' run
refuse 'src' run convolve -o none.npy
refuse 'kernel' run convolve rgb.npy -o none.npy
refuse '-o FILE' run convolve rgb.npy one.npy
refuse 'missing.npy' run convolve missing.npy one.npy -o none.npy
refuse '.npy' run convolve npy.py one.npy -o none.npy
refuse '.png' run convolve rgb.npy one.npy -o none.tiff
refuse 'missing' run convolve rgb.npy one.npy -o missing/none.npy
refuse 'broken.png' run convolve broken.png one.npy -o none.npy
refuse 'truncated' run convolve short.npy one.npy -o none.npy
refuse 'method' run convolve rgb.npy one.npy -o none.npy --set nonsense=1
refuse 'fft' run convolve rgb.npy one.npy -o none.npy --set method=nonsense
refuse 'on | off' run convolve rgb.npy one.npy -o none.npy --set scrub=2
refuse 'expected clamp | mirror | normalize' run local_stats rgb.npy -o none --set border=zero
refuse 'zero | clamp | mirror | normalize' run box_blur rgb.npy -o none.npy --set border=wrap
refuse 'no setting tables' run box_blur rgb.npy -o none.npy --set tables=image
refuse '0..1' run bloom rgb.npy -o none.npy --set intensity=2
refuse '3..16' run bloom rgb.npy -o none.npy --set blades=4.5
refuse '3 values' run bloom rgb.npy -o none.npy --set tint=1,2
refuse '3 values' run bloom rgb.npy -o none.npy --set tint=1,2,3,4
refuse 'NAME=VALUE' run bloom rgb.npy -o none.npy --set intensity
refuse 'number' run bloom rgb.npy -o none.npy --set intensity=nan
refuse 'kernel' run convolve rgb.npy one.npy -o none.npy --slot nonsense=one.npy
refuse 'NAME=FILE' run convolve rgb.npy one.npy -o none.npy --slot kernel
refuse 'rgba32f' run convolve rgb.npy one.npy -o none.npy --format nonsense
refuse 'dst' run convolve rgb.npy one.npy -o none.npy --format nonsense=rgba32f
refuse '31x20' run convolve rgb.npy one.npy -o none.npy --size 32x20
refuse 'WxH' run convolve rgb.npy one.npy -o none.npy --size 32
refuse '31x20' run convolve rgb.npy one.npy -o none.npy --rect 30,0,2,2
refuse 'X,Y,W,H' run convolve rgb.npy one.npy -o none.npy --rect 0,0,2
refuse 'X,Y,W,H' run convolve rgb.npy one.npy -o none.npy --rect 0,0,0,2
refuse 'folder' run convolve rgb.npy one.npy -o none.npy --shaders missing
refuse 'srgb8' run convolve a.png one.npy -o none.npy --linear --format srgb8
refuse '--size' run convolve rgb.npy one.npy -o none.npy --nonsense
refuse 'FILE' run convolve rgb.npy one.npy -o
refuse 'device' run convolve rgb.npy one.npy -o none.npy --device 999
npy make zero_kernel.npy '<f4' 3,3 zero
expect 1 run convolve rgb.npy zero_kernel.npy -o none.npy --set normalize=sum
mkdir -p no_shaders
expect 1 run convolve rgb.npy box.npy -o none.npy --shaders no_shaders
absent none

# ---- an effect with state: a texel of its own size, kept whole, that goes on from frame to frame ----
expect 0 run exposure scene.hdr -o state.npy --frames 60
check 'the state is one texel of four channels' npy is state.npy '<f4' 1,1,4
expect 0 run exposure scene.hdr -o first.npy
check 'a still image stays at what its first frame took' cmp <(tail -c 16 state.npy | head -c 4) <(tail -c 16 first.npy | head -c 4)
refuse '1x1' run exposure scene.hdr -o none.npy --size 2x2
# A warm-up leaves the state alone: frame 1 of 1 is what a run without --frames does. States are data, not pictures.
expect 0 run exposure bright.npy -o bright_state.npy
expect 0 run exposure rgb.npy --slot state=bright_state.npy -o once.npy
expect 0 run exposure rgb.npy --slot state=bright_state.npy -o timed.npy --frames 1
check 'a warm-up leaves the state alone' npy same once.npy timed.npy 0
refuse '.npy' run exposure rgb.npy -o state.hdr
refuse '.npy' run exposure rgb.npy -o state.png
expect 0 run exposure rgb.npy -o half_state.npy --format rgba16f
absent state.hdr state.png

echo "cli: $passed passed, $failed failed"
[ "$failed" = 0 ]
