"""The structs and functions of afterglow.h, for ctypes.

tests/test_abi.py compiles a C program against the header and compares all sizes, offsets and constants with these.
"""
# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint32,
                    c_uint64, c_void_p)
from pathlib import Path

ABI_MAJOR, ABI_MINOR = 1, 0

STATUS = {
    0: "AG_OK", 1: "AG_PENDING", 2: "AG_FALLBACK", 3: "AG_UNTUNED",
    -1: "AG_E_ARG", -2: "AG_E_ABI", -3: "AG_E_GL", -4: "AG_E_FORMAT", -5: "AG_E_SIZE", -6: "AG_E_MEMORY",
    -7: "AG_E_SHADER", -8: "AG_E_LOST", -9: "AG_E_THREAD", -10: "AG_E_STATE",
}  # yapf: disable

CONSTANTS = {
    "AG_LOG_ERROR": 0, "AG_LOG_WARNING": 1, "AG_LOG_INFO": 2,
    "AG_READ": 1, "AG_WRITE": 2, "AG_OPTIONAL": 4, "AG_STATE": 8, "AG_LEVELS": 16, "AG_MAX_VALUES": 16,
    "AG_FLOAT": 0, "AG_INT": 1, "AG_BOOL": 2, "AG_ENUM": 3,
    "AG_PREPARE_NOTHING": 0, "AG_PREPARE_KERNEL": 1, "AG_PREPARE_PLAN": 2,
    "AG_USE_PASS": 1, "AG_USE_SAMPLE": 2, "AG_USE_IMAGE": 4, "AG_USE_FRAMEBUFFER": 8, "AG_USE_COPY": 16,
    "AG_USE_UNKNOWN": 0,
    "AG_JOB_RESTORE": 1, "AG_JOB_TIME_STEPS": 2, "AG_JOB_UNTIMED": 4, "AG_JOB_BACKGROUND": 8, "AG_JOB_RESET": 16,
    "AG_DEVICE_LABELS": 1, "AG_DEVICE_VALIDATE": 2,
}  # yapf: disable

READ, WRITE, OPTIONAL, STATE, LEVELS = (CONSTANTS["AG_" + n] for n in ("READ", "WRITE", "OPTIONAL", "STATE", "LEVELS"))
FLOAT, INT, BOOL, ENUM = range(4)
LOG_ERROR, LOG_WARNING, LOG_INFO = range(3)
WHOLE_PASS = 0xffffffff


class Message(Structure):
    _fields_ = [("struct_size", c_uint32), ("level", c_int32), ("code", c_int32), ("text", c_char_p),
                ("file", c_char_p), ("line", c_uint32), ("column", c_uint32)]


class Span(Structure):
    _fields_ = [("struct_size", c_uint32), ("step", c_uint32), ("pass", c_void_p), ("effect", c_char_p),
                ("name", c_char_p), ("frame", c_uint64), ("gpu_begin", c_uint64), ("gpu_end", c_uint64),
                ("cpu_begin", c_uint64), ("cpu_end", c_uint64), ("host_begin", c_uint64), ("host_end", c_uint64),
                ("clock_error", c_uint64), ("flags", c_uint32), ("reserved", c_uint32)]


GlProc = CFUNCTYPE(c_void_p, c_void_p, c_char_p)
Log = CFUNCTYPE(None, c_void_p, POINTER(Message))
IsCurrent = CFUNCTYPE(c_int32, c_void_p)
SpanCall = CFUNCTYPE(None, c_void_p, POINTER(Span))


class Host(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("user", c_void_p), ("gl_proc", GlProc),
                ("alloc", CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_size_t)),
                ("free", CFUNCTYPE(None, c_void_p, c_void_p, c_size_t, c_size_t)), ("log", Log),
                ("now_ns", CFUNCTYPE(c_uint64, c_void_p)), ("is_current", IsCurrent), ("span", SpanCall),
                ("cache_load", CFUNCTYPE(c_size_t, c_void_p, c_char_p, c_void_p, c_size_t)),
                ("cache_store", CFUNCTYPE(None, c_void_p, c_char_p, c_void_p, c_size_t))]


