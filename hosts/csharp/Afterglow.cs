// Afterglow.cs - Afterglow's C interface, made by hosts/bindings/generate.py from the public headers
// SPDX-License-Identifier: MIT
//
// Names are those of C. afterglow.h says at its top how the interface is used and which GL state it changes, and the
// header of each effect what it does. Compile with -unsafe.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Afterglow
{
    /// <summary>Access to a slot. A slot with AG_STATE (and AG_READ | AG_WRITE) is a texture of the host in which
    /// the effect keeps its state from one execute to the next; it is all zero before the first one.
    /// Complex data have two slots: `name` for the real part, `name_imag` for the imaginary part.
    /// AG_LEVELS: a chain of levels is written, as many as the setting `levels` says (0: all).</summary>
    public enum ag_access : uint
    {
        AG_READ = 1,
        AG_WRITE = 2,
        AG_OPTIONAL = 4,
        AG_STATE = 8,
        AG_LEVELS = 16,
    }

    /// <summary>of a setting: a 4 x 4 matrix, column by column</summary>
    public enum ag_max_values : uint
    {
        AG_MAX_VALUES = 16,
    }

    public enum ag_setting_type : uint
    {
        AG_FLOAT = 0,
        AG_INT = 1,
        AG_BOOL = 2,
        AG_ENUM = 3,
    }

    /// <summary>What the next prepare does after a change of a setting. execute refuses the changed job until
    /// then (AG_E_STATE), but for AG_PREPARE_NOTHING.</summary>
    public enum ag_prepare_kind : uint
    {
        /// <summary>nothing more than in any frame: animate it freely</summary>
        AG_PREPARE_NOTHING = 0,
        /// <summary>Makes the kernel again, by some dispatches like a frame's. No program is compiled that this
        /// pass has not used. convolve and bloom may wait for the GPU: see prepare. bloom with
        /// resolution = auto may find another resolution: then as AG_PREPARE_PLAN.</summary>
        AG_PREPARE_KERNEL = 1,
        /// <summary>Plans again: allocates where memory does not fit, and compiles the programs that this device
        /// has not compiled yet, for up to a second, or with AG_PENDING (AG_JOB_BACKGROUND).</summary>
        AG_PREPARE_PLAN = 2,
    }

    /// <summary>The setting `border`: what lies outside an image, on each axis separately. The axis has n texels.
    /// Each effect's header has a list of those rows that it takes.</summary>
    public enum ag_border : int
    {
        /// <summary>"zero": 0 in every channel</summary>
        AG_BORDER_ZERO = 0,
        /// <summary>"clamp": the nearest texel of the edge: 0 for i &lt; 0, n - 1 for i &gt;= n</summary>
        AG_BORDER_CLAMP = 1,
        /// <summary>"mirror": texel |i| with period 2 (n - 1): ... 2 1 0 1 2 ...; texel 0 if n = 1</summary>
        AG_BORDER_MIRROR = 2,
        /// <summary>"wrap": texel i modulo n</summary>
        AG_BORDER_WRAP = 3,
        /// <summary>"normalize": nothing: the sum over a box is divided by the area inside the image</summary>
        AG_BORDER_NORMALIZE = 4,
    }

    public enum ag_status_code : int
    {
        /// <summary>ok</summary>
        AG_OK = 0,
        /// <summary>programs are still compiling; make the same call again in a later frame</summary>
        AG_PENDING = 1,
        /// <summary>prepared with fallback shaders, because those of shader_dir failed</summary>
        AG_FALLBACK = 2,
        /// <summary>created with defaults, because desc.tuning is of another GPU or driver</summary>
        AG_UNTUNED = 3,
        /// <summary>an argument is wrong, as the message says; without a message: it is NULL</summary>
        AG_E_ARG = -1,
        /// <summary>a struct_size is wrong, as the message says; without one: that of ag_host</summary>
        AG_E_ABI = -2,
        /// <summary>the context lacks a feature; the message names it</summary>
        AG_E_GL = -3,
        /// <summary>the slot does not take this texture format; the message lists which</summary>
        AG_E_FORMAT = -4,
        /// <summary>a size is beyond a limit; the message states the limit</summary>
        AG_E_SIZE = -5,
        /// <summary>the host's allocator or GL is out of memory</summary>
        AG_E_MEMORY = -6,
        /// <summary>a shader does not compile or link; the message has file, line and caret</summary>
        AG_E_SHADER = -7,
        /// <summary>the GL context was lost; destroy the device and create it again</summary>
        AG_E_LOST = -8,
        /// <summary>the device's context is not current on this thread</summary>
        AG_E_THREAD = -9,
        /// <summary>the job differs from what was prepared; call prepare with it first</summary>
        AG_E_STATE = -10,
    }

    public enum ag_log_level : int
    {
        AG_LOG_ERROR = 0,
        AG_LOG_WARNING = 1,
        AG_LOG_INFO = 2,
    }

    public enum ag_span_flags : uint
    {
        /// <summary>The pass dispatched a program for the first time, or for the first time since live reload
        /// replaced it. Drivers finish compiling then, so this interval is longer than later ones.</summary>
        AG_SPAN_FIRST = 1,
    }

    public enum ag_device_flags : uint
    {
        /// <summary>debug groups and object labels (KHR_debug) also without a debug context</summary>
        AG_DEVICE_LABELS = 1,
        /// <summary>For debug builds of an engine. execute asks GL whether the job's textures and scratch are
        /// still those that prepare saw. If a texture was deleted or specified anew without forget, it
        /// fails with a message (AG_E_STATE, AG_E_ARG, AG_E_FORMAT); without this flag it would use
        /// undefined texels. It calls glGet and binds, and restores all bindings. It cannot detect a
        /// new texture with the name, version, size and format of the old one.</summary>
        AG_DEVICE_VALIDATE = 2,
    }

    /// <summary>Features of the context that the module shall not use, because the driver has errors there. All
    /// contracts stay the same, error bounds included. Results may differ in their last bits, and most
    /// passes take longer.</summary>
    public enum ag_without : uint
    {
        /// <summary>GL_KHR_shader_subgroup, which the module uses with NVIDIA's drivers only: threads of tables
        /// and chains exchange values through shared memory instead. For compilers with wrong shuffles.</summary>
        AG_WITHOUT_SUBGROUPS = 1,
        /// <summary>Texture units: image units read all inputs but depth, one texel at a time. For drivers with
        /// wrong views or gathers, and for hosts without a free texture unit.</summary>
        AG_WITHOUT_TEXTURE_UNITS = 2,
    }

    /// <summary>How the outputs are used next; several values may be or-ed. They decide the bits of the one
    /// barrier that execute places at its end.</summary>
    public enum ag_next_use : uint
    {
        /// <summary>by another pass of this module: any effect, any slot</summary>
        AG_USE_PASS = 1,
        /// <summary>texture(), texelFetch() in shaders of the host</summary>
        AG_USE_SAMPLE = 2,
        /// <summary>imageLoad(), imageStore() there</summary>
        AG_USE_IMAGE = 4,
        /// <summary>as a render target, or glBlitFramebuffer</summary>
        AG_USE_FRAMEBUFFER = 8,
        /// <summary>glCopyImageSubData, glGetTexImage, glTexSubImage</summary>
        AG_USE_COPY = 16,
        /// <summary>any of these</summary>
        AG_USE_UNKNOWN = 0,
    }

    public enum ag_job_flags : uint
    {
        /// <summary>restore the changed state exactly, by glGet: slow on threaded drivers</summary>
        AG_JOB_RESTORE = 1,
        /// <summary>time every step, not only the pass: N + 1 timestamps for N steps</summary>
        AG_JOB_TIME_STEPS = 2,
        /// <summary>place no timestamps and read no clock</summary>
        AG_JOB_UNTIMED = 4,
        /// <summary>the driver's threads compile what prepare needs: see there</summary>
        AG_JOB_BACKGROUND = 8,
        /// <summary>forget former frames (dt, below): a cut, a teleport, a first one</summary>
        AG_JOB_RESET = 16,
    }

    public enum ag_resource_kind : uint
    {
        /// <summary>a texture of the job</summary>
        AG_RESOURCE_SLOT = 0,
        /// <summary>a range of the scratch memory</summary>
        AG_RESOURCE_SCRATCH = 1,
        /// <summary>persistent memory of the pass, counted in persistent_bytes</summary>
        AG_RESOURCE_OWN = 2,
    }

    public enum ag_bloom_shape : int
    {
        /// <summary>"gaussian": sigma = size * height / 12</summary>
        AG_BLOOM_GAUSSIAN = 0,
        /// <summary>"aperture": the diffraction star of a camera's iris</summary>
        AG_BLOOM_APERTURE = 1,
        /// <summary>"texture": kernel_image, scaled to the kernel's extent and normalised</summary>
        AG_BLOOM_TEXTURE = 2,
        /// <summary>"star": the glare of an eye: a round pupil behind eyelashes</summary>
        AG_BLOOM_STAR = 3,
        /// <summary>"anamorphic": the aperture behind a cylindrical lens: wide, with a streak</summary>
        AG_BLOOM_ANAMORPHIC = 4,
    }

    /// <summary>What becomes of the texture of shape = texture. The centre and the black of auto are logged.</summary>
    public enum ag_bloom_fit : int
    {
        /// <summary>"auto": centred by its light, less the mean of its outermost texels, black</summary>
        AG_BLOOM_FIT_AUTO = 0,
        /// <summary>"exact": the texels as they are; the centre is the texel (w/2, h/2)</summary>
        AG_BLOOM_FIT_EXACT = 1,
    }

    public enum ag_bloom_output : int
    {
        /// <summary>"composite": the frame with its bloom</summary>
        AG_BLOOM_COMPOSITE = 0,
        /// <summary>"bloom_only": the bloom alone</summary>
        AG_BLOOM_ONLY = 1,
        /// <summary>"add": what dst holds, and the bloom; dst's alpha stays</summary>
        AG_BLOOM_ADD = 2,
    }

    /// <summary>Of the image that the FFT transforms; the frame keeps its own. docs/bloom.md has what each costs,
    /// and its error. eighth is a quarter, and the plan's text says so, where the rays of an aperture, a
    /// star or an anamorphic are too thin for it: at dispersion = 1 below 968 texels of height * size.
    /// auto looks at each new kernel's spectrum and the intensity in prepare, and waits for the GPU;
    /// with AG_JOB_BACKGROUND prepare is pending until it knows. Where none of those that keep 50 dB
    /// fits (limits), it takes the finest that does.</summary>
    public enum ag_bloom_resolution : int
    {
        /// <summary>"full": the frame's</summary>
        AG_BLOOM_FULL = 0,
        /// <summary>"half": a half of the frame's width and height</summary>
        AG_BLOOM_HALF = 1,
        /// <summary>"quarter": a quarter; of an anamorphic a quarter of the width, half of the height</summary>
        AG_BLOOM_QUARTER = 2,
        /// <summary>"eighth": an eighth; of an anamorphic an eighth of the width, half of the height</summary>
        AG_BLOOM_EIGHTH = 3,
        /// <summary>"auto": the cheapest of them that keeps 50 dB</summary>
        AG_BLOOM_AUTO = 4,
    }

    /// <summary>That image, where the frame's size changes (dynamic resolution). With fixed the glow is the same
    /// at every size of the frame, and a change of it makes no new spectrum. Needs resolution half,
    /// quarter or eighth.</summary>
    public enum ag_bloom_grid : int
    {
        /// <summary>"frame": follows the frame; so does the kernel, in whole texels</summary>
        AG_BLOOM_FRAME = 0,
        /// <summary>"fixed": stays with job.plan_width x plan_height, and so does the kernel</summary>
        AG_BLOOM_FIXED = 1,
    }

    /// <summary>What single bright texels, which make their glow flicker, may spread (docs/bloom.md). clamp and
    /// karis need resolution half, quarter or eighth.</summary>
    public enum ag_bloom_firefly : int
    {
        /// <summary>"off": what they have</summary>
        AG_BLOOM_FIREFLY_OFF = 0,
        /// <summary>"clamp": at most four times the mean of their neighbours</summary>
        AG_BLOOM_FIREFLY_CLAMP = 1,
        /// <summary>"karis": weighted by 1 / (1 + brightness)</summary>
        AG_BLOOM_FIREFLY_KARIS = 2,
    }

    /// <summary>What src and dst hold (docs/bloom.md). srgb: in textures that GL does not decode, R8 RG8 RGBA8
    /// RGB10_A2 RGBA16; formats of floats are refused. SRGB8_ALPHA8 is decoded once with either.</summary>
    public enum ag_bloom_transfer : int
    {
        /// <summary>"linear": light</summary>
        AG_BLOOM_LINEAR = 0,
        /// <summary>"srgb": codes of the sRGB curve</summary>
        AG_BLOOM_SRGB = 1,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_bloom_slot : uint
    {
        AG_BLOOM_SRC = 0,
        AG_BLOOM_KERNEL_IMAGE = 1,
        AG_BLOOM_DST = 2,
        /// <summary>optional: brightens the glow by 1 + dirt_intensity * its texels. Read
        /// by prepare: increase its version when its content changed</summary>
        AG_BLOOM_DIRT = 3,
        /// <summary>optional: one texel, r = EV; the state of the effect exposure</summary>
        AG_BLOOM_EXPOSURE = 4,
    }

    public enum ag_box_storage : int
    {
        /// <summary>"auto": the most exact one of 4 bytes</summary>
        AG_BOX_STORAGE_AUTO = 0,
        /// <summary>"float32": </summary>
        AG_BOX_STORAGE_FLOAT32 = 1,
        /// <summary>"double_float": </summary>
        AG_BOX_STORAGE_DOUBLE_FLOAT = 2,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_box_blur_slot : uint
    {
        AG_BOX_BLUR_SRC = 0,
        AG_BOX_BLUR_RADIUS = 1,
        AG_BOX_BLUR_TABLE = 2,
        AG_BOX_BLUR_DST = 3,
    }

    public enum ag_convolve_method : int
    {
        /// <summary>"auto": the faster one</summary>
        AG_CONVOLVE_AUTO = 0,
        /// <summary>"direct": a sum for each texel</summary>
        AG_CONVOLVE_DIRECT = 1,
        /// <summary>"fft": a product of spectra</summary>
        AG_CONVOLVE_FFT = 2,
    }

    public enum ag_normalize : int
    {
        /// <summary>"none": the kernel as it is</summary>
        AG_NORMALIZE_NONE = 0,
        /// <summary>"sum": over the sum of each kernel channel; prepare refuses a sum of 0</summary>
        AG_NORMALIZE_SUM = 1,
    }

    /// <summary>Of the spectra of an FFT. compact is not faster on an H200; it may be on GPUs with a tenth of the
    /// bandwidth.</summary>
    public enum ag_storage : int
    {
        /// <summary>"full": float32</summary>
        AG_STORAGE_FULL = 0,
        /// <summary>"compact": 16 bits a component</summary>
        AG_STORAGE_COMPACT = 1,
    }

    public enum ag_alpha : int
    {
        /// <summary>"copy": alpha of dst = alpha of src</summary>
        AG_ALPHA_COPY = 0,
        /// <summary>"convolve": as the colours</summary>
        AG_ALPHA_CONVOLVE = 1,
    }

    /// <summary>deconvolve works by FFT with full storage. Refused: method direct, storage compact, noise 0, a
    /// kernel larger than src, and (by prepare) a kernel that has a channel of zeros only.</summary>
    public enum ag_operation : int
    {
        /// <summary>"convolve": blurs</summary>
        AG_OPERATION_CONVOLVE = 0,
        /// <summary>"deconvolve": undoes a blur</summary>
        AG_OPERATION_DECONVOLVE = 1,
    }

    public enum ag_edges : int
    {
        /// <summary>"taper": for photographs. Refused with a border other than zero, which it ignores</summary>
        AG_EDGES_TAPER = 0,
        /// <summary>"border": what is outside is as border says</summary>
        AG_EDGES_BORDER = 1,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_convolve_slot : uint
    {
        AG_CONVOLVE_SRC = 0,
        AG_CONVOLVE_KERNEL = 1,
        AG_CONVOLVE_DST = 2,
    }

    /// <summary>Slots, in the order of ag_job.slots. All are of src's size.
    ///
    ///   src      a colour image: a rectangle, any number of layers; dst has as many
    ///   motion   optional: in the first two channels, texels that the surface at p has moved since the
    ///            last frame, so it was at p - motion. Empty: nothing moves
    ///   history  optional, AG_STATE: one layer. rgb: the mean of former frames; a: n, of how many it
    ///            has the noise, 0 for none. The filter then sees a mean instead of src:
    ///              h      history at p - motion; between texels by 6 x 6 taps (below); where
    ///                     one of them holds nothing, or has another surface, the bilinear mean of those
    ///                     of 4 that do and have not
    ///              clip   towards the mean of src's 5 x 5 texels around p, until Y, Co and Cg are
    ///                     nearer to it than clamp sqrt(s^2 (1 - r g) + m (1 - g)). s^2: variance of
    ///                     these texels; r: share of the noise in that of Y, by V, the mean square of
    ///                     src - h in the frames before; g: max(0.66 - 1 / N, 0), N: h's frames; m:
    ///                     max(V - 8 s_Y^2, 0) min(max(N / 8 - 0.5, 0), 1), for light of few paths. By
    ///                     how much h's distance was more than that, e: it counts for (1 - e) N frames,
    ///                     0 where e &gt;= 1. e is also by how much the means of 3 x 3 texels of the
    ///                     history and of src differ by more than clamp / 2 sqrt(u^2 + m), u: s, but of
    ///                     Y u^2 = s^2 + k (min(V + s^2 / 4, s^2) - s^2), k: min(max(N / 8 - 0.5, 0),
    ///                     1)
    ///              mean   src + (h - src) (1 - a), 1 / a: those frames M and 1, at most `frames`. It
    ///                     has the noise of n = M + 1 frames, or, where that is more than `frames`, of
    ///                     n = 1 / ((1 - a)^2 / M + a^2), up to 2 `frames` - 1: N of the next frame
    ///              taps   along an axis have, f: the place's part of a texel, v = f (1 - f), t = f -
    ///                     1/2, the weights E_0 + O_0, E_1 + O_1, E_2 + O_2, E_2 - O_2, E_1 - O_1,
    ///                     E_0 - O_0;
    ///                     E_0 = 0.0824 v + 0.0594 v^2, E_1 = -0.4674 v - 0.1451 v^2, E_2 = 1/2 - E_0 -
    ///                     E_1, O_0 = t (-0.0037 v - 0.1605 v^2), O_1 = t (0.2148 v + 0.568 v^2),
    ///                     O_2 = -t - 5 O_0 - 3 O_1. So waves keep their contrast over many frames
    ///              sigma  of ti_haar that of src; thresholds of a block are F^-0.5 (F / n)^0.42 times
    ///                     as large, F: `frames`, n at (x + 1, 4 floor(y / 4) + 2), of a block that
    ///                     begins at (x, y); of levels beyond the third the mean of 4 texels. Of other
    ///                     filters sigma is that of the mean, and falls with frames: let `adapt` be 30
    ///                     or more, or set exact
    ///            A bad texel is its history
    ///   albedo, normal, depth   optional, for atrous: as many layers as src. Normals of any length, of
    ///            any space; 0: none. Depth: linear, first channel. With history the last two tell other
    ///            surfaces: a cosine between the normals of p and of the tap in the last frame below
    ///            0.7; depths that differ by more than edge_depth (2 g_x + 2 g_y + |z(p)| / 50), g as
    ///            below, of neighbours. Of 6 x 6 taps the diagonals are asked</summary>
    public enum ag_denoise_slot : uint
    {
        AG_DENOISE_SRC = 0,
        AG_DENOISE_DST = 1,
        AG_DENOISE_MOTION = 2,
        AG_DENOISE_HISTORY = 3,
        AG_DENOISE_ALBEDO = 4,
        AG_DENOISE_NORMAL = 5,
        AG_DENOISE_DEPTH = 6,
    }

    /// <summary>haar: the Haar transform of `levels` levels from the rectangle's corner on. ti_haar: the mean
    /// over those of all shifts. What levels beyond the third remove of a block of 8 x 8 texels is a
    /// mean over shifts by multiples of 4 texels from the corner, and between those bilinear. dwt: the
    /// transform of `wavelet` (afterglow/wavelet.h), border symmetric; sigma of a band is that of haar
    /// times the band's noise gain, which is 1 for orthogonal wavelets; V is that of this image. atrous:
    /// no threshold, rule or chroma, but means that avoid edges:
    ///
    ///   y_0 = y(src / albedo); level l of `levels`, taps q = p + 2^l k inside, k in 5 x 5
    ///   y_(l+1)(p) = sum h(k) w y_l(q) / sum h(k) w, h = (1 4 6 4 1) (1 4 6 4 1) / 256
    ///   w = exp(-|y_l(q) - y_l(p)|^2 4^l / (8 strength^2 S))
    ///       max(cos, 1e-6)^edge_normal, cos of the angle between normals; 1 if equal
    ///       exp(-|z(q) - z(p)| / (edge_depth (g_x |k_x| + g_y |k_y| + |z(p)| / 100)))
    ///   dst = albedo y^-1(the last). S is the sum of the components' sigma^2, of texels of y_0 and
    ///   without blending; if sigma is given 3 sigma^2. g: the smaller of the changes of z to p's two
    ///   neighbours 2^l texels away. Normals have 10 bits an axis. Channels of albedo that are not in
    ///   0.001..1e6 count as 1. firefly: where m, the mean of y_0's channels, exceeds firefly times the
    ///   mean of max(m, 0) over the texels around p (5 x 5 without p, those inside), y_0 is scaled down
    ///   to that;
    ///   amount = 0 then gives y_0
    ///
    /// blocks: no threshold, rule or wavelet, but stacks of blocks of 8 x 8 texels that are like each
    /// other, in the class of BM3D. b = y / sigma, by component. levels = 1: the first step alone
    ///
    ///   reference   blocks begin at (8 i + 4 (j mod 2) - 4, 4 j - 4), i, j &gt;= 0, before the last texel
    ///   stack       q = floor(4 b + 1/2) of the first component. Blocks up to 15 texels away in x and y
    ///               have the distance sum (q - q_reference)^2 + 1, at most 4194303, the reference 0.
    ///               Their rows of places are dealt out to four lists; each list gives the four least,
    ///               the earlier place where two are equal. The 16 are sorted in the same way
    ///   transform   a DCT of each block, Haar's along the stack, both orthonormal. The mean stays.
    ///               First step: what is removed are coefficients up to 2.7 strength. Second step:
    ///               the share n / (e^2 + n) of each, n = 0.9 strength^2, e that of the first step's
    ///               result, which also chooses the stacks, by the texels of even rows y whose x has
    ///               the parity of y / 2. Of chroma strength is 1.1 `chroma` times as much
    ///   removed     of a texel the mean over the stacks that hold it, of what they remove, at most 8
    ///               sigma, weighted by 1 / kept; kept is the number of coefficients that stay, in the
    ///               second step the sum of the squares of the shares that do, in steps of 1/4096</summary>
    public enum ag_denoise_filter : int
    {
        /// <summary>"ti_haar": the mean over the Haar transforms of all shifts</summary>
        AG_DENOISE_TI_HAAR = 0,
        /// <summary>"haar": one Haar transform</summary>
        AG_DENOISE_HAAR = 1,
        /// <summary>"atrous": means that avoid edges</summary>
        AG_DENOISE_ATROUS = 2,
        /// <summary>"dwt": the transform of the setting wavelet</summary>
        AG_DENOISE_DWT = 3,
        /// <summary>"blocks": stacks of like blocks, filtered together</summary>
        AG_DENOISE_BLOCKS = 4,
    }

    /// <summary>What is removed of a coefficient d (the rest stays):
    ///
    ///   soft     max(min(d, T), -T)
    ///   hard     d if |d| &lt;= T, else 0
    ///   garrote  d if |d| &lt;= T, else T^2 / d
    ///   firm     d max(min(2 - |d| / T, 1), 0)</summary>
    public enum ag_denoise_threshold : int
    {
        /// <summary>"soft": </summary>
        AG_DENOISE_SOFT = 0,
        /// <summary>"hard": </summary>
        AG_DENOISE_HARD = 1,
        /// <summary>"garrote": </summary>
        AG_DENOISE_GARROTE = 2,
        /// <summary>"firm": </summary>
        AG_DENOISE_FIRM = 3,
    }

    /// <summary>The threshold T of a band, times `strength`, of chroma also times `chroma`. Sigma, and V over the
    /// tiles that count, are those of the coefficients of haar, also for ti_haar:
    ///
    ///   bayes    sigma^2 / sqrt(max(V - sigma^2, sigma^2 / 25)), where V is the mean of
    ///            min(d^2, 64 sigma^2), in steps of sigma^2 / 4096, over the coefficients d of the
    ///            band; of level 6 that of level 5
    ///   noise    2.4 sigma of level 1, 2.1 of level 2, 2 beyond: with firm, flat parts are clean, and
    ///            edges keep their contrast
    ///   visu     sigma sqrt(2 ln(width height))
    ///   given    sigma</summary>
    public enum ag_denoise_rule : int
    {
        /// <summary>"bayes": by the variance of each band</summary>
        AG_DENOISE_BAYES = 0,
        /// <summary>"noise": 2 to 2.4 sigma</summary>
        AG_DENOISE_NOISE = 1,
        /// <summary>"visu": by the size of the image</summary>
        AG_DENOISE_VISU = 2,
        /// <summary>"given": sigma</summary>
        AG_DENOISE_GIVEN = 3,
    }

    /// <summary>The transform sees y(src), and the result is y's algebraic inverse:
    ///
    ///   linear    y = x, but for the curve above
    ///   log       y = sign(x) log2(1 + |x| / gain): noise that grows with the signal
    ///   anscombe  y = 2 / gain sqrt(max(gain x + 3/8 gain^2 + offset, 0)): photons; noise of variance
    ///             gain x + offset becomes noise of sigma 1</summary>
    public enum ag_denoise_space : int
    {
        /// <summary>"linear": noise of one strength</summary>
        AG_DENOISE_LINEAR = 0,
        /// <summary>"log": noise that grows with the signal</summary>
        AG_DENOISE_LOG = 1,
        /// <summary>"anscombe": of photons</summary>
        AG_DENOISE_ANSCOMBE = 2,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_depth_of_field_slot : uint
    {
        AG_DEPTH_OF_FIELD_SRC = 0,
        AG_DEPTH_OF_FIELD_DEPTH = 1,
        AG_DEPTH_OF_FIELD_DST = 2,
        AG_DEPTH_OF_FIELD_STATE = 3,
    }

    public enum ag_focus : int
    {
        /// <summary>"distance": focus_distance</summary>
        AG_FOCUS_DISTANCE = 0,
        /// <summary>"point": what the point of the frame shows</summary>
        AG_FOCUS_POINT = 1,
        /// <summary>"autofocus": follows what an area shows; needs state</summary>
        AG_FOCUS_AUTOFOCUS = 2,
    }

    public enum ag_encoding : int
    {
        /// <summary>"forward": 0..1 from near to far</summary>
        AG_ENCODING_FORWARD = 0,
        /// <summary>"reversed": 1..0 from near to far</summary>
        AG_ENCODING_REVERSED = 1,
        /// <summary>"linear": metres</summary>
        AG_ENCODING_LINEAR = 2,
    }

    public enum ag_focus_shape : int
    {
        /// <summary>"box": a square</summary>
        AG_SHAPE_BOX = 0,
        /// <summary>"smooth": falls off from the middle</summary>
        AG_SHAPE_SMOOTH = 1,
        /// <summary>"disc": about a disc</summary>
        AG_SHAPE_DISC = 2,
    }

    /// <summary>double_float is for lights that are thousands of times brighter than their surroundings.</summary>
    public enum ag_focus_storage : int
    {
        /// <summary>"float32": 24 bits</summary>
        AG_FOCUS_FLOAT32 = 0,
        /// <summary>"double_float": 48 bits</summary>
        AG_FOCUS_DOUBLE_FLOAT = 1,
    }

    /// <summary>What makes the blur: docs/depth_of_field.md.</summary>
    public enum ag_focus_method : int
    {
        /// <summary>"auto": gather; tables where the context lacks what it needs</summary>
        AG_FOCUS_AUTO = 0,
        /// <summary>"gather": samples on rings of half resolution, and lamps apart</summary>
        AG_FOCUS_GATHER = 1,
        /// <summary>"tables": boxes of a summed-area table; any radius at one cost</summary>
        AG_FOCUS_TABLES = 2,
    }

    public enum ag_depth_reduce : int
    {
        /// <summary>"min": nearest, or farthest if reversed</summary>
        AG_DEPTH_MIN = 0,
        /// <summary>"max": farthest, or nearest if reversed</summary>
        AG_DEPTH_MAX = 1,
        /// <summary>"minmax": both: minimum in r, maximum in g</summary>
        AG_DEPTH_MINMAX = 2,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_depth_pyramid_slot : uint
    {
        AG_DEPTH_PYRAMID_SRC = 0,
        AG_DEPTH_PYRAMID_DST = 1,
    }

    /// <summary>  area      sum over j of a(i,j) src(j), where
    ///             a(i,j) = max(0, min((i+1) W, (j+1) w) - max(i W, j w)) / W:
    ///             whole numbers over a whole number, at every ratio. They add up to 1, and
    ///             every source texel counts alike. w &lt;= W
    ///   nearest   the texel in which the output's centre (i + 1/2) W / w lies; on an edge,
    ///             the higher one
    ///   bilinear  2 texels around that point, bicubic 4 (Keys 1981, a = -1/2), not filtered
    ///             before, as a sampler takes them: so a ratio beyond 2 or 4 leaves texels
    ///             out. Beyond the image lies its edge's texel. Any ratio, also larger images
    ///   lanczos   `radius` lobes, stretched by W / w where that is above 1, normalised.
    ///             Beyond the image lies its edge's texel. W / w &lt;= 16</summary>
    public enum ag_down_filter : int
    {
        /// <summary>"area": the mean over the area of an output</summary>
        AG_DOWN_AREA = 0,
        /// <summary>"nearest": the texel at its centre</summary>
        AG_DOWN_NEAREST = 1,
        /// <summary>"bilinear": 2 texels an axis</summary>
        AG_DOWN_BILINEAR = 2,
        /// <summary>"bicubic": 4 texels an axis</summary>
        AG_DOWN_BICUBIC = 3,
        /// <summary>"lanczos": a windowed sinc, stretched by the ratio</summary>
        AG_DOWN_LANCZOS = 4,
    }

    /// <summary>Of area. none: all texels alike. karis: colour weighs 1 / (1 + luminance), against
    /// fireflies. alpha: colour weighs its alpha, which is right for colour that is not
    /// premultiplied; where alpha is 0 throughout, the plain mean. Alpha itself is always
    /// the plain mean. karis takes all formats, alpha those with four channels</summary>
    public enum ag_down_weight : int
    {
        /// <summary>"none": all texels alike</summary>
        AG_DOWN_WEIGHT_NONE = 0,
        /// <summary>"karis": 1 / (1 + luminance), against fireflies</summary>
        AG_DOWN_WEIGHT_KARIS = 1,
        /// <summary>"alpha": for colour that is not premultiplied</summary>
        AG_DOWN_WEIGHT_ALPHA = 2,
    }

    /// <summary>Of area; all give the same result within `error`:
    ///   auto          chooses among the others
    ///   tile          a thread an output, for small ratios; up to 64
    ///   columns       sums down columns, then across, for medium ratios
    ///   partial_sums  tiles of the source, for large ratios, and for several targets from one read
    ///   blocks        several targets from one read, if all ratios are whole numbers whose common
    ///                 multiple is at most 64; others are refused</summary>
    public enum ag_down_method : int
    {
        /// <summary>"auto": chooses among the others</summary>
        AG_DOWN_AUTO = 0,
        /// <summary>"tile": small ratios</summary>
        AG_DOWN_TILE = 1,
        /// <summary>"columns": medium ratios</summary>
        AG_DOWN_COLUMNS = 2,
        /// <summary>"partial_sums": large ratios, several targets</summary>
        AG_DOWN_PARTIAL_SUMS = 3,
        /// <summary>"blocks": several targets of whole ratios</summary>
        AG_DOWN_BLOCKS = 4,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_downsample_slot : uint
    {
        AG_DOWNSAMPLE_SRC = 0,
        AG_DOWNSAMPLE_DST0 = 1,
        AG_DOWNSAMPLE_DST1 = 2,
        AG_DOWNSAMPLE_DST2 = 3,
        AG_DOWNSAMPLE_DST3 = 4,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_exposure_slot : uint
    {
        AG_EXPOSURE_SRC = 0,
        AG_EXPOSURE_STATE = 1,
    }

    public enum ag_fft_direction : int
    {
        /// <summary>"forward": to frequencies</summary>
        AG_FFT_FORWARD = 0,
        /// <summary>"inverse": back</summary>
        AG_FFT_INVERSE = 1,
    }

    /// <summary>s, where n is the number of points that are transformed together.</summary>
    public enum ag_fft_norm : int
    {
        /// <summary>"backward": 1 forward, 1/n inverse</summary>
        AG_FFT_NORM_BACKWARD = 0,
        /// <summary>"ortho": 1/sqrt(n) both ways</summary>
        AG_FFT_NORM_ORTHO = 1,
        /// <summary>"forward": 1/n forward, 1 inverse</summary>
        AG_FFT_NORM_FORWARD = 2,
    }

    /// <summary>half is along x, or along y with axes y.</summary>
    public enum ag_fft_spectrum : int
    {
        /// <summary>"full": all frequencies</summary>
        AG_FFT_FULL = 0,
        /// <summary>"half": of real data: those that are no mirror image of another</summary>
        AG_FFT_HALF = 1,
    }

    /// <summary>centered is numpy.fft.fftshift. An axis that has half of its frequencies still begins with
    /// frequency 0.</summary>
    public enum ag_fft_origin : int
    {
        /// <summary>"corner": frequency 0 is at texel 0</summary>
        AG_FFT_CORNER = 0,
        /// <summary>"centered": it is at texel n/2 of each axis</summary>
        AG_FFT_CENTERED = 1,
    }

    public enum ag_fft_axes : int
    {
        /// <summary>"both": rows and columns</summary>
        AG_FFT_BOTH = 0,
        /// <summary>"x": along rows</summary>
        AG_FFT_X = 1,
        /// <summary>"y": along columns</summary>
        AG_FFT_Y = 2,
    }

    /// <summary>rgba_rg is the layout of the spectrum: of dst and dst_imag forward, of src and src_imag inverse.
    /// The other side is real. Real red, green and blue and imaginary red lie in an RGBA texture,
    /// imaginary green and blue in an RG texture.</summary>
    public enum ag_fft_packing : int
    {
        /// <summary>"planes": real parts in one texture, imaginary parts in the other</summary>
        AG_FFT_PLANES = 0,
        /// <summary>"rgba_rg": three channels in 24 bytes</summary>
        AG_FFT_RGBA_RG = 1,
    }

    public enum ag_fft_method : int
    {
        /// <summary>"auto": tiled where it can, else multipass</summary>
        AG_FFT_AUTO = 0,
        /// <summary>"tiled": a line in shared memory, a dispatch an axis</summary>
        AG_FFT_TILED = 1,
        /// <summary>"multipass": a line in two parts through scratch</summary>
        AG_FFT_MULTIPASS = 2,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_fft_slot : uint
    {
        AG_FFT_SRC = 0,
        AG_FFT_DST = 1,
        AG_FFT_SRC_IMAG = 2,
        AG_FFT_DST_IMAG = 3,
    }

    public enum ag_filter_spectrum_shape : int
    {
        /// <summary>"lowpass": </summary>
        AG_FILTER_SPECTRUM_LOWPASS = 0,
        /// <summary>"highpass": </summary>
        AG_FILTER_SPECTRUM_HIGHPASS = 1,
        /// <summary>"bandpass": </summary>
        AG_FILTER_SPECTRUM_BANDPASS = 2,
        /// <summary>"notch": </summary>
        AG_FILTER_SPECTRUM_NOTCH = 3,
        /// <summary>"mask": what slot mask holds</summary>
        AG_FILTER_SPECTRUM_MASK = 4,
    }

    public enum ag_profile : int
    {
        /// <summary>"ideal": rings beside edges</summary>
        AG_PROFILE_IDEAL = 0,
        /// <summary>"gaussian": </summary>
        AG_PROFILE_GAUSSIAN = 1,
        /// <summary>"butterworth": </summary>
        AG_PROFILE_BUTTERWORTH = 2,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_filter_spectrum_slot : uint
    {
        AG_FILTER_SPECTRUM_SRC = 0,
        AG_FILTER_SPECTRUM_MASK_IMAGE = 1,
        AG_FILTER_SPECTRUM_DST = 2,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_local_stats_slot : uint
    {
        AG_LOCAL_STATS_SRC = 0,
        AG_LOCAL_STATS_DST = 1,
        AG_LOCAL_STATS_DEVIATION = 2,
    }

    /// <summary>For each channel.</summary>
    public enum ag_mip_reduce : int
    {
        /// <summary>"mean": the area average</summary>
        AG_MIP_MEAN = 0,
        /// <summary>"min": conservative: at odd sizes of all 3 texels that an output touches</summary>
        AG_MIP_MIN = 1,
        /// <summary>"max": conservative, as min</summary>
        AG_MIP_MAX = 2,
        /// <summary>"minmax": minimum of r, maximum of g: RG8, RG16F, RG32F</summary>
        AG_MIP_MINMAX = 3,
        /// <summary>"first": texel (2i, 2j)</summary>
        AG_MIP_FIRST = 4,
    }

    /// <summary>With mean.
    ///   karis     a colour's weight is 1 / (1 + luminance)
    ///   alpha     its weight is its alpha. Where alpha is 0 throughout: the plain mean
    ///   coverage  as alpha. Then each level's alpha is scaled so that the share of it that reaches
    ///             `reference` is that of level 0: alpha-tested foliage keeps its leaves. The share is
    ///             met within half a texel of the level, or half of those texels that have the same
    ///             alpha</summary>
    public enum ag_mip_weight : int
    {
        /// <summary>"none": all texels alike</summary>
        AG_MIP_WEIGHT_NONE = 0,
        /// <summary>"karis": level 1 only, against fireflies</summary>
        AG_MIP_WEIGHT_KARIS = 1,
        /// <summary>"alpha": for colour that is not premultiplied; formats with alpha</summary>
        AG_MIP_WEIGHT_ALPHA = 2,
        /// <summary>"coverage": as alpha, and keeps the share of the alpha test</summary>
        AG_MIP_WEIGHT_COVERAGE = 3,
    }

    /// <summary>They differ only at odd sizes below level 0. direct: mean, weight none; 2 more steps, at most
    /// 16 w h bytes of scratch.</summary>
    public enum ag_mip_exactness : int
    {
        /// <summary>"recursive": each level is the area average of the one above</summary>
        AG_MIP_RECURSIVE = 0,
        /// <summary>"direct": each level is the area average of level 0</summary>
        AG_MIP_DIRECT = 1,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_mipchain_slot : uint
    {
        AG_MIPCHAIN_TEXTURE = 0,
    }

    /// <summary>N.</summary>
    public enum ag_ocean_size : int
    {
        /// <summary>"32": </summary>
        AG_OCEAN_32 = 0,
        /// <summary>"64": </summary>
        AG_OCEAN_64 = 1,
        /// <summary>"128": </summary>
        AG_OCEAN_128 = 2,
        /// <summary>"256": </summary>
        AG_OCEAN_256 = 3,
        /// <summary>"512": </summary>
        AG_OCEAN_512 = 4,
        /// <summary>"1024": </summary>
        AG_OCEAN_1024 = 5,
    }

    /// <summary>tma has the factor of depth of Bouws et al. 1985. pierson_moskowitz ignores fetch and gamma, and
    /// takes depth only for the speed of waves.</summary>
    public enum ag_ocean_spectrum : int
    {
        /// <summary>"tma": JONSWAP, raised by the wind over the fetch (Hasselmann et al. 1973)</summary>
        AG_OCEAN_TMA = 0,
        /// <summary>"pierson_moskowitz": fully risen, in deep water (Pierson and Moskowitz 1964)</summary>
        AG_OCEAN_PIERSON_MOSKOWITZ = 1,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_ocean_slot : uint
    {
        AG_OCEAN_DISPLACEMENT = 0,
        AG_OCEAN_DERIVATIVES = 1,
        AG_OCEAN_JACOBIAN = 2,
    }

    public enum ag_sat_storage : int
    {
        /// <summary>"auto": the fewest bytes whose bound is at most tolerance</summary>
        AG_SAT_AUTO = 0,
        /// <summary>"float32": </summary>
        AG_SAT_FLOAT32 = 1,
        /// <summary>"float32_residual": 24 + 11 bits</summary>
        AG_SAT_FLOAT32_RESIDUAL = 2,
        /// <summary>"double_float": 48 bits</summary>
        AG_SAT_DOUBLE_FLOAT = 3,
        /// <summary>"uint32": fixed point modulo 2^32</summary>
        AG_SAT_UINT32 = 4,
        /// <summary>"split": a table for each tile of 32 x 32, and block prefixes</summary>
        AG_SAT_SPLIT = 5,
    }

    public enum ag_sat_offset : int
    {
        /// <summary>"none": 0</summary>
        AG_SAT_OFFSET_NONE = 0,
        /// <summary>"half": 1/2</summary>
        AG_SAT_OFFSET_HALF = 1,
        /// <summary>"mean": the image's mean</summary>
        AG_SAT_OFFSET_MEAN = 2,
    }

    public enum ag_sat_origin : int
    {
        /// <summary>"corner": one table</summary>
        AG_SAT_CORNER = 0,
        /// <summary>"center": four, from the centre outward</summary>
        AG_SAT_CENTER = 1,
    }

    public enum ag_sat_edge : int
    {
        /// <summary>"inclusive": up to the texel</summary>
        AG_SAT_INCLUSIVE = 0,
        /// <summary>"exclusive": before the texel: 1 row and column more</summary>
        AG_SAT_EXCLUSIVE = 1,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_sat_slot : uint
    {
        AG_SAT_SRC = 0,
        AG_SAT_DST = 1,
        AG_SAT_LOW = 2,
        AG_SAT_SQUARES = 3,
        AG_SAT_SQUARES_LOW = 4,
        AG_SAT_MEAN = 5,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_soft_shadow_slot : uint
    {
        AG_SOFT_SHADOW_SRC = 0,
        AG_SOFT_SHADOW_DEPTH = 1,
        AG_SOFT_SHADOW_DST = 2,
        AG_SOFT_SHADOW_TABLE = 3,
    }

    public enum ag_shadow_light : int
    {
        /// <summary>"directional": an orthographic map</summary>
        AG_SHADOW_DIRECTIONAL = 0,
        /// <summary>"spot": a map in perspective</summary>
        AG_SHADOW_SPOT = 1,
    }

    public enum ag_shadow_encoding : int
    {
        /// <summary>"forward": 0..1 from near to far</summary>
        AG_SHADOW_FORWARD = 0,
        /// <summary>"reversed": 1..0 from near to far</summary>
        AG_SHADOW_REVERSED = 1,
        /// <summary>"linear": metres</summary>
        AG_SHADOW_LINEAR = 2,
    }

    public enum ag_shadow_view : int
    {
        /// <summary>"stored": as its projection stores it</summary>
        AG_SHADOW_VIEW_STORED = 0,
        /// <summary>"linear": metres</summary>
        AG_SHADOW_VIEW_LINEAR = 1,
    }

    /// <summary>luminance: if src has one channel, of that channel.</summary>
    public enum ag_spectrum_channels : int
    {
        /// <summary>"each": red, green and blue show their own spectra</summary>
        AG_SPECTRUM_EACH = 0,
        /// <summary>"luminance": all three show that of 0.2126 r + 0.7152 g + 0.0722 b</summary>
        AG_SPECTRUM_LUMINANCE = 1,
    }

    /// <summary>w. With none an image whose opposite edges differ shows a cross.</summary>
    public enum ag_window : int
    {
        /// <summary>"none": 1</summary>
        AG_WINDOW_NONE = 0,
        /// <summary>"hann": sin^2(pi (x + 1/2) / W) sin^2(pi (y + 1/2) / H)</summary>
        AG_WINDOW_HANN = 1,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_spectrum_slot : uint
    {
        AG_SPECTRUM_SRC = 0,
        AG_SPECTRUM_DST = 1,
    }

    public enum ag_wavelet_direction : int
    {
        /// <summary>"forward": image to coefficients</summary>
        AG_WAVELET_FORWARD = 0,
        /// <summary>"inverse": back</summary>
        AG_WAVELET_INVERSE = 1,
    }

    public enum ag_wavelet_filter : int
    {
        /// <summary>"haar": 2 taps</summary>
        AG_WAVELET_HAAR = 0,
        /// <summary>"db2": 4 taps</summary>
        AG_WAVELET_DB2 = 1,
        /// <summary>"db4": 8 taps</summary>
        AG_WAVELET_DB4 = 2,
        /// <summary>"sym4": 8 taps</summary>
        AG_WAVELET_SYM4 = 3,
        /// <summary>"coif1": 6 taps</summary>
        AG_WAVELET_COIF1 = 4,
        /// <summary>"cdf53": biorthogonal, JPEG 2000, 6 taps</summary>
        AG_WAVELET_CDF53 = 5,
        /// <summary>"cdf97": biorthogonal, JPEG 2000, 10 taps</summary>
        AG_WAVELET_CDF97 = 6,
        /// <summary>"custom": from the slot taps</summary>
        AG_WAVELET_CUSTOM = 7,
    }

    /// <summary>What lies outside of the image:
    ///   periodization  it repeats, its last texel twice if N is odd. n = ceil(N / 2), b = F/2
    ///   symmetric      ... b a | a b c d | d c ...
    ///   reflect        ... c b | a b c d | c b ...: what other effects call mirror
    ///   zero           0
    ///   of the last three n = floor((N + F - 1) / 2), b = 1</summary>
    public enum ag_wavelet_border : int
    {
        /// <summary>"periodization": repeats</summary>
        AG_WAVELET_PERIODIZATION = 0,
        /// <summary>"symmetric": ... b a | a b ...</summary>
        AG_WAVELET_SYMMETRIC = 1,
        /// <summary>"reflect": ... c b | a b c ...: the mirror of other effects</summary>
        AG_WAVELET_REFLECT = 2,
        /// <summary>"zero": 0</summary>
        AG_WAVELET_ZERO = 3,
    }

    /// <summary>Of coefficients, level 1 being the finest, n(1) the size of its bands:
    ///   pyramid        PyWavelets' coeffs_to_array. The bands of level l begin at n(L) + n(L)
    ///                  + n(L - 1) + .. + n(l + 1) in each axis that they are high in, else at
    ///                  0; gaps are 0. With periodization, sizes that 2^levels divides are
    ///                  kept
    ///   bands          a layer of n(1) each, filled with 0: LL of the last level, then LH,
    ///                  HL, HH of that level, then those of the next finer one .. 1; so 3
    ///                  levels + 1 layers for each layer of the image</summary>
    public enum ag_wavelet_layout : int
    {
        /// <summary>"pyramid": one picture</summary>
        AG_WAVELET_PYRAMID = 0,
        /// <summary>"bands": an array layer a band</summary>
        AG_WAVELET_BANDS = 1,
    }

    /// <summary>Slots, in the order of ag_job.slots.</summary>
    public enum ag_wavelet_slot : uint
    {
        AG_WAVELET_SRC = 0,
        AG_WAVELET_DST = 1,
        AG_WAVELET_TAPS = 2,
    }

    /// <summary>all that the module keeps for one GL context</summary>
    public struct ag_device
    {
    }

    /// <summary>one configured effect on a device</summary>
    public struct ag_pass
    {
    }

    /// <summary>a texture that an effect reads or writes</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_slot_info
    {
        /// <summary>"src"</summary>
        public byte* name;
        /// <summary>one line</summary>
        public byte* help;
        /// <summary>AG_READ | AG_WRITE | AG_OPTIONAL | AG_STATE | AG_LEVELS</summary>
        public ag_access access;
        public uint format_count;
        /// <summary>sized GL internal formats that it accepts</summary>
        public uint* formats;
    }

    /// <summary>A member of the effect's settings struct, which begins with its struct_size and tag (settings.h).
    /// ag_api.defaults fills both.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_setting_info
    {
        public byte* name;
        public byte* unit;
        public byte* help;
        /// <summary>AG_FLOAT, or a 4-byte int: AG_INT, AG_BOOL (0 or 1), AG_ENUM</summary>
        public ag_setting_type type;
        /// <summary>in the settings struct, in bytes</summary>
        public uint offset;
        /// <summary>1..AG_MAX_VALUES consecutive values</summary>
        public uint count;
        public uint name_count;
        /// <summary>inclusive range of each value; defaults</summary>
        public double min;
        /// <summary>inclusive range of each value; defaults</summary>
        public double max;
        /// <summary>inclusive range of each value; defaults</summary>
        public fixed double initial[16];
        /// <summary>AG_ENUM: names[i] of value i; NULL: no valid value</summary>
        public byte** names;
        /// <summary>one line on each value, "" where its name says all</summary>
        public byte** value_help;
        /// <summary>AG_PREPARE_*: the most that prepare does after a change of it</summary>
        public ag_prepare_kind prepare;
        public uint reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_effect_info
    {
        public uint struct_size;
        /// <summary>bytes of the settings struct, its head included</summary>
        public uint settings_size;
        public byte* id;
        public byte* help;
        /// <summary>job.slots come in this order</summary>
        public ag_slot_info* slots;
        /// <summary>stride in bytes: rows may grow in later versions</summary>
        public uint slot_count;
        /// <summary>stride in bytes: rows may grow in later versions</summary>
        public uint slot_stride;
        public ag_setting_info* settings;
        public uint setting_count;
        public uint setting_stride;
        /// <summary>at most, from the device's bases on</summary>
        public uint image_units;
        /// <summary>at most, from the device's bases on</summary>
        public uint ssbos;
        /// <summary>at most, from the device's bases on</summary>
        public uint texture_units;
        /// <summary>the settings struct's second member</summary>
        public uint settings_tag;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_message
    {
        public uint struct_size;
        /// <summary>AG_LOG_*</summary>
        public ag_log_level level;
        /// <summary>what the failing call returns</summary>
        public ag_status_code code;
        /// <summary>UTF-8, no newline at its end; messages about shaders have several lines</summary>
        public byte* text;
        /// <summary>shader file, relative to the root of the shaders; NULL: none</summary>
        public byte* file;
        /// <summary>in that file, from 1; 0: none</summary>
        public uint line;
        /// <summary>in that line, from 1 (1 also where the driver gives no column); 0: none</summary>
        public uint column;
    }

    /// <summary>One timed interval. frame() reports it once its result has arrived. The struct is valid until the
    /// callback returns, the strings `effect` and `name` as long as the module is loaded; of a pass from
    /// a folder (pass_load), as long as the device.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_span
    {
        public uint struct_size;
        /// <summary>index into ag_plan.steps, or AG_WHOLE_PASS</summary>
        public uint step;
        public ag_pass* pass;
        /// <summary>"bloom"</summary>
        public byte* effect;
        /// <summary>the step's name, or the effect's for the whole pass</summary>
        public byte* name;
        /// <summary>ag_job.frame of that execute</summary>
        public ulong frame;
        /// <summary>ns on the GPU's clock (GL_TIMESTAMP)</summary>
        public ulong gpu_begin;
        /// <summary>ns on the GPU's clock (GL_TIMESTAMP)</summary>
        public ulong gpu_end;
        /// <summary>ns on the host's clock: recording the step's commands, or the whole call to execute.</summary>
        public ulong cpu_begin;
        /// <summary>ns on the host's clock: recording the step's commands, or the whole call to execute.</summary>
        public ulong cpu_end;
        /// <summary>gpu_begin and gpu_end converted to the host's clock</summary>
        public ulong host_begin;
        /// <summary>gpu_begin and gpu_end converted to the host's clock</summary>
        public ulong host_end;
        /// <summary>ns: error bound of both; AG_NO_CLOCK: unknown, both are 0</summary>
        public ulong clock_error;
        /// <summary>AG_SPAN_*</summary>
        public ag_span_flags flags;
        public uint reserved;
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void* ag_host_gl_proc(void* user, byte* name);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void* ag_host_alloc(void* user, UIntPtr bytes, UIntPtr align);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void ag_host_free(void* user, void* block, UIntPtr bytes, UIntPtr align);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void ag_host_log(void* user, ag_message* message);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ulong ag_host_now_ns(void* user);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate int ag_host_is_current(void* user);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void ag_host_span(void* user, ag_span* span);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate UIntPtr ag_host_cache_load(void* user, byte* key, void* data, UIntPtr capacity);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void ag_host_cache_store(void* user, byte* key, void* data, UIntPtr bytes);

    /// <summary>The host's callbacks. device_create copies the struct; they and `user` must stay valid until
    /// device_destroy has returned. They run on the thread of the call that needs them, and must not
    /// call back into the module.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_host
    {
        public uint struct_size;
        /// <summary>0</summary>
        public uint reserved;
        /// <summary>passed to every callback</summary>
        public void* user;
        /// <summary>The address of a GL function, or NULL (eglGetProcAddress, glfwGetProcAddress...). If the
        /// member is NULL, device_create asks EGL and GLX, on Windows WGL, which of them has a context
        /// current on its thread, and uses that one's loader.
        /// A delegate ag_host_gl_proc.</summary>
        public IntPtr gl_proc;
        /// <summary>Both or neither; NULL: the C library's malloc. alloc returns `bytes` bytes aligned to `align`
        /// (a power of two), or NULL. free gets what alloc returned, with the same `bytes` and `align`.
        /// A delegate ag_host_alloc.</summary>
        public IntPtr alloc;
        /// <summary>A delegate ag_host_free.</summary>
        public IntPtr free;
        /// <summary>NULL: no messages. The message and its strings are valid until the callback returns.
        /// A delegate ag_host_log.</summary>
        public IntPtr log;
        /// <summary>ns since a fixed moment. NULL: the system's monotonic clock. If the clock runs backwards, the
        /// samples of that time are dropped and counted (ag_stats.dropped).
        /// A delegate ag_host_now_ns.</summary>
        public IntPtr now_ns;
        /// <summary>Non-zero if the device's context is current on the calling thread; if not, calls do nothing
        /// and return AG_E_THREAD. NULL: the module asks EGL, GLX or WGL if gl_proc is NULL, too; else
        /// it does not check, and a call on a wrong thread is undefined, as all of GL is there.
        /// A delegate ag_host_is_current.</summary>
        public IntPtr is_current;
        /// <summary>NULL: none. frame() calls it for every measured interval, in the order of execution, a whole
        /// pass before its steps. Pass it on to your profiler (docs/profiling.md).
        /// A delegate ag_host_span.</summary>
        public IntPtr span;
        /// <summary>Store for compiled programs. Both or neither; NULL: every run compiles all programs. Keys are
        /// 32 hex digits; one file per key in a folder is enough, written under another name and then
        /// renamed, so that processes can share the folder. prepare calls both, on its thread. Blobs and
        /// strings are valid until the callback returns. load copies the blob to `data` if it has at
        /// most `capacity` bytes (0 in its first call), and returns its size, or 0 if there is none.
        /// store may fail silently. The module detects damaged blobs and replaces them.
        /// A delegate ag_host_cache_load.</summary>
        public IntPtr cache_load;
        /// <summary>A delegate ag_host_cache_store.</summary>
        public IntPtr cache_store;
    }

    /// <summary>all zero (but struct_size) is a good device</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_device_desc
    {
        public uint struct_size;
        /// <summary>AG_DEVICE_*</summary>
        public ag_device_flags flags;
        /// <summary>Folder of shaders to use instead of the embedded ones, watched for changes (docs/reload.md).
        /// UTF-8; copied. It must be there and readable, else AG_E_ARG. NULL: embedded shaders. frame()
        /// compiles changed programs beside the ones that run: in the driver's threads with
        /// GL_KHR_parallel_shader_compile, otherwise in its budget. When all are linked, one frame()
        /// swaps them in every pass whose programs all work and need no binding that the plan lacks; a
        /// pass never mixes old and new ones. While files have errors, it keeps the old ones; a pass
        /// prepared meanwhile gets the last shaders that worked, or else the embedded ones, and prepare
        /// returns AG_FALLBACK. Each edit that fails logs one message: file, line, column, the line with
        /// a caret, the driver's log. The first prepare of a device with shader_dir, or with
        /// AG_JOB_BACKGROUND, sets GL_MAX_SHADER_COMPILER_THREADS to 8 unless the host has set it.</summary>
        public byte* shader_dir;
        /// <summary>First image unit that the module may use; ag_effect_info.image_units says how many. At least
        /// 3 must be left, else device_create fails. An effect that uses more counts units 0..7 only; if
        /// too few of these are left, mip chains take more dispatches, other effects fail in declare.</summary>
        public uint image_unit_base;
        /// <summary>first shader storage binding; 6 must be left: ag_effect_info.ssbos</summary>
        public uint ssbo_base;
        /// <summary>GPU timestamps in flight: 10..65536, fewer count as 10; 0 = 512. A pass needs 2, or its steps
        /// + 1 with AG_JOB_TIME_STEPS. A sample that finds too few free is dropped and counted.</summary>
        public uint timer_capacity;
        /// <summary>ns that frame() may spend on live reload, plus the step that it is at by then. 0: at least
        /// 200000, and a share of the time between frames. With four frames a second or fewer, frame()
        /// then waits for an edit's compiles, as long as the host took since the last frame and at most
        /// half a second, so that an edit takes one frame. With any other value it never waits.</summary>
        public uint frame_budget;
        /// <summary>For ag_stats.copy_ratio: MB/s, read + written (`afterglow info --copy`); 0: not known.</summary>
        public uint copy_speed;
        /// <summary>first texture unit: ag_effect_info.texture_units</summary>
        public uint texture_unit_base;
        /// <summary>AG_WITHOUT_*; other bits are refused</summary>
        public ag_without without;
        /// <summary>0</summary>
        public uint reserved;
        /// <summary>The text that `afterglow tune -o FILE` wrote on this GPU: where `auto` changes from one
        /// method to the next, and copy_speed where that is 0. The module reads no such file itself:
        /// hand over its content, NUL at its end; it is not kept. Results obey the same contract with
        /// any text; times differ. A text of another GPU, driver or version of the module, or one that
        /// is damaged, changes nothing: device_create logs a warning with the reason and returns
        /// AG_UNTUNED. NULL: none; the methods change over where an H200's do.</summary>
        public byte* tuning;
    }

    /// <summary>One level of a texture of the host, or a rectangle of that level. The host owns the texture.
    ///
    /// It is read through image units or views of the module's own: your swizzle, samplers, BASE_LEVEL
    /// and MAX_LEVEL have no effect. Textures made by glTexImage cannot be viewed. Of those,
    /// SRGB8_ALPHA8, depth and (as inputs) R11F_G11F_B10F are refused, the level must lie within
    /// BASE_LEVEL..MAX_LEVEL, and mip chains take longer.
    /// Colours are linear, except in SRGB8_ALPHA8 textures, which are decoded and encoded by the exact
    /// piecewise curve. A colour image is R8 RG8 RGBA8 SRGB8_ALPHA8 RGB10_A2 R11F_G11F_B10F R16F RG16F
    /// RGBA16F R32F RG32F RGBA32F; src and dst of bloom, convolve and filter_spectrum also RGBA16. A
    /// depth format is DEPTH_COMPONENT16 24 32 32F DEPTH24_STENCIL8 or DEPTH32F_STENCIL8.
    /// ag_slot_info.formats has those of each slot.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_texture
    {
        public uint struct_size;
        /// <summary>GL texture; 0 in declare (not created yet), or for an empty optional slot</summary>
        public uint name;
        /// <summary>GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY; of depth also the multisampled ones</summary>
        public uint target;
        /// <summary>sized internal format, e.g. 0x881A = GL_RGBA16F; 0: the slot is empty</summary>
        public uint format;
        /// <summary>of that level, in texels, 1..65536</summary>
        public int width;
        /// <summary>of that level, in texels, 1..65536</summary>
        public int height;
        /// <summary>mipmap level; AG_E_ARG if the texture does not have it</summary>
        public int level;
        /// <summary>array layers to process in one execute, 1..2048; 0 means 1</summary>
        public int first_layer;
        /// <summary>array layers to process in one execute, 1..2048; 0 means 1</summary>
        public int layers;
        /// <summary>Rectangle in texels. rect_width = rect_height = 0: from rect_x, rect_y to the end.</summary>
        public int rect_x;
        /// <summary>Rectangle in texels. rect_width = rect_height = 0: from rect_x, rect_y to the end.</summary>
        public int rect_y;
        /// <summary>Rectangle in texels. rect_width = rect_height = 0: from rect_x, rect_y to the end.</summary>
        public int rect_width;
        /// <summary>Rectangle in texels. rect_width = rect_height = 0: from rect_x, rect_y to the end.</summary>
        public int rect_height;
        /// <summary>0</summary>
        public uint reserved;
        /// <summary>For every slot, name and version together name the GL object: increase the version when the
        /// texture was created again under its old name. Its content may change in every frame under one
        /// version. Two slots with one name must have one version. Only kernels and masks (kernel,
        /// kernel_image, mask, dirt) are read by prepare: for them the version names the content, too,
        /// so increase it also when that changed.</summary>
        public ulong version;
    }

    /// <summary>A byte range of a GL buffer of the host. This struct is frozen, because it lies inside ag_job.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_buffer
    {
        public uint struct_size;
        public uint name;
        /// <summary>offset: a multiple of ag_plan.scratch_alignment</summary>
        public ulong offset;
        /// <summary>offset: a multiple of ag_plan.scratch_alignment</summary>
        public ulong bytes;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_image_unit
    {
        /// <summary>texture 0: unbound</summary>
        public uint texture;
        /// <summary>texture 0: unbound</summary>
        public uint layered;
        /// <summary>GL enums; 0: GL's initial values</summary>
        public uint access;
        /// <summary>GL enums; 0: GL's initial values</summary>
        public uint format;
        public int level;
        public int layer;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_ssbo
    {
        /// <summary>reserved: 0</summary>
        public uint buffer;
        /// <summary>reserved: 0</summary>
        public uint reserved;
        /// <summary>bytes 0: the whole buffer (glBindBufferBase)</summary>
        public ulong offset;
        /// <summary>bytes 0: the whole buffer (glBindBufferBase)</summary>
        public ulong bytes;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_texture_unit
    {
        /// <summary>bound again if the module used this target; 0: any target</summary>
        public uint texture;
        /// <summary>bound again if the module used this target; 0: any target</summary>
        public uint target;
        /// <summary>reserved: 0</summary>
        public uint sampler;
        /// <summary>reserved: 0</summary>
        public uint reserved;
    }

    /// <summary>Values that execute writes to the changed GL state when it ends. Zero means unbound.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_gl_state
    {
        public uint struct_size;
        public uint program;
        /// <summary>units image_unit_base + i, ag_effect_info.image_units of them</summary>
        public ag_image_unit images0;
        public ag_image_unit images1;
        public ag_image_unit images2;
        public ag_image_unit images3;
        public ag_image_unit images4;
        public ag_image_unit images5;
        public ag_image_unit images6;
        public ag_image_unit images7;
        /// <summary>bindings ssbo_base + i, ag_effect_info.ssbos of them</summary>
        public ag_ssbo ssbos0;
        public ag_ssbo ssbos1;
        public ag_ssbo ssbos2;
        public ag_ssbo ssbos3;
        public ag_ssbo ssbos4;
        public ag_ssbo ssbos5;
        public ag_ssbo ssbos6;
        public ag_ssbo ssbos7;
        public uint ssbo_generic;
        /// <summary>used only if a texture unit was; 0 means GL_TEXTURE0</summary>
        public uint active_texture;
        /// <summary>units texture_unit_base + i, ag_effect_info.texture_units of them</summary>
        public ag_texture_unit textures0;
        public ag_texture_unit textures1;
        public ag_texture_unit textures2;
        public ag_texture_unit textures3;
        public ag_texture_unit textures4;
        public ag_texture_unit textures5;
        public ag_texture_unit textures6;
        public ag_texture_unit textures7;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_job
    {
        public uint struct_size;
        /// <summary>AG_JOB_*</summary>
        public ag_job_flags flags;
        /// <summary>In the order of ag_effect_info.slots, slots[0].struct_size bytes apart. slot_count counts the
        /// elements of this array: up to that of the effect, fewer if trailing optional slots are left
        /// out. An optional slot may also be all zero. No other slot may name the same level of the same
        /// texture as an output, even with another rectangle or layer (AG_E_ARG); sat has an exception.</summary>
        public ag_texture* slots;
        public uint slot_count;
        /// <summary>AG_USE_* of the outputs</summary>
        public ag_next_use next_use;
        /// <summary>ag_bloom_settings...; NULL: defaults. Start from AG_BLOOM_DEFAULTS or ag_bloom_params
        /// (settings.h), or from ag_api.defaults. Members that an older header lacks get the effect's
        /// defaults. The second member, the tag, says of which effect they are.</summary>
        public void* settings;
        /// <summary>any number; spans return it</summary>
        public ulong frame;
        /// <summary>name 0: the pass allocates its own scratch</summary>
        public ag_buffer scratch;
        /// <summary>NULL: changed bindings are left 0</summary>
        public ag_gl_state* restore;
        /// <summary>Dynamic resolution: plan for images of up to this size, 1..65536, or both 0: for this image.
        /// Line lengths, memory and programs are then those of the largest size: prepare with a smaller
        /// rectangle compiles and allocates nothing. Smaller images take somewhat longer than with plans
        /// of their own. Convolve, bloom and exposure use it. Other effects ignore it, and convolve with
        /// border wrap does, because its lines must fit the image.</summary>
        public int plan_width;
        /// <summary>Dynamic resolution: plan for images of up to this size, 1..65536, or both 0: for this image.
        /// Line lengths, memory and programs are then those of the largest size: prepare with a smaller
        /// rectangle compiles and allocates nothing. Smaller images take somewhat longer than with plans
        /// of their own. Convolve, bloom and exposure use it. Other effects ignore it, and convolve with
        /// border wrap does, because its lines must fit the image.</summary>
        public int plan_height;
        /// <summary>seconds since the last execute of this pass, finite and &gt;= 0: for what adapts over
        /// time (AG_STATE slots, statistics of denoise, bloom's steady)</summary>
        public float dt;
        /// <summary>0</summary>
        public uint reserved;
    }

    /// <summary>something that a pass reads or writes</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_resource
    {
        /// <summary>the slot's name, or what the memory holds</summary>
        public byte* name;
        /// <summary>AG_READ | AG_WRITE</summary>
        public ag_access access;
        /// <summary>live range; disjoint ranges of scratch may share memory</summary>
        public uint first_step;
        /// <summary>live range; disjoint ranges of scratch may share memory</summary>
        public uint last_step;
        /// <summary>AG_RESOURCE_*</summary>
        public ag_resource_kind kind;
        /// <summary>scratch: the range in it. Textures: 0, bytes of the rectangle</summary>
        public ulong offset;
        /// <summary>scratch: the range in it. Textures: 0, bytes of the rectangle</summary>
        public ulong bytes;
    }

    /// <summary>One timed step: one or more dispatches, with barriers between them where one reads what another
    /// wrote.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_step
    {
        public byte* name;
        /// <summary>at most: of box_blur some radii need fewer</summary>
        public uint dispatches;
        /// <summary>work groups of each dispatch, or of the largest</summary>
        public fixed uint groups[3];
        /// <summary>bytes that must move, read and written</summary>
        public ulong bytes;
    }

    /// <summary>The pass owns it. It is valid until the next declare or prepare of the pass, or its destruction.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_plan
    {
        public uint struct_size;
        public uint step_count;
        public uint step_stride;
        public uint resource_count;
        public uint resource_stride;
        /// <summary>glMemoryBarrier bits that the host must place before execute, if its shaders wrote the
        /// inputs, or used the memory that is now scratch or an output.</summary>
        public uint barriers_before;
        /// <summary>bits that ag_job.next_use needs: execute places or returns them</summary>
        public uint barriers_after;
        public uint reserved;
        public ag_step* steps;
        public ag_resource* resources;
        /// <summary>hash of the plan: changes when anything in it changes, and only then</summary>
        public ulong key;
        /// <summary>transient memory; its content need not survive between executes</summary>
        public ulong scratch_bytes;
        /// <summary>of the scratch range's offset</summary>
        public ulong scratch_alignment;
        /// <summary>GPU memory that the pass keeps: tables, kernel spectra, memory of the former plan's spectrum.</summary>
        public ulong persistent_bytes;
        /// <summary>the plan in words: lengths, radices, threads, bytes</summary>
        public fixed byte text[384];
    }

    /// <summary>of the last 512 samples of a pass or of one of its steps</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_stats
    {
        public uint struct_size;
        /// <summary>in the ring now; 0: no result has arrived yet, or timing is unavailable</summary>
        public uint samples;
        /// <summary>samples since this plan was prepared, first uses left out</summary>
        public ulong count;
        /// <summary>samples of the pass lost since its creation: no timestamps were free, or
        /// the GPU's or the host's clock ran backwards</summary>
        public ulong dropped;
        /// <summary>ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.</summary>
        public double gpu_last;
        /// <summary>ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.</summary>
        public double gpu_min;
        /// <summary>ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.</summary>
        public double gpu_median;
        /// <summary>ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.</summary>
        public double gpu_p95;
        /// <summary>ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.</summary>
        public double gpu_p99;
        /// <summary>ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.</summary>
        public double gpu_mean;
        public double cpu_last;
        public double cpu_min;
        public double cpu_median;
        public double cpu_p95;
        public double cpu_p99;
        public double cpu_mean;
        /// <summary>ns of the last first use (AG_SPAN_FIRST), which is not a sample; 0: none seen.</summary>
        public double gpu_first;
        /// <summary>ns of the last first use (AG_SPAN_FIRST), which is not a sample; 0: none seen.</summary>
        public double cpu_first;
        /// <summary>CPU ns of the last prepare that had something to do; 0: not known</summary>
        public double cpu_prepare;
        /// <summary>that must move in one execute, by the plan</summary>
        public ulong bytes;
        /// <summary>bytes / gpu_median, in 10^9 bytes per second</summary>
        public double gb_per_s;
        /// <summary>gb_per_s / ag_device_desc.copy_speed: 1 = as fast as a copy; 0: not known</summary>
        public double copy_ratio;
    }

    /// <summary>A texel is bad where a channel is NaN, infinite, or too large to be summed: of a magnitude of
    /// 2^64 (1.8e19) and more, or of 2^48 (2.8e14) where squares are summed (local_stats; sat with
    /// square). With the setting scrub, on by default, it counts as 0 in all channels, as often as a
    /// pass reads it: a single one of 3e38 would make all sums over its line infinite, which an FFT
    /// spreads over the whole frame. What is smaller makes no sum infinite, up to 16384 x 16384 texels
    /// and kernels whose magnitudes add up to 2^35. 16-bit floats are never too large. Effects whose
    /// results never exceed the largest texel keep every finite one; their headers say so.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_health
    {
        public uint struct_size;
        /// <summary>GL programs alive</summary>
        public uint programs;
        /// <summary>bad texels read as 0 since creation, as far as read back</summary>
        public ulong scrubbed_texels;
        /// <summary>timings lost: no timestamps were free, or a clock ran backwards</summary>
        public ulong dropped_samples;
        /// <summary>GPU memory held by the device and its passes</summary>
        public ulong persistent_bytes;
        /// <summary>since creation: loaded by ag_host.cache_load, not compiled</summary>
        public uint programs_from_cache;
        public uint reserved;
    }

    /// <summary>live reload; all zero without shader_dir and folders of passes</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_reload
    {
        public uint struct_size;
        /// <summary>edits that replaced programs of some pass, since creation</summary>
        public uint generation;
        /// <summary>changed files and compiling programs; 0: every edit has been handled</summary>
        public uint pending;
        /// <summary>passes on fallback shaders because those of shader_dir failed</summary>
        public uint failed;
        /// <summary>watched paths, missing files included</summary>
        public uint watched;
        /// <summary>of the message; 0: no place</summary>
        public uint line;
        /// <summary>of the message; 0: no place</summary>
        public uint column;
        public uint reserved;
        /// <summary>Both strings are valid until the next frame() or prepare.
        /// of the message, relative to its folder; NULL: no place</summary>
        public byte* file;
        /// <summary>the last message about a failure that still exists; NULL: none</summary>
        public byte* message;
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_effect_info** ag_api_effects(uint* count);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_defaults([MarshalAs(UnmanagedType.LPUTF8Str)] string effect, void* settings, uint size);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate byte* ag_api_status_text(ag_status_code status);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_device_create(ag_host* host, ag_device_desc* desc, ag_device** device);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void ag_api_device_destroy(ag_device* device, int context_gone);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_health(ag_device* device, ag_health* health);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_frame(ag_device* device, ulong frame);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_texture(ag_device* device, uint name, int level, ag_texture* texture);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void ag_api_forget(ag_device* device, uint texture);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_pass_create(ag_device* device, [MarshalAs(UnmanagedType.LPUTF8Str)] string effect, ag_pass** pass);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate void ag_api_pass_destroy(ag_pass* pass);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_run(ag_pass* pass, ag_job* job);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_declare(ag_pass* pass, ag_job* job, ag_plan** plan);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_slot_size(ag_pass* pass, ag_job* job, uint slot, int* size);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_prepare(ag_pass* pass, ag_job* job);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_execute(ag_pass* pass, ag_job* job, uint* barriers);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_stats(ag_pass* pass, uint step, ag_stats* stats);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_reload_status(ag_device* device, ag_reload* reload);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate double ag_api_sat_error(ag_sat_question* q, int storage);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate int ag_api_sat_fraction_bits(ag_sat_question* q, int power);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate int ag_api_sat_choose(ag_sat_question* q, double tolerance, uint allowed);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_pass_load(ag_device* device, [MarshalAs(UnmanagedType.LPUTF8Str)] string folder, ag_effect_info** effect);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public unsafe delegate ag_status_code ag_api_effect_defaults(ag_effect_info* effect, void* settings, uint size);

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_api
    {
        public uint struct_size;
        public uint abi_major;
        public uint abi_minor;
        public uint reserved;
        /// <summary>"0.1.0"</summary>
        public byte* version;
        /// <summary>The effects of this module: a constant array of *count pointers. `count` may be NULL. Those
        /// of pass_load are not among them: they belong to a device.
        /// A delegate ag_api_effects.</summary>
        public IntPtr effects;
        /// <summary>Fills a settings struct of `size` bytes with the defaults of an effect, struct_size and tag
        /// included. What a newer header has more is zero.
        ///   errors  AG_E_ARG, without a message (no such effect, NULL, or no room for struct_size and
        ///           tag)
        /// A delegate ag_api_defaults.</summary>
        public IntPtr defaults;
        /// <summary>The text of a status, never NULL.
        /// A delegate ag_api_status_text.</summary>
        public IntPtr status_text;
        /// <summary>Creates a device for the current context: loads GL functions, reads limits, creates queries.
        /// `desc` may be NULL. Needs OpenGL 4.3, or an older core context, from 3.2 on, that can do the
        /// same: a compute shader is compiled to find out. Else the message says what is missing and
        /// which context to ask for.
        /// If host-&gt;struct_size is implausible, it reads nothing else of the struct and logs nothing.
        ///   returns AG_UNTUNED if desc.tuning does not fit: the device is created with defaults
        ///   errors  AG_E_ARG, AG_E_ABI, AG_E_GL (names what is missing), AG_E_MEMORY, AG_E_THREAD
        /// A delegate ag_api_device_create.</summary>
        public IntPtr device_create;
        /// <summary>Destroys the device and all passes on it; NULL is ignored. With `context_gone` non-zero it
        /// frees memory only and calls no GL: for a context that was lost or already destroyed. If
        /// ag_host.is_current says that the context is not current, it also frees memory only, and logs
        /// AG_E_THREAD; the GL objects then exist until their context is destroyed.
        /// A delegate ag_api_device_destroy.</summary>
        public IntPtr device_destroy;
        /// <summary>AG_OK, or AG_E_LOST if the context was reset (detected in robust contexts only). Fills
        /// `health` in both cases; it may be NULL.
        /// A delegate ag_api_health.</summary>
        public IntPtr health;
        /// <summary>Call it once per frame. Collects finished GPU times (ag_host.span) and counters, and reloads
        /// changed shaders. Never waits for the GPU. Waits for a compile only after an edit, if the
        /// driver lacks GL_KHR_parallel_shader_compile or, as NVIDIA's, finishes compiling on the
        /// caller's thread (docs/reload.md). If you never call it, timings are dropped and edits have no
        /// effect, no more. `frame` is the host's frame number, which nothing uses yet.
        ///   errors  AG_E_LOST, AG_E_THREAD
        /// A delegate ag_api_frame.</summary>
        public IntPtr frame;
        /// <summary>Describes a texture of yours from its bare name, as GL knows it: fills name, target, format,
        /// width, height, level and layers (of an array all, else 1). `version` keeps its value; the
        /// rectangle becomes the whole level. Call it where you create or resize textures, not in a
        /// frame: it asks GL some ten times, for which a driver with a thread of its own waits. It
        /// leaves every binding as it was. In a context with neither OpenGL 4.5 nor
        /// GL_ARB_direct_state_access GL cannot be asked for the target: set texture-&gt;target before,
        /// else it is taken for GL_TEXTURE_2D, and that of another target sets GL_INVALID_OPERATION.
        ///   errors  AG_E_ARG (no such texture or level, or a target that no effect takes), AG_E_FORMAT
        ///           (no effect takes its format), AG_E_ABI, AG_E_LOST, AG_E_THREAD; *texture is then
        ///           unchanged
        /// A delegate ag_api_texture.</summary>
        public IntPtr texture;
        /// <summary>Call it before you delete or recreate a texture that a job of this device named, or never use
        /// a pair of name and version twice. It deletes the views and kernel spectra made from
        /// the texture; execute wants a new prepare before it takes the name again. Unknown names are
        /// ignored. AG_DEVICE_VALIDATE finds missing calls.
        /// A delegate ag_api_forget.</summary>
        public IntPtr forget;
        /// <summary>Creates a pass of an effect, named by its id. The device owns it.
        ///   errors  AG_E_ARG (the message lists the ids), AG_E_MEMORY
        /// A delegate ag_api_pass_create.</summary>
        public IntPtr pass_create;
        /// <summary>Destroys a pass; NULL is ignored. It must not be called twice for a pass, nor after the
        /// device is destroyed. If the context is lost or not current, it frees memory only.
        /// A delegate ag_api_pass_destroy.</summary>
        public IntPtr pass_destroy;
        /// <summary>prepare, then execute with barriers = NULL: all that a frame needs. If prepare fails, or
        /// returns AG_PENDING because the job has AG_JOB_BACKGROUND, nothing is recorded and the outputs
        /// keep their texels. Call it again with the same job in the next frame.
        ///   returns what prepare returned, if execute succeeds
        ///   errors  as prepare and execute
        /// A delegate ag_api_run.</summary>
        public IntPtr run;
        /// <summary>Plans a job, without GL and without any effect on what is prepared. Texture names may be 0.
        ///   errors  AG_E_ARG, AG_E_ABI, AG_E_FORMAT, AG_E_SIZE
        /// A delegate ag_api_declare.</summary>
        public IntPtr declare;
        /// <summary>The size that an output's texture must have for this job: width, height, layers. For a slot
        /// with several allowed sizes: the first. 0, 0, 0: any size, or these settings leave the slot
        /// empty. The job holds inputs and settings; outputs may be all zero or left out at the end.
        ///   errors  as declare, for the inputs; AG_E_ARG also for a slot that is not written
        /// A delegate ag_api_slot_size.</summary>
        public IntPtr slot_size;
        /// <summary>Creates everything that the job needs: programs, views, memory, the kernel's spectrum. Call
        /// it before every execute: if nothing has changed it costs 5 us at most, and 8 us for one of up
        /// to 8 sets of textures that alternate (a test measures both). Then it makes no GL call but
        /// what ag_job.scratch needs. It works when sizes, formats, a kernel or a setting change
        /// (ag_setting_info.prepare says which), and once for each texture, which it checks against GL;
        /// execute takes only checked ones (AG_E_STATE otherwise). If it fails, the former plan stays in
        /// use.
        /// It waits for the GPU when convolve by FFT or with normalize = sum, or bloom with shape =
        /// texture, gets a new kernel texture: it reads back properties of the kernel's values. Bloom
        /// with resolution = auto waits for each new kernel, unless the job has AG_JOB_BACKGROUND.
        /// Programs and tables live as long as the device; unused programs until the next reload.
        ///   With AG_JOB_BACKGROUND it returns AG_PENDING while the driver's threads compile (without
        ///   GL_KHR_parallel_shader_compile it compiles synchronously), and while the GPU measures the
        ///   kernel of bloom with resolution = auto. Nothing has changed then: the former plan serves.
        ///   Call it again with the same job in later frames, until it is AG_OK. A call gives the driver
        ///   programs, and takes those that are linked, until that has taken 2 ms: one at least, and a
        ///   driver that compiles in the call (docs/reload.md) holds a frame up for one program.
        ///   returns AG_FALLBACK if shader_dir's shaders failed and fallback shaders are used
        ///   errors  as execute, and AG_E_SHADER, AG_E_MEMORY
        /// A delegate ag_api_prepare.</summary>
        public IntPtr prepare;
        /// <summary>Records the pass. Does not allocate, compile, upload or wait. If `barriers` is NULL, it ends
        /// with the one glMemoryBarrier that job-&gt;next_use needs. Otherwise it places none and returns
        /// the bits there, so that the host can merge them with its own.
        ///   errors  AG_E_ARG, AG_E_ABI, AG_E_FORMAT, AG_E_SIZE, AG_E_STATE, AG_E_LOST, AG_E_THREAD;
        ///           nothing is recorded and no output texel is written
        /// A delegate ag_api_execute.</summary>
        public IntPtr execute;
        /// <summary>Times of the whole pass (AG_WHOLE_PASS) or of one step (executed with AG_JOB_TIME_STEPS).
        ///   errors  AG_E_ARG (no such step in the prepared plan)
        /// A delegate ag_api_stats.</summary>
        public IntPtr stats;
        /// <summary>The state of live reload. Cheap; meant to be shown while shaders are edited. Calls no GL.
        ///   errors  AG_E_ARG
        /// A delegate ag_api_reload_status.</summary>
        public IntPtr reload_status;
        /// <summary>Three pure functions about summed-area tables: sat.h says what they give. `q` must not be
        /// NULL; `storage` is AG_SAT_*.
        /// A delegate ag_api_sat_error.</summary>
        public IntPtr sat_error;
        /// <summary>A delegate ag_api_sat_fraction_bits.</summary>
        public IntPtr sat_fraction_bits;
        /// <summary>A delegate ag_api_sat_choose.</summary>
        public IntPtr sat_choose;
        /// <summary>Reads the pass of a folder (UTF-8; copied): pass.comp, whose first lines describe it
        /// (docs/passes.md). pass_create then takes its id on this device, and *effect is as those of
        /// `effects`, but valid as long as the device, as its name is in spans. No GL call is made.
        ///   For a folder that was read before it returns what frame() found there last, and reads
        ///   nothing. When an edit changes only shaders, frame() replaces them, as those of shader_dir.
        ///   When it changes steps or textures, the next prepare takes them. When it changes slots or
        ///   settings, a warning is logged, and *effect and its settings_tag are others from then on:
        ///   passes go on with jobs of the former ones until a prepare has settings of the new. While an
        ///   edit has errors, the last version that worked goes on (ag_reload; prepare: AG_FALLBACK).
        ///   errors  AG_E_ARG (no such folder, or the message has file, line, caret and what was
        ///           expected; or another effect has this id), AG_E_MEMORY
        /// A delegate ag_api_pass_load.</summary>
        public IntPtr pass_load;
        /// <summary>As `defaults`, for an effect by its description: also one of pass_load.
        ///   errors  AG_E_ARG, without a message (NULL, or no room for struct_size and tag)
        /// A delegate ag_api_effect_defaults.</summary>
        public IntPtr effect_defaults;
    }

    /// <summary>A change needs the new prepare of its row only if the shape in use reads the setting, and
    ///   output      if it is to or from add
    ///   threshold,  if a texture is in the slot exposure, and the change turns the first of the two on
    ///   clamp       or the last of them off
    ///   scrub       with shape = texture
    ///   ghosts,     if it is between 0 and more. transition, not 0: prepare no longer makes the new
    ///   transition, kernel at once, but a part of it a call, so call it every frame. For aperture, star
    ///   steady      and anamorphic; for what decides about their size prepare works at once. Needs
    ///               resolution full. steady: docs/bloom.md; the pass keeps 28 bytes a texel of the
    ///               smaller image, so each view has a pass of its own, and AG_JOB_RESET tells it of a
    ///               cut. Needs resolution half, quarter or eighth
    ///   gain        if it is between 1 and more. Below 1 it counts as 1; but 0 is 1 with transfer
    ///               linear, and 100 with srgb</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_bloom_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>share of the light that is spread. 0.2 by default; 0 to 1.</summary>
        public float intensity;
        /// <summary>the kernel's full extent. 0.45 by default; 0 to 2 heights. A change makes prepare plan again.</summary>
        public float size;
        /// <summary>what draws the kernel. AG_BLOOM_APERTURE by default. A change makes prepare plan again.</summary>
        public ag_bloom_shape shape;
        /// <summary>number of the iris's blades. 6 by default; 3 to 16. A change makes the kernel again.</summary>
        public int blades;
        /// <summary>of the iris, or of the eye, from +x to +y. 0 by default; -360 to 360 degrees. A change makes the kernel again.</summary>
        public float rotation;
        /// <summary>light below it does not bloom; 0 = off. 0 by default; 0 to 65504. A change makes prepare plan again.</summary>
        public float threshold;
        /// <summary>softness of the threshold. 0.5 by default; 0 to 1 thresholds.</summary>
        public float knee;
        /// <summary>brightest value that blooms; 0 = off. 0 by default; 0 to 65504. A change makes prepare plan again.</summary>
        public float clamp;
        /// <summary>threshold, knee and clamp apply to src * 2^exposure; dst is not multiplied by it. 0 by default; -32 to 32 EV.</summary>
        public float exposure;
        /// <summary>colour of the bloom. 1, 1, 1 by default; 0 to 16.</summary>
        public fixed float tint[3];
        /// <summary>the composite, the bloom alone, or added to dst. AG_BLOOM_COMPOSITE by default. A change makes prepare plan again.</summary>
        public ag_bloom_output output;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default. A change makes the kernel again.</summary>
        public int scrub;
        /// <summary>of spectra between passes; compact: 16 bits a component. AG_STORAGE_FULL by default. A change makes prepare plan again.</summary>
        public ag_storage storage;
        /// <summary>of aperture and anamorphic: 0 = straight blades, 1 = a circle. 0 by default; 0 to 1. A change makes the kernel again.</summary>
        public float roundness;
        /// <summary>a star's size goes with wavelength^dispersion. 1 by default; 0 to 2. A change makes prepare plan again.</summary>
        public float dispersion;
        /// <summary>particles on the lens, or in the eye. 0 by default; 0 to 1. A change makes the kernel again.</summary>
        public float dust;
        /// <summary>scratches on the lens. 0 by default; 0 to 1. A change makes the kernel again.</summary>
        public float scratches;
        /// <summary>which dust, scratches and lashes. 1 by default; 0 to 65535. A change makes the kernel again.</summary>
        public int seed;
        /// <summary>lashes before the pupil of shape = star. 0.5 by default; 0 to 1. A change makes the kernel again.</summary>
        public float eyelashes;
        /// <summary>of the star along x, of shape = anamorphic. 2 by default; 1 to 8. A change makes the kernel again.</summary>
        public float stretch;
        /// <summary>the streak's share of blue light, of shape = anamorphic. 0.35 by default; 0 to 1. A change makes the kernel again.</summary>
        public float streak;
        /// <summary>of shape = texture. auto: centred by its light, black subtracted. AG_BLOOM_FIT_AUTO by default. A change makes prepare plan again.</summary>
        public ag_bloom_fit kernel_fit;
        /// <summary>how much the mask in slot dirt brightens. 1 by default; 0 to 16.</summary>
        public float dirt_intensity;
        /// <summary>reflections in the lens, which add light; 0 = off. 0 by default; 0 to 8. A change makes prepare plan again.</summary>
        public int ghosts;
        /// <summary>share of the light that a ghost has. 0.002 by default; 0 to 1.</summary>
        public float ghost_intensity;
        /// <summary>how long a change of the kernel fades in; 0 = at once. 0 by default; 0 to 240 frames. A change makes prepare plan again.</summary>
        public int transition;
        /// <summary>of the image that the FFT transforms. AG_BLOOM_FULL by default. A change makes prepare plan again.</summary>
        public ag_bloom_resolution resolution;
        /// <summary>fixed: that image keeps its size when the frame's changes. AG_BLOOM_FRAME by default. A change makes prepare plan again.</summary>
        public ag_bloom_grid grid;
        /// <summary>what single bright texels may spread. AG_BLOOM_FIREFLY_OFF by default. A change makes prepare plan again.</summary>
        public ag_bloom_firefly firefly;
        /// <summary>srgb: src and dst hold codes of its curve. AG_BLOOM_LINEAR by default. A change makes prepare plan again.</summary>
        public ag_bloom_transfer transfer;
        /// <summary>g, how many times as bright white shines; 0: 100 with transfer = srgb, else 1. 0 by default; 0 to 256. A change makes prepare plan again.</summary>
        public float gain;
        /// <summary>how slowly the glow follows light that flickers; 0 = off. 0 by default; 0 to 0.99. A change makes prepare plan again.</summary>
        public float steady;
    }

    /// <summary>n iterations give about a Gaussian of sigma = sqrt(n ((2r+1)^2 - 1) / 12), 3 to within 3 %.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_box_blur_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>half the box less half a texel, any real number; with a radius texture: its unit. 8 by default; 0 to 16384 texels.</summary>
        public float radius;
        /// <summary>one after the other; 3 look like a Gaussian. 1 by default; 1 to 4. A change makes prepare plan again.</summary>
        public int iterations;
        /// <summary>what lies outside the image. AG_BORDER_CLAMP by default. A change makes prepare plan again.</summary>
        public ag_border border;
        /// <summary>precision of the table that is made here. AG_BOX_STORAGE_AUTO by default. A change makes prepare plan again.</summary>
        public ag_box_storage storage;
        /// <summary>of a given 32UI table; -1: it sums 8-bit codes. -1 by default; -1 to 24 bits.</summary>
        public int fraction_bits;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
    }

    /// <summary>noise is the variance of the noise over the mean square of R^(1/2) times the sharp image, that
    /// is, of the differences of neighbours. It weighs against |K|^2, so a kernel should sum to 1
    /// (normalize = sum).</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_convolve_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>the algorithm; all obey the same contract. AG_CONVOLVE_AUTO by default. A change makes prepare plan again.</summary>
        public ag_convolve_method method;
        /// <summary>what lies outside the image. AG_BORDER_ZERO by default. A change makes prepare plan again.</summary>
        public ag_border border;
        /// <summary>divide the kernel by each channel's sum. AG_NORMALIZE_NONE by default. A change makes the kernel again.</summary>
        public ag_normalize normalize;
        /// <summary>correlate instead of convolve. 0 by default. A change makes prepare plan again.</summary>
        public int correlate;
        /// <summary>copy alpha, or convolve it too. AG_ALPHA_COPY by default. A change makes prepare plan again.</summary>
        public ag_alpha alpha;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default. A change makes the kernel again.</summary>
        public int scrub;
        /// <summary>of spectra between the passes: compact is 16 bits a component. AG_STORAGE_FULL by default. A change makes prepare plan again.</summary>
        public ag_storage storage;
        /// <summary>blur, or undo a known blur by Wiener's filter. AG_OPERATION_CONVOLVE by default. A change makes prepare plan again.</summary>
        public ag_operation operation;
        /// <summary>of deconvolve, above 0 there: how much noise there is in the image. 0.1 by default; 0 to 1e6. A change makes the kernel again.</summary>
        public float noise;
        /// <summary>of deconvolve: what lies outside is unknown, or is as border says. AG_EDGES_TAPER by default. A change makes prepare plan again.</summary>
        public ag_edges edges;
    }

    /// <summary>A change of wavelet needs a new prepare only with dwt, one of sigma only to or from 0.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_denoise_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>the transform; ti_haar: the mean over all shifts. AG_DENOISE_TI_HAAR by default. A change makes prepare plan again.</summary>
        public ag_denoise_filter filter;
        /// <summary>of the transform; noise coarser than 2^levels texels stays. blocks: 1 = one step. 5 by default; 1 to 6. A change makes prepare plan again.</summary>
        public int levels;
        /// <summary>what is removed of a coefficient. AG_DENOISE_FIRM by default. A change makes prepare plan again.</summary>
        public ag_denoise_threshold threshold;
        /// <summary>how large thresholds are; given: strength times sigma. AG_DENOISE_NOISE by default. A change makes prepare plan again.</summary>
        public ag_denoise_rule rule;
        /// <summary>factor of the thresholds; with rule = given the threshold in units of sigma. 1 by default; 0 to 100.</summary>
        public float strength;
        /// <summary>the noise's standard deviation, in units of y; 0: estimated. 0 by default; 0 to 1e6. A change makes prepare plan again.</summary>
        public float sigma;
        /// <summary>factor of the thresholds of the two chroma components. 1.2 by default; 0 to 100.</summary>
        public float chroma;
        /// <summary>how much of the result replaces the image. 1 by default; 0 to 1.</summary>
        public float amount;
        /// <summary>the scale in which noise is the same everywhere. AG_DENOISE_LINEAR by default. A change makes prepare plan again.</summary>
        public ag_denoise_space space;
        /// <summary>log: where it becomes linear; anscombe: variance by signal. 0.01 by default; 1e-6 to 1e6.</summary>
        public float gain;
        /// <summary>anscombe: variance of the noise at x = 0, black. 0 by default; 0 to 1e6.</summary>
        public float offset;
        /// <summary>how fast estimates, sigma and V, follow a change of noise. 4 by default; 0 to 1000 1/s.</summary>
        public float adapt;
        /// <summary>atrous: exponent of the cosine between normals. 64 by default; 0 to 1024.</summary>
        public float edge_normal;
        /// <summary>atrous, history: how far depth may be off, in slopes. 2 by default; 0.01 to 1000.</summary>
        public float edge_depth;
        /// <summary>with history: most frames that count. 16 by default; 1 to 256.</summary>
        public float frames;
        /// <summary>with history: how many deviations it may be from the 5 x 5 texels around. 2 by default; 0.5 to 100.</summary>
        public float clamp;
        /// <summary>count before each filtering, from this image alone, by further dispatches. 0 by default. A change makes prepare plan again.</summary>
        public int exact;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
        /// <summary>dwt: the transform; cdf53 and cdf97 are biorthogonal. AG_WAVELET_CDF97 by default. A change makes prepare plan again.</summary>
        public ag_wavelet_filter wavelet;
        /// <summary>atrous: how many times as bright as those around it a texel may be; 0: any. 0 by default; 0 to 1000.</summary>
        public float firefly;
    }

    /// <summary>far_plane is above near_plane, or 0. shape and storage are those of tables; blades, roundness,
    /// rotation and squeeze those of gather, as bloom has them.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_depth_of_field_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>what is in focus: a distance, or what a point or an area of the frame shows. AG_FOCUS_DISTANCE by default. A change makes prepare plan again.</summary>
        public ag_focus focus;
        /// <summary>in focus; autofocus: until the area shows something. 10 by default; 0.001 to 1e6 m.</summary>
        public float focus_distance;
        /// <summary>of the point, or of the area's middle, across src's rectangle; 0 left, 1 right. 0.5 by default; 0 to 1.</summary>
        public float focus_x;
        /// <summary>of the point or middle; 0 at row 0. 0.5 by default; 0 to 1.</summary>
        public float focus_y;
        /// <summary>focal length over the lens's diameter; less blurs more. 2.8 by default; 0.5 to 64.</summary>
        public float f_number;
        /// <summary>of the lens; more blurs more. 50 by default; 1 to 2000 mm.</summary>
        public float focal_length;
        /// <summary>that the frame's height shows. 24 by default; 1 to 1000 mm.</summary>
        public float sensor_height;
        /// <summary>what depth holds: 0..1 from near to far, 1..0, or metres. AG_ENCODING_FORWARD by default.</summary>
        public ag_encoding encoding;
        /// <summary>of the camera; not for linear. 0.1 by default; 0.001 to 1e6 m.</summary>
        public float near_plane;
        /// <summary>of the camera, 0 = infinitely far; not for linear. 1000 by default; 0 to 1e9 m.</summary>
        public float far_plane;
        /// <summary>larger blurs are cut. 32 by default; 1 to 128 texels.</summary>
        public float max_radius;
        /// <summary>of the light of a point: 1, 3 or 7 boxes. AG_SHAPE_DISC by default. A change makes prepare plan again.</summary>
        public ag_focus_shape shape;
        /// <summary>precision of the tables. AG_FOCUS_FLOAT32 by default. A change makes prepare plan again.</summary>
        public ag_focus_storage storage;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
        /// <summary>what makes the blur. AG_FOCUS_AUTO by default. A change makes prepare plan again.</summary>
        public ag_focus_method method;
        /// <summary>of the iris, 3 or more; 0 = a round opening. 0 by default; 0 to 11. A change makes prepare plan again.</summary>
        public int blades;
        /// <summary>of the iris: 0 = straight blades, 1 = a circle. 0 by default; 0 to 1. A change makes prepare plan again.</summary>
        public float roundness;
        /// <summary>of the iris, from +x to +y. 0 by default; -360 to 360 degrees. A change makes prepare plan again.</summary>
        public float rotation;
        /// <summary>of an anamorphic lens: how many times taller than wide its discs are. 1 by default; 1 to 2. A change makes prepare plan again.</summary>
        public float squeeze;
        /// <summary>of autofocus's area, as a share of src's rectangle; 0 = one texel. 0.1 by default; 0 to 1.</summary>
        public float focus_width;
        /// <summary>of the area; 0 = one texel. 0.1 by default; 0 to 1.</summary>
        public float focus_height;
        /// <summary>of autofocus: each second what is left to go shrinks by e to this power. 3 by default; 0 to 1000 1/s.</summary>
        public float focus_speed;
    }

    /// <summary>levels: at least 2 if the first level of dst is a copy of src.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_depth_pyramid_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>minimum, maximum, or both in r and g. AG_DEPTH_MIN by default. A change makes prepare plan again.</summary>
        public ag_depth_reduce reduce;
        /// <summary>levels of dst to write, 0 for all down to 1x1. 0 by default; 0 to 17. A change makes prepare plan again.</summary>
        public int levels;
        /// <summary>ag_health counts texels that are NaN; they are skipped in any case. 1 by default.</summary>
        public int scrub;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_downsample_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>what becomes of the texels that an output covers. AG_DOWN_AREA by default. A change makes prepare plan again.</summary>
        public ag_down_filter filter;
        /// <summary>of area: equal, against fireflies, or colour by alpha. AG_DOWN_WEIGHT_NONE by default. A change makes prepare plan again.</summary>
        public ag_down_weight weight;
        /// <summary>of area: how it is computed. AG_DOWN_AUTO by default. A change makes prepare plan again.</summary>
        public ag_down_method method;
        /// <summary>of lanczos, stretched by the ratio. 3 by default; 2 to 3 lobes. A change makes prepare plan again.</summary>
        public int radius;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_exposure_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>luminance that the mean is brought to. 0.18 by default; 0.001 to 1.</summary>
        public float key;
        /// <summary>added to the exposure; more is brighter. 0 by default; -16 to 16 EV.</summary>
        public float compensation;
        /// <summary>log2 of luminance where the histogram begins. -16 by default; -64 to 64 EV. A change makes prepare plan again.</summary>
        public float min_ev;
        /// <summary>where it ends, at least 1 above min_ev. 16 by default; -64 to 64 EV. A change makes prepare plan again.</summary>
        public float max_ev;
        /// <summary>share of the weights that is cut off as too dark. 0.1 by default; 0 to 1.</summary>
        public float low;
        /// <summary>share above which weights are too bright; above low. 0.9 by default; 0 to 1.</summary>
        public float high;
        /// <summary>how much less corners weigh than the centre; 1: they have no weight. 0 by default; 0 to 1.</summary>
        public float center;
        /// <summary>adapting to a brighter scene: the exposure falls. 3 by default; 0 to 1000 1/s.</summary>
        public float speed_up;
        /// <summary>adapting to a darker scene: the exposure rises. 1 by default; 0 to 1000 1/s.</summary>
        public float speed_down;
        /// <summary>leave out bad texels (NaN, Inf, too large to sum); ag_health counts them. 1 by default.</summary>
        public int scrub;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_fft_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>to frequencies, or back. AG_FFT_FORWARD by default. A change makes prepare plan again.</summary>
        public ag_fft_direction direction;
        /// <summary>which direction divides by the number of points; numpy.fft's names. AG_FFT_NORM_BACKWARD by default. A change makes prepare plan again.</summary>
        public ag_fft_norm norm;
        /// <summary>all frequencies, or those of real data that mirror no other. AG_FFT_FULL by default. A change makes prepare plan again.</summary>
        public ag_fft_spectrum spectrum;
        /// <summary>where the spectrum has frequency 0: at texel 0, or in the middle. AG_FFT_CORNER by default. A change makes prepare plan again.</summary>
        public ag_fft_origin origin;
        /// <summary>which axes are transformed. AG_FFT_BOTH by default. A change makes prepare plan again.</summary>
        public ag_fft_axes axes;
        /// <summary>the spectrum's real and imaginary parts: each a texture, or RGBA and RG. AG_FFT_PLANES by default. A change makes prepare plan again.</summary>
        public ag_fft_packing packing;
        /// <summary>how lines are transformed. AG_FFT_AUTO by default. A change makes prepare plan again.</summary>
        public ag_fft_method method;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
    }

    /// <summary>low is below high. A change of scrub needs a new prepare only with shape = mask.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_filter_spectrum_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>which frequencies pass. AG_FILTER_SPECTRUM_LOWPASS by default. A change makes prepare plan again.</summary>
        public ag_filter_spectrum_shape shape;
        /// <summary>how the filter falls off at its cut-offs. AG_PROFILE_GAUSSIAN by default. A change makes the kernel again.</summary>
        public ag_profile profile;
        /// <summary>of the profile butterworth. 2 by default; 1 to 16. A change makes the kernel again.</summary>
        public int order;
        /// <summary>of lowpass and highpass. 0.1 by default; 0.0005 to 1 cycles/texel. A change makes prepare plan again.</summary>
        public float cutoff;
        /// <summary>lower cut-off of bandpass and notch. 0.1 by default; 0.0005 to 1 cycles/texel. A change makes prepare plan again.</summary>
        public float low;
        /// <summary>upper cut-off of bandpass and notch. 0.2 by default; 0.0005 to 1 cycles/texel. A change makes prepare plan again.</summary>
        public float high;
        /// <summary>what lies outside the image. AG_BORDER_MIRROR by default. A change makes prepare plan again.</summary>
        public ag_border border;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default. A change makes the kernel again.</summary>
        public int scrub;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_local_stats_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>r, half the box less half a texel; any real number. 8 by default; 0 to 16384 texels.</summary>
        public float radius;
        /// <summary>what lies outside the image. AG_BORDER_CLAMP by default. A change makes prepare plan again.</summary>
        public ag_border border;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
    }

    /// <summary>scrub: mean takes such a texel as 0; other reductions only count texels with NaN.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_mipchain_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>what becomes of the texels of a box. AG_MIP_MEAN by default. A change makes prepare plan again.</summary>
        public ag_mip_reduce reduce;
        /// <summary>of mean: equal, against fireflies, by alpha, or by alpha and with its coverage. AG_MIP_WEIGHT_NONE by default. A change makes prepare plan again.</summary>
        public ag_mip_weight weight;
        /// <summary>levels to make, at most all; 0 for all down to 1x1. 0 by default; 0 to 16. A change makes prepare plan again.</summary>
        public int levels;
        /// <summary>each level from the one above, or as the mean of level 0. AG_MIP_RECURSIVE by default. A change makes prepare plan again.</summary>
        public ag_mip_exactness exactness;
        /// <summary>that alpha is tested against, for coverage. 0.5 by default; 0.004 to 1.</summary>
        public float reference;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
    }

    /// <summary>time: a float is exact to 1 ms up to 8192 s: pass the time modulo the period.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_ocean_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>texels a side of each cascade. AG_OCEAN_256 by default. A change makes prepare plan again.</summary>
        public ag_ocean_size size;
        /// <summary>patches of different lengths, to be added. 3 by default; 1 to 3. A change makes prepare plan again.</summary>
        public int cascades;
        /// <summary>L of the patches, each less than the one before. 400, 54.8, 8.98 by default; 0.1 to 100000 m. A change makes the kernel again.</summary>
        public fixed float lengths[3];
        /// <summary>how the energy is shared among waves. AG_OCEAN_TMA by default. A change makes the kernel again.</summary>
        public ag_ocean_spectrum spectrum;
        /// <summary>ten metres above the sea; 0 = no waves. 10 by default; 0 to 80 m/s. A change makes the kernel again.</summary>
        public float wind_speed;
        /// <summary>where waves go, from +x towards +z. 0 by default; -360 to 360 degrees. A change makes the kernel again.</summary>
        public float wind_direction;
        /// <summary>of water that the wind blows over. 300000 by default; 100 to 1e8 m. A change makes the kernel again.</summary>
        public float fetch;
        /// <summary>of the water. 200 by default; 0.1 to 1e6 m. A change makes the kernel again.</summary>
        public float depth;
        /// <summary>how peaked the spectrum is. 3.3 by default; 1 to 7. A change makes the kernel again.</summary>
        public float gamma;
        /// <summary>longer and more parallel crests. 0 by default; 0 to 1. A change makes the kernel again.</summary>
        public float swell;
        /// <summary>0 = waves go everywhere alike. 1 by default; 0 to 1. A change makes the kernel again.</summary>
        public float directionality;
        /// <summary>how sharp crests are. 1 by default; 0 to 4.</summary>
        public float choppiness;
        /// <summary>of the sea. 0 by default; -1e6 to 1e6 s.</summary>
        public float time;
        /// <summary>after which the sea repeats. 256 by default; 1 to 100000 s. A change makes the kernel again.</summary>
        public float period;
        /// <summary>another seed is another sea. 1 by default; 0 to 2147483647. A change makes the kernel again.</summary>
        public int seed;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_sat_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>what the table is made of; auto: the cheapest within tolerance. AG_SAT_AUTO by default. A change makes prepare plan again.</summary>
        public ag_sat_storage storage;
        /// <summary>taken off every texel first. AG_SAT_OFFSET_NONE by default. A change makes prepare plan again.</summary>
        public ag_sat_offset offset;
        /// <summary>one table, or four from the centre outward. AG_SAT_CORNER by default. A change makes prepare plan again.</summary>
        public ag_sat_origin origin;
        /// <summary>exclusive: a row and a column of zeros first. AG_SAT_INCLUSIVE by default. A change makes prepare plan again.</summary>
        public ag_sat_edge edge;
        /// <summary>a table of squares, too, from the same reads. 0 by default. A change makes prepare plan again.</summary>
        public int square;
        /// <summary>of uint32 after the point; -1: as many as max_value and max_box allow. -1 by default; -1 to 24 bits. A change makes prepare plan again.</summary>
        public int fraction_bits;
        /// <summary>no texel is larger; at least 2^-20. 1 by default; 9.5367431640625e-07 to 65504. A change makes prepare plan again.</summary>
        public float max_value;
        /// <summary>side of the smallest box of a query. 9 by default; 1 to 16384 texels. A change makes prepare plan again.</summary>
        public int min_box;
        /// <summary>side of the largest box; 0: the image. 0 by default; 0 to 16384 texels. A change makes prepare plan again.</summary>
        public int max_box;
        /// <summary>error of the mean of a box of min_box x min_box, for storage = auto; 0: any. 1 / 255.0 by default; 0 to 65504. A change makes prepare plan again.</summary>
        public float tolerance;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_sat_question
    {
        /// <summary>must be sizeof(ag_sat_question): else the error is infinite, and no
        /// number of bits and no storage fits</summary>
        public uint struct_size;
        /// <summary>of the image, in texels</summary>
        public int width;
        /// <summary>of the image, in texels</summary>
        public int height;
        /// <summary>sides of the smallest and the largest box; max_box 0: the image</summary>
        public int min_box;
        /// <summary>sides of the smallest and the largest box; max_box 0: the image</summary>
        public int max_box;
        /// <summary>1: 8-bit texels, not sRGB: uint32 sums their codes</summary>
        public int codes;
        /// <summary>as in ag_sat_settings</summary>
        public int fraction_bits;
        /// <summary>as in ag_sat_settings</summary>
        public int offset;
        /// <summary>as in ag_sat_settings</summary>
        public int origin;
        /// <summary>1: the table of squares is made, too</summary>
        public int square;
        /// <summary>texels are within 0..max_value. Members outside the ranges of
        /// ag_sat_settings give meaningless results</summary>
        public double max_value;
    }

    /// <summary>to_light is `matrix` above. far_plane is above near_plane; keep it tight, because depths have 16
    /// bits. max_box is at least min_box.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_soft_shadow_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>from the frame (x, y in 0..1, depth) to the map, column by column. An identity by default; -1e9 to 1e9.</summary>
        public fixed float to_light[16];
        /// <summary>what depth holds: what its projection stores, or metres. AG_SHADOW_VIEW_STORED by default.</summary>
        public ag_shadow_view view;
        /// <summary>directional: an orthographic map; spot: perspective. AG_SHADOW_DIRECTIONAL by default.</summary>
        public ag_shadow_light light;
        /// <summary>what src holds: 0..1 from near to far, 1..0, or metres. AG_SHADOW_FORWARD by default.</summary>
        public ag_shadow_encoding encoding;
        /// <summary>of the light's camera. 0.1 by default; 0.001 to 1e6 m.</summary>
        public float near_plane;
        /// <summary>of the light's camera; keep it tight. 100 by default; 1e-3 to 1e7 m.</summary>
        public float far_plane;
        /// <summary>that the map's width shows; of spot at 1 m. 50 by default; 1e-3 to 1e6 m.</summary>
        public float map_width;
        /// <summary>across a directional light; the sun has 0.53. 0.53 by default; 0 to 90 degrees.</summary>
        public float light_angle;
        /// <summary>of a spot: a square of this side. 0.2 by default; 0 to 1000 m.</summary>
        public float light_width;
        /// <summary>shares of light below this become 0. 0.2 by default; 0 to 0.9.</summary>
        public float bleed;
        /// <summary>towards the light, against shadows of a surface on itself. 0.02 by default; 0 to 100 m.</summary>
        public float bias;
        /// <summary>of the map: the softness of a contact. 3 by default; 2 to 255 texels.</summary>
        public float min_box;
        /// <summary>of the map, at least min_box: wider penumbrae are cut. 63 by default; 2 to 255 texels.</summary>
        public float max_box;
        /// <summary>ag_health counts non-finite depths of the map; they are far in either case. 1 by default.</summary>
        public int scrub;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_spectrum_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>a spectrum for each channel, or one of luminance. AG_SPECTRUM_EACH by default.</summary>
        public ag_spectrum_channels channels;
        /// <summary>fade the image out towards its edges first. AG_WINDOW_NONE by default.</summary>
        public ag_window window;
        /// <summary>a scale in dB instead of plain magnitudes. 1 by default.</summary>
        public int log;
        /// <summary>from 0 to 1 on that scale. 100 by default; 1 to 400 dB.</summary>
        public float range;
        /// <summary>of the magnitudes, before the scale. 0 by default; -200 to 200 dB.</summary>
        public float gain;
        /// <summary>frequency 0 in the middle, texel (W/2, H/2), instead of at texel (0, 0). 1 by default.</summary>
        public int centred;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
    }

    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct ag_wavelet_settings
    {
        /// <summary>sizeof this struct</summary>
        public uint struct_size;
        /// <summary>of which effect these settings are</summary>
        public uint tag;
        /// <summary>image to coefficients, or back. AG_WAVELET_FORWARD by default. A change makes prepare plan again.</summary>
        public ag_wavelet_direction direction;
        /// <summary>the filters; cdf53 and cdf97 are biorthogonal; custom: from the slot taps. AG_WAVELET_HAAR by default. A change makes prepare plan again.</summary>
        public ag_wavelet_filter wavelet;
        /// <summary>what lies outside of the image; reflect is the mirror of other effects. AG_WAVELET_PERIODIZATION by default. A change makes prepare plan again.</summary>
        public ag_wavelet_border border;
        /// <summary>how often the approximation is split again. 1 by default; 1 to 14. A change makes prepare plan again.</summary>
        public int levels;
        /// <summary>of coefficients: one picture, or an array layer a band. AG_WAVELET_PYRAMID by default. A change makes prepare plan again.</summary>
        public ag_wavelet_layout layout;
        /// <summary>keep every coefficient of each level: bands as large as the image. 0 by default. A change makes prepare plan again.</summary>
        public int stationary;
        /// <summary>bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.</summary>
        public int scrub;
    }

    /// <summary>The module's functions, and numbers that macros name. Text is UTF-8 on every system.</summary>
    public sealed unsafe class Ag
    {
        public const uint AG_ABI_MAJOR = 0x1;
        public const uint AG_ABI_MINOR = 0x0;
        public const uint AG_WHOLE_PASS = 0xffffffff;
        public const ulong AG_NO_CLOCK = 0xffffffffffffffff;
        public const uint AG_BLOOM_TAG = 0x6d6f6c62;
        public const uint AG_BOX_BLUR_TAG = 0x62786f62;
        public const uint AG_CONVOLVE_TAG = 0x766e6f63;
        public const uint AG_DENOISE_TAG = 0x6f6e6564;
        public const uint AG_DEPTH_OF_FIELD_TAG = 0x666f7064;
        public const uint AG_DEPTH_PYRAMID_TAG = 0x72797064;
        public const uint AG_DOWNSAMPLE_TAG = 0x6e776f64;
        public const uint AG_EXPOSURE_TAG = 0x6f707865;
        public const uint AG_FFT_TAG = 0x20746666;
        public const uint AG_FILTER_SPECTRUM_TAG = 0x63707366;
        public const uint AG_LOCAL_STATS_TAG = 0x6174736c;
        public const uint AG_MIPCHAIN_TAG = 0x6370696d;
        public const uint AG_OCEAN_TAG = 0x6165636f;
        public const uint AG_SAT_TAG = 0x20746173;
        public const uint AG_SOFT_SHADOW_TAG = 0x64616873;
        public const uint AG_SPECTRUM_TAG = 0x63657073;
        public const uint AG_WAVELET_TAG = 0x65766177;

        public readonly ag_api* table;
        public readonly ag_api_effects effects;
        public readonly ag_api_defaults defaults;
        public readonly ag_api_status_text status_text;
        public readonly ag_api_device_create device_create;
        public readonly ag_api_device_destroy device_destroy;
        public readonly ag_api_health health;
        public readonly ag_api_frame frame;
        public readonly ag_api_texture texture;
        public readonly ag_api_forget forget;
        public readonly ag_api_pass_create pass_create;
        public readonly ag_api_pass_destroy pass_destroy;
        public readonly ag_api_run run;
        public readonly ag_api_declare declare;
        public readonly ag_api_slot_size slot_size;
        public readonly ag_api_prepare prepare;
        public readonly ag_api_execute execute;
        public readonly ag_api_stats stats;
        public readonly ag_api_reload_status reload_status;
        public readonly ag_api_sat_error sat_error;
        public readonly ag_api_sat_fraction_bits sat_fraction_bits;
        public readonly ag_api_sat_choose sat_choose;
        public readonly ag_api_pass_load pass_load;
        public readonly ag_api_effect_defaults effect_defaults;

        /// <summary>Loads the module: afterglow.dll or libafterglow.dll, libafterglow.so where the system looks for it,
        /// or its libafterglow.so.1. DllNotFoundException: there is none.</summary>
        public Ag()
        {
            table = Entry();
            if (table->abi_major != AG_ABI_MAJOR || table->struct_size < sizeof(ag_api))
                throw new NotSupportedException("afterglow " + Text(table->version) + " is older than Afterglow.cs");
            effects = Function<ag_api_effects>(table->effects);
            defaults = Function<ag_api_defaults>(table->defaults);
            status_text = Function<ag_api_status_text>(table->status_text);
            device_create = Function<ag_api_device_create>(table->device_create);
            device_destroy = Function<ag_api_device_destroy>(table->device_destroy);
            health = Function<ag_api_health>(table->health);
            frame = Function<ag_api_frame>(table->frame);
            texture = Function<ag_api_texture>(table->texture);
            forget = Function<ag_api_forget>(table->forget);
            pass_create = Function<ag_api_pass_create>(table->pass_create);
            pass_destroy = Function<ag_api_pass_destroy>(table->pass_destroy);
            run = Function<ag_api_run>(table->run);
            declare = Function<ag_api_declare>(table->declare);
            slot_size = Function<ag_api_slot_size>(table->slot_size);
            prepare = Function<ag_api_prepare>(table->prepare);
            execute = Function<ag_api_execute>(table->execute);
            stats = Function<ag_api_stats>(table->stats);
            reload_status = Function<ag_api_reload_status>(table->reload_status);
            sat_error = Function<ag_api_sat_error>(table->sat_error);
            sat_fraction_bits = Function<ag_api_sat_fraction_bits>(table->sat_fraction_bits);
            sat_choose = Function<ag_api_sat_choose>(table->sat_choose);
            pass_load = Function<ag_api_pass_load>(table->pass_load);
            effect_defaults = Function<ag_api_effect_defaults>(table->effect_defaults);
        }

        /// <summary>A string of the module's; null if there is none.</summary>
        public static string Text(byte* text)
        {
            int bytes = 0;
            while (text != null && text[bytes] != 0)
                bytes++;
            return text == null ? null : Encoding.UTF8.GetString(text, bytes);
        }

        static T Function<T>(IntPtr function)
        {
            return Marshal.GetDelegateForFunctionPointer<T>(function);
        }

        // Each runtime completes a name in its own way, and none finds the names of all systems.
        [DllImport("afterglow", EntryPoint = "ag_entry_v1", CallingConvention = CallingConvention.Cdecl)]
        static extern ag_api* Plain(uint minor);

        [DllImport("libafterglow", EntryPoint = "ag_entry_v1", CallingConvention = CallingConvention.Cdecl)]
        static extern ag_api* WithPrefix(uint minor);

        [DllImport("libafterglow.so.1", EntryPoint = "ag_entry_v1", CallingConvention = CallingConvention.Cdecl)]
        static extern ag_api* OfSystem(uint minor);

        static ag_api* Entry()
        {
            try { return Plain(AG_ABI_MINOR); } catch (DllNotFoundException) { }
            try { return WithPrefix(AG_ABI_MINOR); } catch (DllNotFoundException) { }
            return OfSystem(AG_ABI_MINOR);
        }
    }
}
