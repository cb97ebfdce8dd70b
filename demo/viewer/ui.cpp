// viewer/ui.cpp - Dear ImGui as C sees it: the one file of C++
// SPDX-License-Identifier: MIT
#include "ui.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

float g_scale = 1;
ImFont *g_fonts[5];
bool g_over = false;

// For tests: where things are.
const char *g_places = nullptr;
std::string g_path, g_told, g_state;

void tell(const char *id)
{
    if (!g_places)
        return;
    ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    char line[256];
    std::snprintf(line, sizeof line, "%s%s %.0f %.0f %.0f %.0f\n", g_path.c_str(), id, a.x, a.y,
                  b.x - a.x, b.y - a.y);
    g_told += line;
}

void write_places()
{
    std::string next = std::string(g_places) + ".new";
    FILE *file = std::fopen(next.c_str(), "w");
    if (!file)
        return;
    std::fputs((g_told + g_state).c_str(), file);
    std::fclose(file);
    std::rename(next.c_str(), g_places);
    g_told.clear();
}

constexpr uint32_t rgb(uint32_t hex, uint32_t alpha = 255)
{
    return (hex >> 16 & 255) | (hex & 0xff00) | (hex & 255) << 16 | alpha << 24;
}

// Neutral greys, so that the panel lends the picture no tint; one warm accent.
const uint32_t g_colours[UI_COLOURS] = {rgb(0xe4e6ea), rgb(0xa0a6b0),     rgb(0x6c727d),
                                        rgb(0xf0a63c), rgb(0x6fc28b),     rgb(0xe5584f),
                                        rgb(0x1a1c20), rgb(0x131518),     rgb(0x2b2e34),
                                        rgb(0x2a2d33), rgb(0x0b0c0e, 214)};

const uint32_t g_series[8] = {rgb(0x5b9bd5), rgb(0xf0a63c), rgb(0x74c69d), rgb(0xd9736b),
                              rgb(0xa88bd6), rgb(0x56c4c9), rgb(0xd6c45a), rgb(0xd88bb6)};

ImVec4 vec(uint32_t colour)
{
    return ImGui::ColorConvertU32ToFloat4(colour);
}
ImDrawList *list()
{
    return g_over ? ImGui::GetForegroundDrawList() : ImGui::GetWindowDrawList();
}
ImFont *font(ui_font which)
{
    return g_fonts[which];
}

void set_style()
{
    ImGuiStyle &s = ImGui::GetStyle();
    s = ImGuiStyle();
    s.WindowRounding = s.ChildRounding = 0;
    s.FrameRounding = s.GrabRounding = s.PopupRounding = 3;
    s.ScrollbarRounding = 3;
    s.WindowBorderSize = s.ChildBorderSize = s.FrameBorderSize = 0;
    s.PopupBorderSize = 1;
    s.WindowPadding = ImVec2(14, 10);
    s.FramePadding = ImVec2(7, 3);
    s.ItemSpacing = ImVec2(6, 5);
    s.ItemInnerSpacing = ImVec2(4, 4);
    s.ScrollbarSize = 10;
    s.GrabMinSize = 8;
    s.ScaleAllSizes(g_scale);
    ImVec4 *c = s.Colors;
    c[ImGuiCol_Text] = vec(g_colours[UI_TEXT]);
    c[ImGuiCol_TextDisabled] = vec(g_colours[UI_FAINT]);
    c[ImGuiCol_WindowBg] = vec(g_colours[UI_PANEL]);
    c[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
    c[ImGuiCol_PopupBg] = vec(rgb(0x202329));
    c[ImGuiCol_Border] = vec(rgb(0x3a3e46));
    c[ImGuiCol_FrameBg] = vec(g_colours[UI_FIELD]);
    c[ImGuiCol_FrameBgHovered] = vec(rgb(0x343840));
    c[ImGuiCol_FrameBgActive] = vec(rgb(0x3b4049));
    c[ImGuiCol_SliderGrab] = vec(rgb(0x565c67));
    c[ImGuiCol_SliderGrabActive] = vec(g_colours[UI_ACCENT]);
    c[ImGuiCol_Button] = vec(g_colours[UI_FIELD]);
    c[ImGuiCol_ButtonHovered] = vec(rgb(0x383c45));
    c[ImGuiCol_ButtonActive] = vec(rgb(0x454a54));
    c[ImGuiCol_Header] = vec(rgb(0x383c45));
    c[ImGuiCol_HeaderHovered] = vec(rgb(0x3f444e));
    c[ImGuiCol_HeaderActive] = vec(rgb(0x454a54));
    c[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
    c[ImGuiCol_ScrollbarGrab] = vec(rgb(0x383c45));
    c[ImGuiCol_ScrollbarGrabHovered] = vec(rgb(0x454a54));
    c[ImGuiCol_ScrollbarGrabActive] = vec(rgb(0x545a66));
    c[ImGuiCol_TextSelectedBg] = vec(rgb(0xf0a63c, 90));
    c[ImGuiCol_NavHighlight] = ImVec4(0, 0, 0, 0);
}

ImFont *add_font(const unsigned char *data, size_t size, float points)
{
    static const ImWchar ranges[] = {0x20, 0xff, 0x2013, 0x2026, 0};
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = 3;
    config.OversampleV = 2;
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char *>(data),
                                                      static_cast<int>(size),
                                                      std::round(points * g_scale), &config,
                                                      ranges);
}

} // namespace

