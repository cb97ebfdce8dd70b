// viewer/ui.cpp - Dear ImGui, from 1.86 on, as C sees it: the one file of C++
// SPDX-License-Identifier: MIT
#include "ui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

float g_scale = 1;
GLFWwindow *g_window = nullptr; // none: frames without a window
ImFont *g_fonts[5];
float g_sizes[5]; // of glyphs, in pixels
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
void push(ui_font which)
{
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushFont(g_fonts[which], g_sizes[which]);
#else
    ImGui::PushFont(g_fonts[which]);
#endif
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
#if IMGUI_VERSION_NUM >= 19140
    c[ImGuiCol_NavCursor] = ImVec4(0, 0, 0, 0);
#else
    c[ImGuiCol_NavHighlight] = ImVec4(0, 0, 0, 0);
#endif
}

bool add_font(ui_font which, const unsigned char *data, size_t size, float points)
{
    static const ImWchar ranges[] = {0x20, 0xff, 0x2013, 0x2026, 0};
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = 3;
    config.OversampleV = 2;
    g_sizes[which] = std::round(points * g_scale);
    g_fonts[which] = ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char *>(data),
                                                                static_cast<int>(size),
                                                                g_sizes[which], &config, ranges);
    return g_fonts[which] != nullptr;
}

// ---- hands

// Where a screen has several pixels to a point, GLFW has the mouse in points.
ImVec2 pixels(double x, double y)
{
    int points[2] = {1, 1}, size[2] = {1, 1};
    glfwGetWindowSize(g_window, &points[0], &points[1]);
    glfwGetFramebufferSize(g_window, &size[0], &size[1]);
    return ImVec2(static_cast<float>(x * size[0] / (points[0] > 0 ? points[0] : 1)),
                  static_cast<float>(y * size[1] / (points[1] > 0 ? points[1] : 1)));
}

#if IMGUI_VERSION_NUM >= 18700
void on_move(GLFWwindow *window, double x, double y)
{
    ImVec2 at = pixels(x, y);
    ImGui_ImplGlfw_CursorPosCallback(window, at.x, at.y);
}
void take_hands()
{
}
#define KEY(imgui, glfw) ImGuiKey_##imgui
typedef ImGuiKey key_code;
#else
// Until 1.87 Dear ImGui sees states, and no events: what went down since the last frame is down in
// this one, and a press and a release are where they were.
int g_went_down[GLFW_KEY_LAST + 1]; // 2: in this frame, 1: in the last one
ImVec2 g_mouse, g_held;
int g_hold = 0; // frames for which the mouse stays at g_held

void on_key(GLFWwindow *, int key, int, int action, int)
{
    if (action == GLFW_PRESS && key >= 0)
        g_went_down[key] = 2;
}
void on_move(GLFWwindow *, double x, double y)
{
    g_mouse = pixels(x, y);
}
void on_button(GLFWwindow *, int, int action, int)
{
    bool both = action == GLFW_RELEASE && g_hold == 1; // it was pressed since the last frame
    g_held = both ? g_held : g_mouse;
    g_hold = both ? 2 : 1;
}
void take_hands()
{
    ImGuiIO &io = ImGui::GetIO();
    if (io.MousePos.x > -FLT_MAX)
        io.MousePos = g_hold ? g_held : g_mouse;
    g_hold -= g_hold > 0;
    for (int key = 0; key <= GLFW_KEY_LAST; key++)
        if (g_went_down[key])
            io.KeysDown[key] = g_went_down[key]-- == 2 || glfwGetKey(g_window, key) == GLFW_PRESS;
}
#define KEY(imgui, glfw) GLFW_KEY_##glfw
typedef int key_code;
#endif

const key_code g_keys[UI_KEYS] = {
    KEY(Escape, ESCAPE), KEY(F1, F1),       KEY(F5, F5),     KEY(F6, F6),
    KEY(F12, F12),       KEY(Space, SPACE), KEY(Home, HOME), KEY(LeftShift, LEFT_SHIFT),
    KEY(A, A),           KEY(B, B),         KEY(D, D),       KEY(E, E),
    KEY(G, G),           KEY(H, H),         KEY(I, I),       KEY(L, L),
    KEY(Q, Q),           KEY(R, R),         KEY(S, S),       KEY(T, T),
    KEY(W, W),           KEY(X, X)};

} // namespace