class DeviceDesc(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("shader_dir", c_char_p),
                ("image_unit_base", c_uint32), ("ssbo_base", c_uint32), ("timer_capacity", c_uint32),
                ("frame_budget", c_uint32), ("copy_speed", c_uint32), ("texture_unit_base", c_uint32),
                ("without", c_uint32), ("reserved", c_uint32), ("tuning", c_char_p)]


class SlotInfo(Structure):
    _fields_ = [("name", c_char_p), ("help", c_char_p), ("access", c_uint32), ("format_count", c_uint32),
                ("formats", POINTER(c_uint32))]


class SettingInfo(Structure):
    _fields_ = [("name", c_char_p), ("unit", c_char_p), ("help", c_char_p), ("type", c_uint32), ("offset", c_uint32),
                ("count", c_uint32), ("name_count", c_uint32), ("min", c_double), ("max", c_double),
                ("initial", c_double * CONSTANTS["AG_MAX_VALUES"]), ("names", POINTER(c_char_p)),
                ("value_help", POINTER(c_char_p)), ("prepare", c_uint32), ("reserved", c_uint32)]


class EffectInfo(Structure):
    _fields_ = [("struct_size", c_uint32), ("settings_size", c_uint32), ("id", c_char_p), ("help", c_char_p),
                ("slots", c_void_p), ("slot_count", c_uint32), ("slot_stride", c_uint32), ("settings", c_void_p),
                ("setting_count", c_uint32), ("setting_stride", c_uint32), ("image_units", c_uint32),
                ("ssbos", c_uint32), ("texture_units", c_uint32), ("settings_tag", c_uint32)]


class Texture(Structure):
    _fields_ = [("struct_size", c_uint32), ("name", c_uint32), ("target", c_uint32), ("format", c_uint32),
                ("width", c_int32), ("height", c_int32), ("level", c_int32), ("first_layer", c_int32),
                ("layers", c_int32), ("rect_x", c_int32), ("rect_y", c_int32), ("rect_width", c_int32),
                ("rect_height", c_int32), ("reserved", c_uint32), ("version", c_uint64)]


class Buffer(Structure):
    _fields_ = [("struct_size", c_uint32), ("name", c_uint32), ("offset", c_uint64), ("bytes", c_uint64)]


class Job(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("slots", POINTER(Texture)),
                ("slot_count", c_uint32), ("next_use", c_uint32), ("settings", c_void_p), ("frame", c_uint64),
                ("scratch", Buffer), ("restore", c_void_p), ("plan_width", c_int32), ("plan_height", c_int32),
                ("dt", c_float), ("reserved", c_uint32)]


class Plan(Structure):
    _fields_ = [("struct_size", c_uint32), ("step_count", c_uint32), ("step_stride", c_uint32),
                ("resource_count", c_uint32), ("resource_stride", c_uint32), ("barriers_before", c_uint32),
                ("barriers_after", c_uint32), ("reserved", c_uint32), ("steps", c_void_p), ("resources", c_void_p),
                ("key", c_uint64), ("scratch_bytes", c_uint64), ("scratch_alignment", c_uint64),
                ("persistent_bytes", c_uint64), ("text", c_char * 384)]


class Stats(Structure):
    _fields_ = [("struct_size", c_uint32), ("samples", c_uint32), ("count", c_uint64), ("dropped", c_uint64)] + [
        (f"{clock}_{what}", c_double) for clock in ("gpu", "cpu")
        for what in ("last", "min", "median", "p95", "p99", "mean")
    ] + [("gpu_first", c_double), ("cpu_first", c_double), ("cpu_prepare", c_double), ("bytes", c_uint64),
         ("gb_per_s", c_double), ("copy_ratio", c_double)]


class Health(Structure):
    _fields_ = [("struct_size", c_uint32), ("programs", c_uint32), ("scrubbed_texels", c_uint64),
                ("dropped_samples", c_uint64), ("persistent_bytes", c_uint64), ("programs_from_cache", c_uint32),
                ("reserved", c_uint32)]


