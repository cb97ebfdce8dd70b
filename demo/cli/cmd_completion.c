// cli/cmd_completion.c - `afterglow completion`: what a shell offers when Tab is pressed
// SPDX-License-Identifier: MIT
//
// Everything comes from the tables of commands and options, and from the effects' descriptions, so
// that a script knows what this program does. No script runs the program: what a pass's folder has,
// the scripts read in its shader.
#include "commands.h"
#include "effect.h"
#include "report.h"

#include <stdio.h>
#include <string.h>

const command command_completion = {
    .name = "completion",
    .usage = "bash|zsh|fish",
    .help = "prints a script for a shell, which then completes command lines",
    .notes = "  bash   eval \"$(afterglow completion bash)\"   in ~/.bashrc\n"
             "  zsh    afterglow completion zsh > _afterglow     in a folder of $fpath\n"
             "  fish   afterglow completion fish > ~/.config/fish/completions/afterglow.fish\n",
    .run = completion_command,
};

// ---- what is completed -------------------------------------------------------------------------

static bool names_file(const option *entry)
{
    static const char *const words[] = {"FILE", "DIR", "REF", "PATH"};
    for (size_t i = 0; entry->value && i < sizeof words / sizeof *words; i++)
        if (strstr(entry->value, words[i]))
            return true;
    return false;
}