extern "C" {

// ---- the context

bool ui_open(void *window, float scale, const unsigned char *regular, size_t regular_size,
             const unsigned char *medium, size_t medium_size, const unsigned char *mono,
             size_t mono_size)
{
    g_scale = scale;
    g_window = static_cast<GLFWwindow *>(window);
    ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
#if IMGUI_VERSION_NUM < 18700
    if (g_window) { // the backend calls these, too
        glfwSetKeyCallback(g_window, on_key);
        glfwSetMouseButtonCallback(g_window, on_button);
    }
#endif
    if (g_window && !ImGui_ImplGlfw_InitForOpenGL(g_window, true))
        return false;
    if (g_window) {
        double x, y;
        glfwGetCursorPos(g_window, &x, &y);
        glfwSetCursorPosCallback(g_window, on_move);
        on_move(g_window, x, y);
    }
    bool fonts = add_font(UI_REGULAR, regular, regular_size, 14) &&
                 add_font(UI_MEDIUM, medium, medium_size, 14) &&
                 add_font(UI_SMALL, regular, regular_size, 12) &&
                 add_font(UI_MONO, mono, mono_size, 13) &&
                 add_font(UI_TITLE, medium, medium_size, 19);
    set_style();
    return fonts && ImGui_ImplOpenGL3_Init("#version 430");
}

void ui_close(void)
{
    if (!ImGui::GetCurrentContext())
        return;
    if (ImGui::GetIO().BackendRendererUserData)
        ImGui_ImplOpenGL3_Shutdown();
    if (ImGui::GetIO().BackendPlatformUserData)
        ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void ui_begin(int width, int height, float dt)
{
    ImGuiIO &io = ImGui::GetIO();
    ImGui_ImplOpenGL3_NewFrame();
    if (g_window) {
        ImGui_ImplGlfw_NewFrame();
        take_hands();
    }
    io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    io.DisplayFramebufferScale = ImVec2(1, 1);
    io.DeltaTime = dt > 0 ? dt : 1.0f / 60;
    ImGui::NewFrame();
    push(UI_REGULAR);
    g_over = false;
}

void ui_end(void)
{
    ImGui::PopFont();
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
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
void ui_mouse(float place[2], float moved[2])
{
    const ImGuiIO &io = ImGui::GetIO();
    bool there = ImGui::IsMousePosValid();
    place[0] = there ? io.MousePos.x : -1;
    place[1] = there ? io.MousePos.y : -1;
    bool begins = ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1); // until then it was no drag
    moved[0] = begins ? 0 : io.MouseDelta.x;
    moved[1] = begins ? 0 : io.MouseDelta.y;
}
bool ui_mouse_down(int button)
{
    return ImGui::IsMouseDown(button);
}
bool ui_mouse_pressed(int button)
{
    return ImGui::IsMouseClicked(button);
}
float ui_wheel(void)
{
    return ImGui::GetIO().MouseWheel;
}
bool ui_key_down(ui_key key)
{
    return ImGui::IsKeyDown(g_keys[key]);
}
bool ui_key_pressed(ui_key key)
{
    return ImGui::IsKeyPressed(g_keys[key], false);
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
    return g_fonts[which]->CalcTextSizeA(g_sizes[which], FLT_MAX, 0, text).x;
}
float ui_text_height(enum ui_font which)
{
    return g_sizes[which];
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
    float x = ImGui::GetWindowPos().x, y = ImGui::GetCursorScreenPos().y + ui_px(4);
    list()->AddRectFilled(ImVec2(x, y), ImVec2(x + ImGui::GetWindowWidth(), y + ui_px(1)),
                          g_colours[UI_LINE]);
    ui_space(9);
}

// ---- text

void ui_text(enum ui_font which, uint32_t colour, const char *text)
{
    push(which);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}
void ui_text_wrapped(uint32_t colour, const char *text)
{
    push(UI_SMALL);
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextWrapped("%s", text);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}
void ui_text_at(float x, float y, enum ui_font which, uint32_t colour, const char *text)
{
    list()->AddText(g_fonts[which], g_sizes[which], ImVec2(std::floor(x), std::floor(y)), colour,
                    text);
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
    push(UI_SMALL);
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
int ui_menu(const char *label, const char *const *names, const char *const *tips, int count,
            float width)
{
    int chosen = -1;
    ImGui::SetNextItemWidth(width);
    if (ImGui::BeginCombo(("##" + std::string(label)).c_str(), label,
                          ImGuiComboFlags_HeightLarge)) {
        for (int i = 0; i < count; i++) {
            if (ImGui::Selectable(names[i]))
                chosen = i;
            tell(names[i]);
            ui_tip(tips[i]);
        }
        ImGui::EndCombo();
    } else {
        tell(label);
    }
    return chosen;
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
    // An ImTextureID is a pointer or an integer.
    list()->AddImage((ImTextureID)(uintptr_t)texture, ImVec2(x, y), ImVec2(x + w, y + h));
}

} // extern "C"