class Api(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("abi_major", c_uint32), ("abi_minor", c_uint32), ("reserved", c_uint32),
        ("version", c_char_p),
        ("effects", CFUNCTYPE(POINTER(POINTER(EffectInfo)), POINTER(c_uint32))),
        ("defaults", CFUNCTYPE(c_int32, c_char_p, c_void_p, c_uint32)),
        ("status_text", CFUNCTYPE(c_char_p, c_int32)),
        ("device_create", CFUNCTYPE(c_int32, POINTER(Host), POINTER(DeviceDesc), POINTER(c_void_p))),
        ("device_destroy", CFUNCTYPE(None, c_void_p, c_int32)),
        ("health", CFUNCTYPE(c_int32, c_void_p, POINTER(Health))),
        ("frame", CFUNCTYPE(c_int32, c_void_p, c_uint64)),
        ("texture", CFUNCTYPE(c_int32, c_void_p, c_uint32, c_int32, POINTER(Texture))),
        ("forget", CFUNCTYPE(None, c_void_p, c_uint32)),
        ("pass_create", CFUNCTYPE(c_int32, c_void_p, c_char_p, POINTER(c_void_p))),
        ("pass_destroy", CFUNCTYPE(None, c_void_p)),
        ("run", CFUNCTYPE(c_int32, c_void_p, POINTER(Job))),
        ("declare", CFUNCTYPE(c_int32, c_void_p, POINTER(Job), POINTER(POINTER(Plan)))),
        ("slot_size", CFUNCTYPE(c_int32, c_void_p, POINTER(Job), c_uint32, c_int32 * 3)),
        ("prepare", CFUNCTYPE(c_int32, c_void_p, POINTER(Job))),
        ("execute", CFUNCTYPE(c_int32, c_void_p, POINTER(Job), POINTER(c_uint32))),
        ("stats", CFUNCTYPE(c_int32, c_void_p, c_uint32, POINTER(Stats))),
        ("reload_status", c_void_p),  # not bound, as the three below
        ("sat_error", c_void_p), ("sat_fraction_bits", c_void_p), ("sat_choose", c_void_p),
        ("pass_load", CFUNCTYPE(c_int32, c_void_p, c_char_p, POINTER(POINTER(EffectInfo)))),
        ("effect_defaults", CFUNCTYPE(c_int32, POINTER(EffectInfo), c_void_p, c_uint32)),
    ]  # yapf: disable


STRUCTS = {
    "ag_message": Message, "ag_span": Span, "ag_host": Host, "ag_device_desc": DeviceDesc, "ag_slot_info": SlotInfo,
    "ag_setting_info": SettingInfo, "ag_effect_info": EffectInfo, "ag_texture": Texture, "ag_buffer": Buffer,
    "ag_job": Job, "ag_plan": Plan, "ag_stats": Stats, "ag_health": Health, "ag_api": Api,
}  # yapf: disable


def new(struct: type[Structure], **members):
    """A struct with `struct_size` set, the other members zero or as given."""
    return struct(struct_size=ctypes.sizeof(struct), **members)


def library_path() -> str:
    """The library: what the environment variable AFTERGLOW_LIBRARY names, else the one in this package, else the system's."""
    named = os.environ.get("AFTERGLOW_LIBRARY")
    path = Path(named) if named else Path(__file__).with_name("libafterglow.so")
    if named and not path.is_file():
        raise ImportError(f"AFTERGLOW_LIBRARY: {path} does not exist")
    return str(path) if path.is_file() else "libafterglow.so.1"


def load(path: str) -> Api:
    """The module's table of functions. The library stays loaded until the process ends."""
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"{error}; `pip install hosts/python` builds the library, and the environment variable "
                          "AFTERGLOW_LIBRARY can name one") from error
    entry = library.ag_entry_v1
    entry.restype, entry.argtypes = POINTER(Api), [c_uint32]
    table = entry(ABI_MINOR).contents
    if table.abi_major != ABI_MAJOR or table.struct_size < ctypes.sizeof(Api):
        raise ImportError(f"{path}: its interface {table.abi_major}.{table.abi_minor} with {table.struct_size} bytes "
                          f"is not {ABI_MAJOR}.{ABI_MINOR} with {ctypes.sizeof(Api)}, for which this package is made")
    return table


api = load(library_path())