// The form of a value, as "none|aces", is its choices where it has no capital letter.
static bool has_choices(const option *entry)
{
    return entry->value && strchr(entry->value, '|') &&
           !strpbrk(entry->value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

static void put_choices(const option *entry)
{
    if (strcmp(entry->name, "--format") == 0) {
        char names[512];
        fputs(format_names(names, sizeof names), stdout);
        return;
    }
    for (const char *at = has_choices(entry) ? entry->value : ""; *at; at++)
        putchar(*at == '|' ? ' ' : *at);
}

// The first line of a help, within single quotes; `escape` is put before what the shell would read.
static void put_quoted(const char *text, const char *special, const char *quote)
{
    for (; *text && *text != '\n'; text++) {
        if (*text == '\'') {
            fputs(quote, stdout);
            continue;
        }
        if (strchr(special, *text))
            putchar('\\');
        putchar(*text);
    }
}

static bool has_values(const ag_setting_info *setting)
{
    return setting->type == AG_BOOL || setting->type == AG_ENUM;
}

static void put_values(const ag_setting_info *setting)
{
    if (setting->type == AG_BOOL)
        fputs("on off", stdout);
    for (uint32_t i = 0, some = 0; setting->type == AG_ENUM && i < setting->name_count; i++)
        if (setting->names[i])
            printf("%s%s", some++ ? " " : "", setting->names[i]);
}

typedef struct effect_list {
    const ag_effect_info *const *all;
    uint32_t count;
} effect_list;

static void put_effects(effect_list effects)
{
    for (uint32_t i = 0; i < effects.count; i++)
        printf("%s%s", i ? " " : "", effects.all[i]->id);
}

// A program for awk: of the shader of a pass a line for each NAME= or NAME=VALUE, a tab, and help.
static const char pass_lines[] =
    "sub(/^\\/\\/!/, \"\") {\n"
    "    help = \"\"\n"
    "    if (match($0, /\".*\"/)) {\n"
    "        help = \"\\t\" substr($0, RSTART + 1, RLENGTH - 2)\n"
    "        $0 = substr($0, 1, RSTART - 1)\n"
    "    }\n"
    "    if ($1 == \"setting\" && $3 == \"choice\") {\n"
    "        for (i = 4; i <= NF; ++i) if ($i != \"constant\") print $2 \"=\" $i help\n"
    "    } else if ($1 == \"setting\" && $3 == \"bool\") {\n"
    "        print $2 \"=on\" help \"\\n\" $2 \"=off\" help\n"
    "    } else if ($1 == \"setting\" || ($1 == \"slot\" && $3 != \"write\")) {\n"
    "        print $2 \"=\" help\n"
    "    }\n"
    "}\n"
    "END { print \"scrub=on\\nscrub=off\" }";

// ---- bash and zsh ------------------------------------------------------------------------------

// Functions of both shells: choices of an option, settings and slots of an effect, values of one.
static void put_tables(effect_list effects)
{
    printf("_afterglow_pass() {\n    [ ! -f \"${1/#\\~/$HOME}/pass.comp\" ] || awk '%s' "
           "\"${1/#\\~/$HOME}/pass.comp\" | cut -f1\n}\n",
           pass_lines);
    puts("_afterglow_choices() {\n    case $1 in");
    for (int c = 0; command_table[c]; c++)
        for (int i = 0; i < command_table[c]->option_count; i++) {
            const option *entry = &command_table[c]->options[i];
            if (!has_choices(entry) && strcmp(entry->name, "--format") != 0)
                continue;
            printf("    %s:%s) echo '", command_table[c]->name, entry->name);
            put_choices(entry);
            puts("' ;;");
        }
    puts("    esac\n}\n_afterglow_words() {\n    case $1 in");
    for (uint32_t i = 0; i < effects.count; i++) {
        const ag_effect_info *effect = effects.all[i];
        printf("    %s) echo '", effect->id);
        for (int k = 0; k < (int)effect->setting_count; k++)
            printf("%s= ", effect_setting(effect, k)->name);
        for (int k = 0; k < (int)effect->slot_count; k++)
            if (effect_slot(effect, k)->access & AG_READ)
                printf("%s= ", effect_slot(effect, k)->name);
        puts("' ;;");
    }
    puts("    *) _afterglow_pass \"$1\" | sed 's/=.*/=/' | sort -u ;;");
    puts("    esac\n}\n_afterglow_values() {\n    case $1 in");
    for (uint32_t i = 0; i < effects.count; i++)
        for (int k = 0; k < (int)effects.all[i]->setting_count; k++) {
            const ag_setting_info *setting = effect_setting(effects.all[i], k);
            if (!has_values(setting))
                continue;
            printf("    %s:%s) echo '", effects.all[i]->id, setting->name);
            put_values(setting);
            puts("' ;;");
        }
    puts("    *) _afterglow_pass \"${1%:*}\" | sed -n \"s/^${1##*:}=//p\" ;;");
    puts("    esac\n}");
}

static void put_bash_options(void)
{
    puts("_afterglow_options() {\n    case $1 in");
    for (int c = 0; command_table[c]; c++) {
        printf("    %s) echo '--help", command_table[c]->name);
        for (int i = 0; i < command_table[c]->option_count; i++)
            printf(" %s", command_table[c]->options[i].name);
        puts("' ;;");
    }
    puts("    esac\n}\n_afterglow_files() {\n    case $1 in");
    for (int c = 0; command_table[c]; c++)
        for (int i = 0; i < command_table[c]->option_count; i++)
            if (names_file(&command_table[c]->options[i]))
                printf("    %s:%s) return 0 ;;\n", command_table[c]->name,
                       command_table[c]->options[i].name);
    puts("    esac\n    return 1\n}");
}

static void put_bash(effect_list effects)
{
    puts("# bash completion of afterglow, made by `afterglow completion bash`");
    put_tables(effects);
    put_bash_options();
    fputs("_afterglow() {\n"
          "    local words cword i effect= expects=1 current=${COMP_WORDS[COMP_CWORD]}\n"
          "    local command=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD-1]} found=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    for (int c = 0; command_table[c]; c++)
        printf("%s ", command_table[c]->name);
    fputs("help --help --version --module' -- \"$current\"))\n"
          "        return\n"
          "    fi\n"
          "    if [ \"$command\" = help ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    for (int c = 0; command_table[c]; c++)
        printf("%s ", command_table[c]->name);
    fputs(
        "' -- \"$current\"))\n"
        "        return\n"
        "    fi\n"
        "    # The effect that the cursor is behind: the first word, and each after a +.\n"
        "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
        "        case ${COMP_WORDS[i]} in\n"
        "        +) expects=1 effect= ;;\n"
        "        -*) ;;\n"
        "        *) [ $expects = 0 ] || effect=${COMP_WORDS[i]} expects=0 ;;\n"
        "        esac\n"
        "    done\n"
        "    [ \"$command\" = kernel ] && effect=bloom expects=0\n"
        "    [ \"$command\" = ocean ] && effect=ocean expects=0\n"
        "    # bash cuts words at =.\n"
        "    if [ \"$current\" = = ] || [ \"$before\" = = ]; then\n"
        "        [ \"$current\" = = ] && { found=$before current=; } || "
        "found=${COMP_WORDS[COMP_CWORD-2]}\n"
        "        COMPREPLY=($(compgen -W \"$(_afterglow_values \"$effect:$found\")\" -- "
        "\"$current\"))\n"
        "        [ ${#COMPREPLY[@]} = 0 ] && COMPREPLY=($(compgen -f -- \"$current\"))\n"
        "        return\n"
        "    fi\n"
        "    found=$(_afterglow_choices \"$command:$before\")\n"
        "    if [ -n \"$found\" ]; then\n"
        "        COMPREPLY=($(compgen -W \"$found\" -- \"$current\"))\n"
        "        return\n"
        "    fi\n"
        "    if _afterglow_files \"$command:$before\" && [ \"$before\" != --slot ] && "
        "[ \"$before\" != --write ]; then\n"
        "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
        "        return\n"
        "    fi\n"
        "    case $current in\n"
        "    -*) COMPREPLY=($(compgen -W \"$(_afterglow_options \"$command\")\" -- \"$current\"))\n"
        "        return ;;\n"
        "    esac\n"
        "    if [ $expects = 1 ] && { [ \"$command\" = run ] || [ \"$command\" = list ]; }; then\n"
        "        COMPREPLY=($(compgen -W '",
        stdout);
    put_effects(effects);
    puts("' -- \"$current\") $(compgen -d -- \"$current\"))\n"
         "        return\n"
         "    fi\n"
         "    COMPREPLY=($(compgen -W \"$(_afterglow_words \"$effect\")\" -- \"$current\"))\n"
         "    [ ${#COMPREPLY[@]} = 0 ] || compopt -o nospace\n"
         "    COMPREPLY+=($(compgen -f -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _afterglow afterglow");
}

static void put_zsh(effect_list effects)
{
    puts("#compdef afterglow\n# zsh completion of afterglow, made by `afterglow completion zsh`");
    put_tables(effects);
    fputs("_afterglow_word() {\n"
          "    local i effect= expects=1 name=\n"
          "    for ((i = 3; i < CURRENT; i++)); do\n"
          "        case $words[i] in\n"
          "        +) expects=1 effect= ;;\n"
          "        -*) ;;\n"
          "        *) ((expects)) && effect=$words[i] expects=0 ;;\n"
          "        esac\n"
          "    done\n"
          "    [[ $words[2] = kernel ]] && effect=bloom expects=0\n"
          "    [[ $words[2] = ocean ]] && effect=ocean expects=0\n"
          "    if ((expects)) && [[ $words[2] = (run|list) ]]; then\n"
          "        local -a effects=(",
          stdout);
    for (uint32_t i = 0; i < effects.count; i++) {
        printf("'%s:", effects.all[i]->id);
        put_quoted(effects.all[i]->help, "", "'\\''");
        fputs("' ", stdout);
    }
    puts(")\n"
         "        _describe effect effects\n"
         "        _files -/\n"
         "        return\n"
         "    fi\n"
         "    if [[ $PREFIX = *=* ]]; then\n"
         "        name=${PREFIX%%=*}\n"
         "        compset -P '*='\n"
         "        compadd -- ${=$(_afterglow_values $effect:$name)} || _files\n"
         "        return\n"
         "    fi\n"
         "    compadd -S '' -- ${=$(_afterglow_words $effect)}\n"
         "    _files\n"
         "}\n"
         "_afterglow() {\n"
         "    local -a commands\n"
         "    commands=(");
    for (int c = 0; command_table[c]; c++) {
        printf("        '%s:", command_table[c]->name);
        put_quoted(command_table[c]->help, ":", "'\\''");
        puts("'");
    }
    puts("        'help:explains a command'\n"
         "    )\n"
         "    if ((CURRENT == 2)) || [[ $words[2] = help ]]; then\n"
         "        _describe command commands\n"
         "        return\n"
         "    fi\n"
         "    case $words[2] in");
    for (int c = 0; command_table[c]; c++) {
        printf("    %s) _arguments '--help[show the help]' ", command_table[c]->name);
        for (int i = 0; i < command_table[c]->option_count; i++) {
            const option *entry = &command_table[c]->options[i];
            printf("\\\n        '*%s[", entry->name);
            put_quoted(entry->help, "[]:\\", "'\\''");
            putchar(']');
            if (entry->value && strchr(entry->value, '=') && strcmp(entry->name, "--format") != 0)
                fputs(":value:_afterglow_word", stdout);
            else if (names_file(entry))
                fputs(":file:_files", stdout);
            else if (entry->value) {
                fputs(":value:(", stdout);
                put_choices(entry);
                putchar(')');
            }
            fputs("' ", stdout);
        }
        puts("\\\n        '*: :_afterglow_word' ;;");
    }
    puts("    esac\n}\n_afterglow \"$@\"");
}

// ---- fish --------------------------------------------------------------------------------------

static void put_fish_option(const command *owner, const option *entry)
{
    bool is_long = entry->name[1] == '-';
    printf("complete -c afterglow -n '__fish_seen_subcommand_from %s' -%c %s -d '", owner->name,
           is_long ? 'l' : 's', entry->name + 1 + is_long);
    put_quoted(entry->help, "\\", "\\'");
    putchar('\'');
    if (entry->value)
        fputs(names_file(entry) ? " -r -F" : " -x", stdout);
    if (has_choices(entry) || strcmp(entry->name, "--format") == 0) {
        fputs(" -a '", stdout);
        put_choices(entry);
        putchar('\'');
    }
    putchar('\n');
}

static void put_fish_effect(const ag_effect_info *effect)
{
    for (int i = 0; i < (int)effect->setting_count; i++) {
        const ag_setting_info *setting = effect_setting(effect, i);
        printf("complete -c afterglow -n '__afterglow_behind %s' -a '%s=", effect->id,
               setting->name);
        if (has_values(setting)) { // each value is a word
            for (uint32_t k = 0; setting->type == AG_ENUM && k < setting->name_count; k++)
                if (setting->names[k])
                    printf("%s%s%s%s", k ? " " : "", k ? setting->name : "", k ? "=" : "",
                           setting->names[k]);
            if (setting->type == AG_BOOL)
                printf("on %s=off", setting->name);
        }
        fputs("' -d '", stdout);
        put_quoted(setting->help, "\\", "\\'");
        puts("'");
    }
    for (int i = 0; i < (int)effect->slot_count; i++) {
        const ag_slot_info *slot = effect_slot(effect, i);
        if (!(slot->access & AG_READ))
            continue;
        printf("complete -c afterglow -n '__afterglow_behind %s' -a '%s=' -d '", effect->id,
               slot->name);
        put_quoted(slot->help, "\\", "\\'");
        puts("'");
    }
}

static void put_fish(effect_list effects)
{
    puts("# fish completion of afterglow, made by `afterglow completion fish`");
    printf("function __afterglow_pass\n"
           "    set -l file (string replace -r '^~' $HOME -- (__afterglow_effect))/pass.comp\n"
           "    test -f $file; and awk '%s' $file\n"
           "end\n",
           pass_lines);
    puts("# The effect that the cursor is behind: the first word, and each after a +.\n"
         "function __afterglow_effect\n"
         "    set -l words (commandline -opc)\n"
         "    set -l effect\n"
         "    set -l expects 1\n"
         "    switch \"$words[2]\"\n"
         "        case kernel\n"
         "            echo bloom\n"
         "            return\n"
         "        case ocean\n"
         "            echo ocean\n"
         "            return\n"
         "        case run list\n"
         "        case '*'\n"
         "            return\n"
         "    end\n"
         "    for word in $words[3..-1]\n"
         "        switch $word\n"
         "            case '+'\n"
         "                set expects 1\n"
         "                set effect\n"
         "            case '-*'\n"
         "            case '*'\n"
         "                test $expects = 1; and set effect $word\n"
         "                set expects 0\n"
         "        end\n"
         "    end\n"
         "    test $expects = 1; and echo +\n"
         "    test $expects = 0; and echo $effect\n"
         "end\n"
         "function __afterglow_behind\n"
         "    set -l effect (__afterglow_effect)\n"
         "    test \"$effect\" = \"$argv[1]\"\n"
         "end\n"
         "complete -c afterglow -l help -d 'show this help'");
    for (int c = 0; command_table[c]; c++) {
        printf("complete -c afterglow -n __fish_use_subcommand -f -a %s -d '",
               command_table[c]->name);
        put_quoted(command_table[c]->help, "\\", "\\'");
        puts("'");
        for (int i = 0; i < command_table[c]->option_count; i++)
            put_fish_option(command_table[c], &command_table[c]->options[i]);
    }
    puts("complete -c afterglow -n __fish_use_subcommand -f -a help -d 'explains a command'");
    for (uint32_t i = 0; i < effects.count; i++) {
        printf("complete -c afterglow -n '__afterglow_behind +' -a %s -d '", effects.all[i]->id);
        put_quoted(effects.all[i]->help, "\\", "\\'");
        puts("'");
        put_fish_effect(effects.all[i]);
    }
    puts("complete -c afterglow -n '__afterglow_effect | string match -q \"*/*\"' "
         "-a '(__afterglow_pass)'");
}

int completion_command(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*put)(effect_list effects);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    const ag_api *api = effect_api();
    if (!api)
        return STATUS_FAILED;
    effect_list effects;
    effects.all = api->effects(&effects.count);
    for (size_t i = 0; argc == 2 && i < sizeof shells / sizeof *shells; i++)
        if (strcmp(argv[1], shells[i].name) == 0) {
            shells[i].put(effects);
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "completion needs a shell: bash, zsh or fish");
}