extern "C" {

// ---- the context

bool ui_open(float scale, const unsigned char *regular, size_t regular_size,
             const unsigned char *medium, size_t medium_size, const unsigned char *mono,
             size_t mono_size)
{
    g_scale = scale;
    ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    static const ImGuiKey keys[9] = {ImGuiKey_Tab,       ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
                                     ImGuiKey_Backspace, ImGuiKey_Delete,    ImGuiKey_Enter,
                                     ImGuiKey_Escape,    ImGuiKey_Home,      ImGuiKey_End};
    for (int i = 0; i < 9; i++)
        io.KeyMap[keys[i]] = i;
    g_fonts[UI_REGULAR] = add_font(regular, regular_size, 14);
    g_fonts[UI_MEDIUM] = add_font(medium, medium_size, 14);
    g_fonts[UI_SMALL] = add_font(regular, regular_size, 12);
    g_fonts[UI_MONO] = add_font(mono, mono_size, 13);
    g_fonts[UI_TITLE] = add_font(medium, medium_size, 19);
    set_style();
    return io.Fonts->Build();
}

void ui_close(void)
{
    if (ImGui::GetCurrentContext())
        ImGui::DestroyContext();
}

const unsigned char *ui_atlas(int *width, int *height)
{
    unsigned char *texels = nullptr;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&texels, width, height);
    return texels;
}

void ui_set_atlas(uint32_t texture)
{
    ImGui::GetIO().Fonts->SetTexID(reinterpret_cast<ImTextureID>(static_cast<uintptr_t>(texture)));
}

void ui_begin(const ui_input *in)
{
    ImGuiIO &io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(in->width), static_cast<float>(in->height));
    io.DeltaTime = in->dt > 0 ? in->dt : 1.0f / 60;
    bool away = in->mouse[0] < 0;
    io.MousePos = away ? ImVec2(-FLT_MAX, -FLT_MAX) : ImVec2(in->mouse[0], in->mouse[1]);
    for (int i = 0; i < 3; i++)
        io.MouseDown[i] = in->buttons[i];
    io.MouseWheel = in->wheel;
    io.KeyCtrl = in->alter;
    io.KeyShift = in->fast;
    for (int i = 0; i < 9; i++)
        io.KeysDown[i] = in->edit[i];
    for (int i = 0; i < in->char_count; i++)
        io.AddInputCharacter(in->chars[i]);
    ImGui::NewFrame();
    ImGui::PushFont(g_fonts[UI_REGULAR]);
    g_over = false;
}

