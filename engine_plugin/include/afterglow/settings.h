// settings.h - how an effect's table of settings becomes a struct, its defaults and its reflection
// SPDX-License-Identifier: MIT
//
// The header of an effect says each setting once, in a row of a table. For example (every line of a
// macro but its last ends with a backslash)
//
//   #define AG_GLOW_SHAPE(X)
//       X(AG_GLOW_DISC, 0, "disc", "round")
//       X(AG_GLOW_STAR, 1, "star", "with six points")
//   AG_NAMED_ENUM(ag_glow_shape, AG_GLOW_SHAPE)
//
//   #define AG_GLOW_SETTINGS(X)
//       X(FLOAT, size, 0.3, 0, 2, "heights", PLAN, "its full extent")
//       X(ENUM, shape, AG_GLOW_STAR, AG_GLOW_SHAPE, PLAN, "what draws it")
//       X(FLOAT3, tint, 1, 1, 1, 0, 16, "", NOTHING, "its colour")
//   #define AG_GLOW_TAG AG_TAG('g', 'l', 'o', 'w')
//   AG_SETTINGS_STRUCT(ag_glow_settings, AG_GLOW_SETTINGS)
//
// becomes
//
//   enum ag_glow_shape { AG_GLOW_DISC = 0, AG_GLOW_STAR = 1 };
//   typedef struct ag_glow_settings {
//       uint32_t struct_size; // sizeof(ag_glow_settings)
//       uint32_t tag;         // AG_GLOW_TAG: whose settings these are
//       float size;
//       int32_t shape;
//       float tint[3];
//   } ag_glow_settings;
//
// Start from the defaults, which fill the first two members, too. In C and C++:
//
//   ag_glow_settings look = AG_GLOW_DEFAULTS;
//   look.size = 0.45f;
//   job.settings = &look;
//
// In C also by name. The struct lives as long as the block that names it, as compound literals do:
//
//   job.settings = ag_glow_params(.size = 0.45f, .shape = AG_GLOW_DISC);
//
// gcc -Wextra warns there of the defaults that a name overrides: -Wno-override-init.
//
// A row of a list has the columns constant, value, name, help; one of a table, by its kind:
//
//   FLOAT, INT  member, default, least, most, unit, change, help
//   FLOAT3      member, three defaults, least, most, unit, change, help      float[3]
//   MATRIX      member, least, most, unit, change, help                      float[16], an identity
//   BOOL        member, default, change, help                                int32_t, 0 or 1
//   ENUM        member, default, list of its values, change, help            int32_t
//
// `change` is the most that the next prepare does after a change of the setting: NOTHING, KERNEL or
// PLAN, which are AG_PREPARE_* of reflection.h. After the last two, execute waits for it.
#ifndef AFTERGLOW_SETTINGS_H
#define AFTERGLOW_SETTINGS_H

#include <stdint.h>

// Macros of your own can read the lists and tables, too. A row's arguments pass through AG_ROW,
// because Microsoft's older preprocessor takes them for one otherwise.
#define AG_ROW(row) row

#define AG_NAMED_ENUM(name, LIST) enum name { LIST(AG_ENUMERATOR) };
#define AG_ENUMERATOR(name, value, text, help) name = value,

#define AG_SETTINGS_STRUCT(type, TABLE) \
    typedef struct type {               \
        uint32_t struct_size;           \
        uint32_t tag;                   \
        TABLE(AG_MEMBER)                \
    } type;
#define AG_MEMBER(kind, ...) AG_ROW(AG_MEMBER_##kind(__VA_ARGS__))
#define AG_MEMBER_FLOAT(name, ...) float name;
#define AG_MEMBER_FLOAT3(name, ...) float name[3];
#define AG_MEMBER_MATRIX(name, ...) float name[16];
#define AG_MEMBER_INT(name, ...) int32_t name;
#define AG_MEMBER_BOOL(name, ...) int32_t name;
#define AG_MEMBER_ENUM(name, ...) int32_t name;

// {sizeof(type), tag, TABLE(AG_DEFAULT)} is an initializer of the struct.
#ifdef __cplusplus
#define AG_TO_FLOAT(number) static_cast<float>(number)
#else
#define AG_TO_FLOAT(number) (float)(number)
#endif
#define AG_DEFAULT(kind, ...) AG_ROW(AG_DEFAULT_##kind(__VA_ARGS__))
#define AG_DEFAULT_FLOAT(name, initial, ...) AG_TO_FLOAT(initial),
#define AG_DEFAULT_FLOAT3(name, x, y, z, ...) {AG_TO_FLOAT(x), AG_TO_FLOAT(y), AG_TO_FLOAT(z)},
#define AG_DEFAULT_MATRIX(name, ...) {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
#define AG_DEFAULT_INT(name, initial, ...) initial,
#define AG_DEFAULT_BOOL(name, initial, ...) initial,
#define AG_DEFAULT_ENUM(name, initial, ...) initial,

// A pointer to such a struct, with members overridden by name (C only).
#define AG_PARAMS(type, type_tag, TABLE, ...) \
    AG_PARAMS_BEGIN &(type){sizeof(type), type_tag, TABLE(AG_DEFAULT) __VA_ARGS__} AG_PARAMS_END
#ifdef __clang__
#define AG_PARAMS_BEGIN \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Winitializer-overrides\"")
#define AG_PARAMS_END _Pragma("clang diagnostic pop")
#else
#define AG_PARAMS_BEGIN
#define AG_PARAMS_END
#endif

// Names an effect, as the second member of its settings struct (ag_effect_info.settings_tag).
#define AG_TAG(a, b, c, d) ((a) + 0x100u * (b) + 0x10000u * (c) + 0x1000000u * (d))

// The help of the setting `scrub`. afterglow.h says which texels are bad.
#define AG_SCRUB_HELP "bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them"

#endif
