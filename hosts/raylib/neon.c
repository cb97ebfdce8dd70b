// neon.c - a neon sign over a wet street, with stars: Afterglow in raylib's stock build
// SPDX-License-Identifier: MIT
//
// neon               in a window; a context without compute shaders is no error: there are no stars
// neon PICTURE.png   one frame, as a picture
#include <afterglow/simple.h>
#include <math.h>
#include <raylib.h>
#include <rlgl.h>

enum { W = 1280, H = 720 };

// Shapes as light: a colour's alpha says how bright it is, in stops from 1/16 on.
static const char *light =
    "#version 330\n"
    "in vec4 fragColor; out vec4 colour;"
    "void main() { colour = vec4(pow(fragColor.rgb, vec3(2.2)) * exp2(fragColor.a * 16. - 4.), 1.); }";

// A wall of bricks, lit by the blurred sign, over a road that mirrors both. y goes up.
static const char *street =
    "#version 330\n"
    "uniform sampler2D image0, image1, image2; out vec4 colour;" // the sign, blurred, more blurred
    "const vec2 size = vec2(1280., 720.); const float edge = 235.;"
    "float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }"
    "float noise(vec2 p) { vec2 i = floor(p), f = fract(p); f *= f * (3. - 2. * f);"
    "  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x),"
    "             mix(hash(i + vec2(0, 1)), hash(i + 1.), f.x), f.y); }"
    "vec3 wall(vec2 p) {"
    "  vec2 b = p / vec2(46., 17.); b.x += .5 * mod(floor(b.y), 2.); vec2 f = fract(b) - .5;"
    "  float mortar = smoothstep(.5, .42, abs(f.x)) * smoothstep(.5, .36, abs(f.y));"
    "  float grain = .5 + .4 * hash(floor(b)) + .4 * noise(p * .7) * noise(p * .11);"
    "  vec3 albedo = mix(vec3(.06), vec3(.34, .22, .18) * grain, mortar);"
    "  vec3 lit = textureLod(image1, p / size, 0.).rgb * .5 + textureLod(image2, p / size, 0.).rgb * 1.1;"
    "  return albedo * (lit * (.8 + .5 * f.y * mortar) + vec3(.01, .015, .03))"
    "         * smoothstep(-20., 160., p.y - edge); }"
    "vec3 world(vec2 p) { return wall(p) + textureLod(image0, p / size, 0.).rgb; }"
    "vec3 dim(vec3 c) { return c * min(1., 40. / max(max(c.r, c.g), max(c.b, 1.))); }"
    "void main() {"
    "  vec2 p = gl_FragCoord.xy; float depth = edge - p.y;"
    "  if (depth < 0.) { colour = vec4(world(p), 1.); return; }"
    "  float z = 2400. / (depth + 40.); vec2 ground = vec2((p.x - 640.) * z / 1500., z);"
    "  float wet = noise(ground * vec2(1.1, .35)) * .6 + noise(ground * vec2(3.5, 1.1) + 5.) * .4;"
    "  float puddle = smoothstep(.45, .58, wet), grain = noise(ground * vec2(70., 16.));"
    "  vec2 ripple = vec2(noise(ground * vec2(9., 4.)) - .5, noise(ground * vec2(8., 5.) + 7.) - .5);"
    "  p = vec2(p.x, edge + depth * 1.55) + ripple * mix(vec2(14., 30.), vec2(5., 12.), puddle);"
    "  vec3 streak = vec3(0);" // wet asphalt smears what it mirrors, towards the eye
    "  for (int i = -16; i <= 16; i++)"
    "    streak += dim(world(p + vec2((grain - .5) * 5., float(i) * 5.5))) * (17. - abs(float(i)));"
    "  colour = vec4(mix(streak / 289. * (.16 + .24 * grain), world(p) * .45, puddle), 1.); }";

static const char *film =
    "#version 330\n"
    "uniform sampler2D image0; out vec4 colour;"
    "void main() { vec3 c = texelFetch(image0, ivec2(gl_FragCoord.xy), 0).rgb * .8;"
    "  c += max(dot(c, vec3(.3, .6, .1)) - 1., 0.) * .08;" // overexposed film loses its colour
    "  c = c * (2.51 * c + .03) / (c * (2.43 * c + .59) + .14);"
    "  colour = vec4(pow(clamp(c, 0., 1.), vec3(1. / 2.2)), 1.); }";

static RenderTexture2D hdr(int width, int height)
{
    RenderTexture2D t = {.id = rlLoadFramebuffer()};
    unsigned name = rlLoadTexture(NULL, width, height, RL_PIXELFORMAT_UNCOMPRESSED_R16G16B16A16, 1);
    t.texture = (Texture2D){name, width, height, 1, RL_PIXELFORMAT_UNCOMPRESSED_R16G16B16A16};
    rlFramebufferAttach(t.id, name, RL_ATTACHMENT_COLOR_CHANNEL0, RL_ATTACHMENT_TEXTURE2D, 0);
    SetTextureFilter(t.texture, TEXTURE_FILTER_BILINEAR);
    return t;
}