void ui_end(void (*draw)(void *user, const ui_part *part), void *user)
{
    ImGui::PopFont();
    ImGui::Render();
    const ImDrawData *data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; i++) {
        const ImDrawList *from = data->CmdLists[i];
        bool first = true;
        for (const ImDrawCmd &cmd : from->CmdBuffer) {
            if (cmd.UserCallback)
                continue;
            ui_part part = {};
            part.vertices = from->VtxBuffer.Data;
            part.indices = from->IdxBuffer.Data;
            part.vertex_count = from->VtxBuffer.Size;
            part.index_count = from->IdxBuffer.Size;
            part.first = first;
            part.offset = static_cast<int>(cmd.IdxOffset);
            part.count = static_cast<int>(cmd.ElemCount);
            part.base = static_cast<int>(cmd.VtxOffset);
            part.texture = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(cmd.GetTexID()));
            std::memcpy(part.clip, &cmd.ClipRect, sizeof part.clip);
            draw(user, &part);
            first = false;
        }
    }
    if (g_places)
        write_places();
}

void ui_tell_places(const char *path)
{
    g_places = path;
}
void ui_tell_state(const char *state)
{
    g_state = state;
}
bool ui_wants_mouse(void)
{
    return ImGui::GetIO().WantCaptureMouse;
}
bool ui_wants_keys(void)
{
    return ImGui::GetIO().WantTextInput;
}

// ---- colours and measures

uint32_t ui_colour(enum ui_colour which)
{
    return g_colours[which];
}
uint32_t ui_series(int index)
{
    return g_series[index & 7];
}
float ui_px(float points)
{
    return std::round(points * g_scale);
}
float ui_text_width(enum ui_font which, const char *text)
{
    ImFont *f = font(which);
    return f->CalcTextSizeA(f->FontSize, FLT_MAX, 0, text).x;
}
float ui_text_height(enum ui_font which)
{
    return font(which)->FontSize;
}

// ---- panels

void ui_panel_begin(const char *name, float x, float y, float w, float h, bool scrolls,
                    uint32_t colour)
{
    ImGui::SetNextWindowPos(ImVec2(x, y));
    ImGui::SetNextWindowSize(ImVec2(w, h));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, colour);
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                             ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                             ImGuiWindowFlags_NoSavedSettings;
    // Of panels side by side the one that is shown first lies in front; translucent ones lie over
    // all of them.
    if (colour >> 24 == 255)
        flags |= ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (!scrolls)
        flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin(name, nullptr, flags);
    // Rules reach the panel's edges.
    ImGui::PushClipRect(ImVec2(x, y), ImVec2(x + w, y + h), false);
}
void ui_panel_end(void)
{
    ImGui::PopClipRect();
    ImGui::End();
    ImGui::PopStyleColor();
}
float ui_width(void)
{
    return ImGui::GetContentRegionAvail().x;
}
void ui_cursor(float *x, float *y)
{
    ImVec2 at = ImGui::GetCursorScreenPos();
    *x = at.x;
    *y = at.y;
}
void ui_set_cursor(float x, float y)
{
    ImGui::SetCursorScreenPos(ImVec2(x, y));
}
void ui_space(float points)
{
    ImGui::Dummy(ImVec2(1, ui_px(points)));
}
void ui_same_row(float gap)
{
    ImGui::SameLine(0, ui_px(gap));
}
void ui_line(void)
{
    ImGuiWindow *w = ImGui::GetCurrentWindow();
    float y = ImGui::GetCursorScreenPos().y + ui_px(4);
    list()->AddRectFilled(ImVec2(w->InnerRect.Min.x, y), ImVec2(w->InnerRect.Max.x, y + ui_px(1)),
                          g_colours[UI_LINE]);
    ui_space(9);
}

// ---- text

void ui_text(enum ui_font which, uint32_t colour, const char *text)
{
    ImGui::PushFont(font(which));
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}
void ui_text_wrapped(uint32_t colour, const char *text)
{
    ImGui::PushFont(g_fonts[UI_SMALL]);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextWrapped("%s", text);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}
void ui_text_at(float x, float y, enum ui_font which, uint32_t colour, const char *text)
{
    list()->AddText(font(which), font(which)->FontSize, ImVec2(std::floor(x), std::floor(y)),
                    colour, text);
}
void ui_text_right(float x, float y, enum ui_font which, uint32_t colour, const char *text)
{
    ui_text_at(x - ui_text_width(which, text), y, which, colour, text);
}
void ui_text_cut(float x, float y, enum ui_font which, uint32_t colour, const char *text,
                 float most)
{
    char cut[256];
    std::snprintf(cut, sizeof cut, "%s", text);
    size_t length = std::strlen(cut);
    while (ui_text_width(which, cut) > most && length > 1) {
        length--;
        std::snprintf(cut + length, sizeof cut - length, "\xe2\x80\xa6");
    }
    ui_text_at(x, y, which, colour, cut);
}

