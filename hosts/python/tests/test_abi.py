"""The structs and constants of this package are those of afterglow.h, by the C compiler's word."""
# SPDX-License-Identifier: MIT
import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import afterglow
from afterglow import _abi as abi

INCLUDE = Path(__file__).resolve().parents[3] / "engine_plugin" / "include"
HEADER = "".join((INCLUDE / "afterglow" / name).read_text() for name in ("reflection.h", "afterglow.h"))


def compiler_says(folder: Path, body: str, *includes: str) -> dict[str, int]:
    """Compiles and runs a program with these lines of show(name, value)."""
    compiler = shutil.which("cc")
    assert compiler, "these tests need a C compiler"
    source = folder / "layout.c"
    source.write_text("#include <afterglow/afterglow.h>\n" + "".join(f"#include <afterglow/{name}>\n"
                                                                    for name in includes) +
                      "#include <stdio.h>\n"
                      '#define show(name, value) printf("%s %lld\\n", name, (long long)(value))\n'
                      f"int main(void)\n{{\n{body}\n    return 0;\n}}\n")
    program = folder / "layout"
    subprocess.run([compiler, "-std=c11", "-Werror", "-I", INCLUDE, source, "-o", program], check=True)
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: int(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def python_says() -> dict[str, int]:
    layout = {}
    for name, struct in abi.STRUCTS.items():
        layout[name] = ctypes.sizeof(struct)
        for field, *_ in struct._fields_:
            member = getattr(struct, field)
            layout[f"{name}.{field}"] = member.offset
            layout[f"{name}.{field} bytes"] = member.size
    return layout


def test_layouts(tmp_path):
    lines = []
    for name, struct in abi.STRUCTS.items():
        lines.append(f'show("{name}", sizeof({name}));')
        for field, *_ in struct._fields_:
            lines.append(f'show("{name}.{field}", offsetof({name}, {field}));')
            lines.append(f'show("{name}.{field} bytes", sizeof((({name} *)0)->{field}));')
    assert compiler_says(tmp_path, "\n".join(lines)) == python_says()


def test_a_wrong_layout_is_found(tmp_path, monkeypatch):

    class Swapped(ctypes.Structure):  # width and height of ag_buffer's neighbours, exchanged
        _fields_ = [("struct_size", ctypes.c_uint32), ("offset", ctypes.c_uint64), ("name", ctypes.c_uint32),
                    ("bytes", ctypes.c_uint64)]

    monkeypatch.setitem(abi.STRUCTS, "ag_buffer", Swapped)
    with pytest.raises(AssertionError):
        test_layouts(tmp_path)


def test_every_member_is_bound():
    """Also those that would fit into padding."""
    for name, struct in abi.STRUCTS.items():
        body = re.search(rf"typedef struct {name} \{{(.*?)\n}} {name};", HEADER, re.S)[1]
        body = re.sub(r"//[^\n]*", "", body)
        found = []
        for declaration in body.split(";"):
            pointer = re.search(r"\(\*(\w+)\)\(", declaration)
            if pointer and declaration.count("(*") == 1 or pointer and "api" in name:
                found.append(re.findall(r"\(\*(\w+)\)\(", declaration)[0])
            elif declaration.strip():
                found += [re.sub(r"\[.*?\]", "", part).split()[-1].lstrip("*") for part in declaration.split(",")]
        assert found == [field for field, *_ in struct._fields_], name


def test_constants(tmp_path):
    expected = abi.CONSTANTS | {name: value for value, name in abi.STATUS.items()} | {
        "AG_ABI_MAJOR": abi.ABI_MAJOR, "AG_ABI_MINOR": abi.ABI_MINOR, "AG_WHOLE_PASS": abi.WHOLE_PASS}  # yapf: disable
    body = "\n".join(f'show("{name}", {name});' for name in expected)
    assert compiler_says(tmp_path, body) == expected
    statuses = re.search(r"#define AG_STATUS_LIST.*?\n\n", HEADER, re.S)[0]
    assert sorted(abi.STATUS.values()) == sorted(re.findall(r"X\((AG_\w+), -?\d+", statuses))


@pytest.mark.parametrize("name", list(afterglow.effects))
def test_settings(tmp_path, name):
    """Offsets and sizes that reflection gives are those of the effect's settings struct."""
    effect = afterglow.effects[name]
    text = (INCLUDE / "afterglow" / f"{name}.h").read_text()
    struct = re.search(r"AG_SETTINGS_STRUCT\((ag_\w+_settings)", text)[1]
    expected = {struct: effect.settings_size}
    body = [f'show("{struct}", sizeof({struct}));']
    for setting in effect.settings.values():
        body.append(f'show("{setting.name}", offsetof({struct}, {setting.name}));')
        body.append(f'show("{setting.name} bytes", sizeof((({struct} *)0)->{setting.name}));')
        expected[setting.name] = setting.offset
        expected[f"{setting.name} bytes"] = 4 * setting.count
    assert compiler_says(tmp_path, "\n".join(body), f"{name}.h") == expected


def test_signatures():
    """Arguments and results of the table's functions and of the callbacks, by the header's text."""
    scalars = {"int32_t": ctypes.c_int32, "ag_status": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
               "uint64_t": ctypes.c_uint64, "size_t": ctypes.c_size_t}  # yapf: disable
    text = re.sub(r"//[^\n]*", "", HEADER)
    declared = re.findall(r"([\w *]+?)\(\*(?:const \*\()?(\w+)\)\(([^)]*)\)", text)
    checked = 0
    for struct in (abi.Host, abi.Api):
        for name, kind in struct._fields_:
            if not hasattr(kind, "_argtypes_"):
                continue
            result, arguments = next((result, arguments) for result, found, arguments in declared if found == name)
            wanted = [ctypes.c_void_p if "*" in one or "[" in one else scalars[one.split()[0]]
                      for one in arguments.split(",")]  # yapf: disable
            is_pointer = lambda one: one in (ctypes.c_void_p, ctypes.c_char_p) or hasattr(one, "contents") or hasattr(
                one, "_length_")
            assert [ctypes.c_void_p if is_pointer(one) else one for one in kind._argtypes_] == wanted, name
            words = result.replace("const", "").split()
            if "*" in result:
                assert is_pointer(kind._restype_), name
            elif words and words[0] != "void" and name != "effects":
                assert kind._restype_ is scalars[words[0]], name
            checked += 1
    assert checked == 10 - 1 + 20 - 1