static void sign(float time, int core)
{
    // Tubes, bent from (x, y) past a point to another. Letters are 20 high.
    static const signed char tubes[][6] = {{0, 0, 0, 10, 0, 20},      {0, 0, 24, 5, 0, 10},
                                           {8, 10, 10, 15, 13, 20},   {20, 20, 24, 10, 27, 0},
                                           {27, 0, 30, 10, 34, 20},   {23, 13, 27, 13, 31, 13},
                                           {39, 0, 42, 5, 46, 10},    {53, 0, 50, 5, 46, 10},
                                           {46, 10, 46, 15, 46, 20},  {60, 0, 60, 10, 60, 20},
                                           {60, 20, 65, 20, 71, 20},  {79, 0, 79, 10, 79, 20},
                                           {88, 0, 88, 10, 88, 20},   {88, 0, 110, 5, 88, 10},
                                           {88, 10, 114, 15, 88, 20}, {-15, 3, 49, -31, 115, 3}};
    for (int i = 0; i < 16; i++) {
        const int off = (i == 9 || i == 10) && fmodf(time, 5) < .3f; // the L flickers
        Color gas = i < 15 ? (Color){255, 24, 90, off ? 70 : 108} : (Color){0, 170, 255, 118};
        Vector2 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = (Vector2){330 + 6.25f * tubes[i][2 * k], 180 + 7 * tubes[i][2 * k + 1]};
        if (core) // the middle is brighter
            gas = (Color){(gas.r + 255) / 2, (gas.g + 255) / 2, (gas.b + 255) / 2, gas.a + 20};
        DrawSplineSegmentBezierQuadratic(p[0], p[1], p[2], core ? 3 : 7, gas);
        DrawCircleV(p[0], core ? 1.5f : 3.5f, gas);
        DrawCircleV(p[2], core ? 1.5f : 3.5f, gas);
    }
    for (int i = 0; i < 11 && core; i++) // bulbs, lit in turn
        DrawCircleV((Vector2){340 + 60.f * i, 362}, 2.5f,
                    (Color){255, 176, 80, (i + (int)(time * 6)) % 3 ? 158 : 224});
}

// Every pixel by a shader, from up to three images.
static void paint(Shader shader, Texture2D a, Texture2D b, Texture2D c)
{
    BeginShaderMode(shader);
    SetShaderValueTexture(shader, GetShaderLocation(shader, "image0"), a);
    SetShaderValueTexture(shader, GetShaderLocation(shader, "image1"), b);
    SetShaderValueTexture(shader, GetShaderLocation(shader, "image2"), c);
    DrawRectangle(0, 0, W, H, (Color){255, 255, 255, 255});
    EndShaderMode();
}

int main(int count, char **words)
{
    ag_simple post;
    SetConfigFlags(count > 1 ? FLAG_WINDOW_HIDDEN : FLAG_VSYNC_HINT);
    InitWindow(W, H, "Afterglow in raylib");
    const Shader tubes = LoadShaderFromMemory(NULL, light);
    const Shader scene = LoadShaderFromMemory(NULL, street);
    const Shader screen = LoadShaderFromMemory(NULL, film);
    const RenderTexture2D neon = hdr(2 * W, 2 * H), frame = hdr(W, H); // twice: smooth edges
    const Texture2D near = hdr(2 * W, 2 * H).texture, far = hdr(2 * W, 2 * H).texture;
    const Texture2D bloomed = hdr(W, H).texture;
    int stars = ag_simple_open(&post, ag_entry_v1, NULL, NULL) >= 0;
    rlDisableColorBlend();
    while (!WindowShouldClose()) {
        BeginTextureMode(neon);
        ClearBackground((Color){0});
        BeginMode2D((Camera2D){.zoom = 2});
        BeginShaderMode(tubes);
        for (int core = 0; core < 2; core++)
            sign(count > 1 ? 1 : (float)GetTime(), core);
        EndShaderMode();
        EndMode2D();
        EndTextureMode();
        const uint32_t from = neon.texture.id;
        ag_simple_blur(&post, from, near.id, ag_box_blur_params(.radius = 40, .iterations = 3));
        ag_simple_blur(&post, from, far.id, ag_box_blur_params(.radius = 200, .iterations = 3));
        BeginTextureMode(frame);
        paint(scene, neon.texture, near, far);
        EndTextureMode();
        ag_bloom_settings *look = ag_bloom_params(.intensity = .45f, .size = .8f, .rotation = 12);
        stars = stars && ag_simple_bloom(&post, frame.texture.id, bloomed.id, look) >= 0;
        BeginDrawing();
        paint(screen, stars ? bloomed : frame.texture, near, far);
        if (count > 1) {
            ExportImage(LoadImageFromScreen(), words[1]);
            break;
        }
        EndDrawing();
        ag_simple_frame(&post);
    }
    ag_simple_close(&post, 0);
    CloseWindow();
}