// ---- what can be touched

bool ui_button(const char *label, float width)
{
    bool pressed =
        ImGui::Button(label, ImVec2(width < 0 ? ImGui::GetContentRegionAvail().x : width, 0));
    tell(label);
    return pressed;
}
bool ui_small_button(const char *label, const char *tip)
{
    ImGui::PushFont(g_fonts[UI_SMALL]);
    bool pressed = ImGui::Button(label, ImVec2(0, ui_px(20)));
    ImGui::PopFont();
    tell(label);
    ui_tip(tip);
    return pressed;
}

// A place of `w` x `h` in the row that can be pressed.
static bool spot(const char *id, float w, float h, ImVec2 *at)
{
    *at = ImGui::GetCursorScreenPos();
    bool pressed = ImGui::InvisibleButton(id, ImVec2(w, h));
    tell(id);
    return pressed;
}

bool ui_arrow(const char *id, bool up)
{
    ImVec2 at;
    float h = ui_px(20), r = ui_px(3.5f);
    bool pressed = spot(id, ui_px(14), h, &at);
    uint32_t colour = g_colours[ImGui::IsItemHovered() ? UI_TEXT : UI_FAINT];
    ImVec2 c(at.x + ui_px(7), at.y + h * 0.5f);
    float s = up ? -1.0f : 1.0f;
    ImVec2 points[3] = {ImVec2(c.x - r, c.y - s * r * 0.5f), ImVec2(c.x, c.y + s * r * 0.5f),
                        ImVec2(c.x + r, c.y - s * r * 0.5f)};
    list()->AddPolyline(points, 3, colour, 0, ui_px(1.5f));
    return pressed;
}
bool ui_toggle(const char *id, bool *on)
{
    ImVec2 at;
    float w = ui_px(28), h = ui_px(20), r = ui_px(7);
    bool pressed = spot(id, w, h, &at);
    if (pressed)
        *on = !*on;
    bool hovered = ImGui::IsItemHovered();
    float y = at.y + h * 0.5f;
    uint32_t back = *on ? g_colours[UI_ACCENT] : hovered ? rgb(0x4a4f59) : rgb(0x3a3e46);
    list()->AddRectFilled(ImVec2(at.x, y - r), ImVec2(at.x + w, y + r), back, r);
    list()->AddCircleFilled(ImVec2(*on ? at.x + w - r : at.x + r, y), r - ui_px(2),
                            *on ? rgb(0x1a1c20) : g_colours[UI_DIM], 24);
    return pressed;
}
bool ui_fold(const char *id, bool *open)
{
    ImVec2 at;
    float h = ui_px(20), r = ui_px(4);
    bool pressed = spot(id, ui_px(14), h, &at);
    if (pressed)
        *open = !*open;
    ImVec2 c(at.x + ui_px(5), at.y + h * 0.5f);
    uint32_t colour = g_colours[ImGui::IsItemHovered() ? UI_TEXT : UI_DIM];
    if (*open)
        list()->AddTriangleFilled(ImVec2(c.x - r, c.y - r * 0.6f), ImVec2(c.x + r, c.y - r * 0.6f),
                                  ImVec2(c.x, c.y + r * 0.7f), colour);
    else
        list()->AddTriangleFilled(ImVec2(c.x - r * 0.6f, c.y - r), ImVec2(c.x + r * 0.7f, c.y),
                                  ImVec2(c.x - r * 0.6f, c.y + r), colour);
    return pressed;
}
bool ui_tab(const char *label, bool selected)
{
    ImGui::PushStyleColor(ImGuiCol_Button, selected ? rgb(0x444953) : g_colours[UI_FIELD]);
    ImGui::PushStyleColor(ImGuiCol_Text, g_colours[selected ? UI_TEXT : UI_DIM]);
    bool pressed = ImGui::Button(label);
    tell(label);
    ImGui::PopStyleColor(2);
    return pressed;
}
bool ui_choice(const char *id, const char *const *names, int count, int *which, float width)
{
    bool changed = false;
    ImGui::SetNextItemWidth(width);
    const char *now = *which >= 0 && *which < count && names[*which] ? names[*which] : "";
    if (ImGui::BeginCombo(id, now)) {
        for (int i = 0; i < count; i++) {
            if (!names[i])
                continue;
            if (ImGui::Selectable(names[i], i == *which)) {
                changed = i != *which;
                *which = i;
            }
        }
        ImGui::EndCombo();
    } else {
        tell(id);
    }
    return changed;
}
bool ui_slider_float(const char *id, float *values, int count, float low, float high,
                     const char *format, bool logarithmic, float width)
{
    ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoRoundToFormat;
    if (logarithmic)
        flags |= ImGuiSliderFlags_Logarithmic;
    ImGui::SetNextItemWidth(width);
    bool changed =
        ImGui::SliderScalarN(id, ImGuiDataType_Float, values, count, &low, &high, format, flags);
    tell(id);
    return changed;
}
bool ui_slider_int(const char *id, int *value, int low, int high, const char *format, float width)
{
    ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp;
    if (low >= 0 && high - low > 500)
        flags |= ImGuiSliderFlags_Logarithmic;
    ImGui::SetNextItemWidth(width);
    bool changed = ImGui::SliderInt(id, value, low, high, format, flags);
    tell(id);
    return changed;
}
bool ui_area(const char *id, float x, float y, float w, float h, bool *held, bool *hovered)
{
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    bool pressed = ImGui::InvisibleButton(id, ImVec2(w > 1 ? w : 1, h > 1 ? h : 1));
    tell(id);
    *held = ImGui::IsItemActive();
    *hovered = ImGui::IsItemHovered();
    return pressed;
}
void ui_tip(const char *text)
{
    if (!text || !*text || !ImGui::IsItemHovered())
        return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui_px(9), ui_px(6)));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui_px(320));
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}
bool ui_hovered(void)
{
    return ImGui::IsItemHovered();
}
bool ui_right_clicked(void)
{
    return ImGui::IsItemClicked(ImGuiMouseButton_Right);
}
void ui_drag(float *dx, float *dy)
{
    bool begins = ImGui::IsMouseClicked(ImGuiMouseButton_Left); // until then it was no drag
    *dx = begins ? 0 : ImGui::GetIO().MouseDelta.x;
    *dy = begins ? 0 : ImGui::GetIO().MouseDelta.y;
}
void ui_push(const char *id)
{
    ImGui::PushID(id);
    if (g_places)
        g_path += std::string(id) + "/";
}
void ui_pop(void)
{
    ImGui::PopID();
    if (g_places)
        g_path.erase(g_path.rfind('/', g_path.size() - 2) + 1);
}

// ---- drawing

void ui_over(bool on)
{
    g_over = on;
}
void ui_rect(float x, float y, float w, float h, uint32_t colour, float rounding)
{
    list()->AddRectFilled(ImVec2(x, y), ImVec2(x + w, y + h), colour, rounding);
}
void ui_frame(float x, float y, float w, float h, uint32_t colour)
{
    list()->AddRect(ImVec2(x + 0.5f, y + 0.5f), ImVec2(x + w - 0.5f, y + h - 0.5f), colour);
}
void ui_stroke(float x0, float y0, float x1, float y1, uint32_t colour, float thick)
{
    list()->AddLine(ImVec2(x0, y0), ImVec2(x1, y1), colour, thick);
}
void ui_curve(const float *xy, int count, uint32_t colour, float thick)
{
    list()->AddPolyline(reinterpret_cast<const ImVec2 *>(xy), count, colour, 0, thick);
}
void ui_picture(uint32_t texture, float x, float y, float w, float h)
{
    list()->AddImage(reinterpret_cast<ImTextureID>(static_cast<uintptr_t>(texture)), ImVec2(x, y),
                     ImVec2(x + w, y + h));
}

} // extern "C"
