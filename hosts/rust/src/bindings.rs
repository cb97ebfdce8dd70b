// bindings.rs - made by hosts/bindings/generate.py from the public headers
// SPDX-License-Identifier: MIT
pub const AG_ABI_MAJOR: u32 = 0x1;
pub const AG_ABI_MINOR: u32 = 0x0;
pub const AG_WHOLE_PASS: u32 = 0xffffffff;
pub const AG_NO_CLOCK: u64 = 0xffffffffffffffff;
pub const AG_BLOOM_TAG: u32 = 0x6d6f6c62;
pub const AG_BOX_BLUR_TAG: u32 = 0x62786f62;
pub const AG_CONVOLVE_TAG: u32 = 0x766e6f63;
pub const AG_DENOISE_TAG: u32 = 0x6f6e6564;
pub const AG_DEPTH_OF_FIELD_TAG: u32 = 0x666f7064;
pub const AG_DEPTH_PYRAMID_TAG: u32 = 0x72797064;
pub const AG_DOWNSAMPLE_TAG: u32 = 0x6e776f64;
pub const AG_EXPOSURE_TAG: u32 = 0x6f707865;
pub const AG_FFT_TAG: u32 = 0x20746666;
pub const AG_FILTER_SPECTRUM_TAG: u32 = 0x63707366;
pub const AG_LOCAL_STATS_TAG: u32 = 0x6174736c;
pub const AG_MIPCHAIN_TAG: u32 = 0x6370696d;
pub const AG_OCEAN_TAG: u32 = 0x6165636f;
pub const AG_SAT_TAG: u32 = 0x20746173;
pub const AG_SOFT_SHADOW_TAG: u32 = 0x64616873;
pub const AG_SPECTRUM_TAG: u32 = 0x63657073;
pub const AG_WAVELET_TAG: u32 = 0x65766177;

/// Access to a slot. A slot with AG_STATE (and AG_READ | AG_WRITE) is a texture of the host in which
/// the effect keeps its state from one execute to the next; it is all zero before the first one.
/// Complex data have two slots: `name` for the real part, `name_imag` for the imaginary part.
/// AG_LEVELS: a chain of levels is written, as many as the setting `levels` says (0: all).
pub type ag_access = u32;
pub const AG_READ: ag_access = 1;
pub const AG_WRITE: ag_access = 2;
pub const AG_OPTIONAL: ag_access = 4;
pub const AG_STATE: ag_access = 8;
pub const AG_LEVELS: ag_access = 16;

/// of a setting: a 4 x 4 matrix, column by column
pub type ag_max_values = u32;
pub const AG_MAX_VALUES: ag_max_values = 16;

pub type ag_setting_type = u32;
pub const AG_FLOAT: ag_setting_type = 0;
pub const AG_INT: ag_setting_type = 1;
pub const AG_BOOL: ag_setting_type = 2;
pub const AG_ENUM: ag_setting_type = 3;

/// What the next prepare does after a change of a setting. execute refuses the changed job until
/// then (AG_E_STATE), but for AG_PREPARE_NOTHING.
pub type ag_prepare_kind = u32;
/// nothing more than in any frame: animate it freely
pub const AG_PREPARE_NOTHING: ag_prepare_kind = 0;
/// Makes the kernel again, by some dispatches like a frame's. No program is compiled that this
/// pass has not used. convolve and bloom may wait for the GPU: see prepare. bloom with
/// resolution = auto may find another resolution: then as AG_PREPARE_PLAN.
pub const AG_PREPARE_KERNEL: ag_prepare_kind = 1;
/// Plans again: allocates where memory does not fit, and compiles the programs that this device
/// has not compiled yet, for up to a second, or with AG_PENDING (AG_JOB_BACKGROUND).
pub const AG_PREPARE_PLAN: ag_prepare_kind = 2;

/// The setting `border`: what lies outside an image, on each axis separately. The axis has n texels.
/// Each effect's header has a list of those rows that it takes.
pub type ag_border = i32;
/// "zero": 0 in every channel
pub const AG_BORDER_ZERO: ag_border = 0;
/// "clamp": the nearest texel of the edge: 0 for i < 0, n - 1 for i >= n
pub const AG_BORDER_CLAMP: ag_border = 1;
/// "mirror": texel |i| with period 2 (n - 1): ... 2 1 0 1 2 ...; texel 0 if n = 1
pub const AG_BORDER_MIRROR: ag_border = 2;
/// "wrap": texel i modulo n
pub const AG_BORDER_WRAP: ag_border = 3;
/// "normalize": nothing: the sum over a box is divided by the area inside the image
pub const AG_BORDER_NORMALIZE: ag_border = 4;

pub type ag_status_code = i32;
/// ok
pub const AG_OK: ag_status_code = 0;
/// programs are still compiling; make the same call again in a later frame
pub const AG_PENDING: ag_status_code = 1;
/// prepared with fallback shaders, because those of shader_dir failed
pub const AG_FALLBACK: ag_status_code = 2;
/// created with defaults, because desc.tuning is of another GPU or driver
pub const AG_UNTUNED: ag_status_code = 3;
/// an argument is wrong, as the message says; without a message: it is NULL
pub const AG_E_ARG: ag_status_code = -1;
/// a struct_size is wrong, as the message says; without one: that of ag_host
pub const AG_E_ABI: ag_status_code = -2;
/// the context lacks a feature; the message names it
pub const AG_E_GL: ag_status_code = -3;
/// the slot does not take this texture format; the message lists which
pub const AG_E_FORMAT: ag_status_code = -4;
/// a size is beyond a limit; the message states the limit
pub const AG_E_SIZE: ag_status_code = -5;
/// the host's allocator or GL is out of memory
pub const AG_E_MEMORY: ag_status_code = -6;
/// a shader does not compile or link; the message has file, line and caret
pub const AG_E_SHADER: ag_status_code = -7;
/// the GL context was lost; destroy the device and create it again
pub const AG_E_LOST: ag_status_code = -8;
/// the device's context is not current on this thread
pub const AG_E_THREAD: ag_status_code = -9;
/// the job differs from what was prepared; call prepare with it first
pub const AG_E_STATE: ag_status_code = -10;

pub type ag_log_level = i32;
pub const AG_LOG_ERROR: ag_log_level = 0;
pub const AG_LOG_WARNING: ag_log_level = 1;
pub const AG_LOG_INFO: ag_log_level = 2;

pub type ag_span_flags = u32;
/// The pass dispatched a program for the first time, or for the first time since live reload
/// replaced it. Drivers finish compiling then, so this interval is longer than later ones.
pub const AG_SPAN_FIRST: ag_span_flags = 1;

pub type ag_device_flags = u32;
/// debug groups and object labels (KHR_debug) also without a debug context
pub const AG_DEVICE_LABELS: ag_device_flags = 1;
/// For debug builds of an engine. execute asks GL whether the job's textures and scratch are
/// still those that prepare saw. If a texture was deleted or specified anew without forget, it
/// fails with a message (AG_E_STATE, AG_E_ARG, AG_E_FORMAT); without this flag it would use
/// undefined texels. It calls glGet and binds, and restores all bindings. It cannot detect a
/// new texture with the name, version, size and format of the old one.
pub const AG_DEVICE_VALIDATE: ag_device_flags = 2;

/// Features of the context that the module shall not use, because the driver has errors there. All
/// contracts stay the same, error bounds included. Results may differ in their last bits, and most
/// passes take longer.
pub type ag_without = u32;
/// GL_KHR_shader_subgroup, which the module uses with NVIDIA's drivers only: threads of tables
/// and chains exchange values through shared memory instead. For compilers with wrong shuffles.
pub const AG_WITHOUT_SUBGROUPS: ag_without = 1;
/// Texture units: image units read all inputs but depth, one texel at a time. For drivers with
/// wrong views or gathers, and for hosts without a free texture unit.
pub const AG_WITHOUT_TEXTURE_UNITS: ag_without = 2;

/// How the outputs are used next; several values may be or-ed. They decide the bits of the one
/// barrier that execute places at its end.
pub type ag_next_use = u32;
/// by another pass of this module: any effect, any slot
pub const AG_USE_PASS: ag_next_use = 1;
/// texture(), texelFetch() in shaders of the host
pub const AG_USE_SAMPLE: ag_next_use = 2;
/// imageLoad(), imageStore() there
pub const AG_USE_IMAGE: ag_next_use = 4;
/// as a render target, or glBlitFramebuffer
pub const AG_USE_FRAMEBUFFER: ag_next_use = 8;
/// glCopyImageSubData, glGetTexImage, glTexSubImage
pub const AG_USE_COPY: ag_next_use = 16;
/// any of these
pub const AG_USE_UNKNOWN: ag_next_use = 0;

pub type ag_job_flags = u32;
/// restore the changed state exactly, by glGet: slow on threaded drivers
pub const AG_JOB_RESTORE: ag_job_flags = 1;
/// time every step, not only the pass: N + 1 timestamps for N steps
pub const AG_JOB_TIME_STEPS: ag_job_flags = 2;
/// place no timestamps and read no clock
pub const AG_JOB_UNTIMED: ag_job_flags = 4;
/// the driver's threads compile what prepare needs: see there
pub const AG_JOB_BACKGROUND: ag_job_flags = 8;
/// forget former frames (dt, below): a cut, a teleport, a first one
pub const AG_JOB_RESET: ag_job_flags = 16;

pub type ag_resource_kind = u32;
/// a texture of the job
pub const AG_RESOURCE_SLOT: ag_resource_kind = 0;
/// a range of the scratch memory
pub const AG_RESOURCE_SCRATCH: ag_resource_kind = 1;
/// persistent memory of the pass, counted in persistent_bytes
pub const AG_RESOURCE_OWN: ag_resource_kind = 2;

pub type ag_bloom_shape = i32;
/// "gaussian": sigma = size * height / 12
pub const AG_BLOOM_GAUSSIAN: ag_bloom_shape = 0;
/// "aperture": the diffraction star of a camera's iris
pub const AG_BLOOM_APERTURE: ag_bloom_shape = 1;
/// "texture": kernel_image, scaled to the kernel's extent and normalised
pub const AG_BLOOM_TEXTURE: ag_bloom_shape = 2;
/// "star": the glare of an eye: a round pupil behind eyelashes
pub const AG_BLOOM_STAR: ag_bloom_shape = 3;
/// "anamorphic": the aperture behind a cylindrical lens: wide, with a streak
pub const AG_BLOOM_ANAMORPHIC: ag_bloom_shape = 4;

/// What becomes of the texture of shape = texture. The centre and the black of auto are logged.
pub type ag_bloom_fit = i32;
/// "auto": centred by its light, less the mean of its outermost texels, black
pub const AG_BLOOM_FIT_AUTO: ag_bloom_fit = 0;
/// "exact": the texels as they are; the centre is the texel (w/2, h/2)
pub const AG_BLOOM_FIT_EXACT: ag_bloom_fit = 1;

pub type ag_bloom_output = i32;
/// "composite": the frame with its bloom
pub const AG_BLOOM_COMPOSITE: ag_bloom_output = 0;
/// "bloom_only": the bloom alone
pub const AG_BLOOM_ONLY: ag_bloom_output = 1;
/// "add": what dst holds, and the bloom; dst's alpha stays
pub const AG_BLOOM_ADD: ag_bloom_output = 2;

/// Of the image that the FFT transforms; the frame keeps its own. docs/bloom.md has what each costs,
/// and its error. eighth is a quarter, and the plan's text says so, where the rays of an aperture, a
/// star or an anamorphic are too thin for it: at dispersion = 1 below 968 texels of height * size.
/// auto looks at each new kernel's spectrum and the intensity in prepare, and waits for the GPU;
/// with AG_JOB_BACKGROUND prepare is pending until it knows. Where none of those that keep 50 dB
/// fits (limits), it takes the finest that does.
pub type ag_bloom_resolution = i32;
/// "full": the frame's
pub const AG_BLOOM_FULL: ag_bloom_resolution = 0;
/// "half": a half of the frame's width and height
pub const AG_BLOOM_HALF: ag_bloom_resolution = 1;
/// "quarter": a quarter; of an anamorphic a quarter of the width, half of the height
pub const AG_BLOOM_QUARTER: ag_bloom_resolution = 2;
/// "eighth": an eighth; of an anamorphic an eighth of the width, half of the height
pub const AG_BLOOM_EIGHTH: ag_bloom_resolution = 3;
/// "auto": the cheapest of them that keeps 50 dB
pub const AG_BLOOM_AUTO: ag_bloom_resolution = 4;

/// That image, where the frame's size changes (dynamic resolution). With fixed the glow is the same
/// at every size of the frame, and a change of it makes no new spectrum. Needs resolution half,
/// quarter or eighth.
pub type ag_bloom_grid = i32;
/// "frame": follows the frame; so does the kernel, in whole texels
pub const AG_BLOOM_FRAME: ag_bloom_grid = 0;
/// "fixed": stays with job.plan_width x plan_height, and so does the kernel
pub const AG_BLOOM_FIXED: ag_bloom_grid = 1;

/// What single bright texels, which make their glow flicker, may spread (docs/bloom.md). clamp and
/// karis need resolution half, quarter or eighth.
pub type ag_bloom_firefly = i32;
/// "off": what they have
pub const AG_BLOOM_FIREFLY_OFF: ag_bloom_firefly = 0;
/// "clamp": at most four times the mean of their neighbours
pub const AG_BLOOM_FIREFLY_CLAMP: ag_bloom_firefly = 1;
/// "karis": weighted by 1 / (1 + brightness)
pub const AG_BLOOM_FIREFLY_KARIS: ag_bloom_firefly = 2;

/// What src and dst hold (docs/bloom.md). srgb: in textures that GL does not decode, R8 RG8 RGBA8
/// RGB10_A2 RGBA16; formats of floats are refused. SRGB8_ALPHA8 is decoded once with either.
pub type ag_bloom_transfer = i32;
/// "linear": light
pub const AG_BLOOM_LINEAR: ag_bloom_transfer = 0;
/// "srgb": codes of the sRGB curve
pub const AG_BLOOM_SRGB: ag_bloom_transfer = 1;

/// Slots, in the order of ag_job.slots.
pub type ag_bloom_slot = u32;
pub const AG_BLOOM_SRC: ag_bloom_slot = 0;
pub const AG_BLOOM_KERNEL_IMAGE: ag_bloom_slot = 1;
pub const AG_BLOOM_DST: ag_bloom_slot = 2;
/// optional: brightens the glow by 1 + dirt_intensity * its texels. Read
/// by prepare: increase its version when its content changed
pub const AG_BLOOM_DIRT: ag_bloom_slot = 3;
/// optional: one texel, r = EV; the state of the effect exposure
pub const AG_BLOOM_EXPOSURE: ag_bloom_slot = 4;

pub type ag_box_storage = i32;
/// "auto": the most exact one of 4 bytes
pub const AG_BOX_STORAGE_AUTO: ag_box_storage = 0;
/// "float32":
pub const AG_BOX_STORAGE_FLOAT32: ag_box_storage = 1;
/// "double_float":
pub const AG_BOX_STORAGE_DOUBLE_FLOAT: ag_box_storage = 2;

/// Slots, in the order of ag_job.slots.
pub type ag_box_blur_slot = u32;
pub const AG_BOX_BLUR_SRC: ag_box_blur_slot = 0;
pub const AG_BOX_BLUR_RADIUS: ag_box_blur_slot = 1;
pub const AG_BOX_BLUR_TABLE: ag_box_blur_slot = 2;
pub const AG_BOX_BLUR_DST: ag_box_blur_slot = 3;

pub type ag_convolve_method = i32;
/// "auto": the faster one
pub const AG_CONVOLVE_AUTO: ag_convolve_method = 0;
/// "direct": a sum for each texel
pub const AG_CONVOLVE_DIRECT: ag_convolve_method = 1;
/// "fft": a product of spectra
pub const AG_CONVOLVE_FFT: ag_convolve_method = 2;

pub type ag_normalize = i32;
/// "none": the kernel as it is
pub const AG_NORMALIZE_NONE: ag_normalize = 0;
/// "sum": over the sum of each kernel channel; prepare refuses a sum of 0
pub const AG_NORMALIZE_SUM: ag_normalize = 1;

/// Of the spectra of an FFT. compact is not faster on an H200; it may be on GPUs with a tenth of the
/// bandwidth.
pub type ag_storage = i32;
/// "full": float32
pub const AG_STORAGE_FULL: ag_storage = 0;
/// "compact": 16 bits a component
pub const AG_STORAGE_COMPACT: ag_storage = 1;

pub type ag_alpha = i32;
/// "copy": alpha of dst = alpha of src
pub const AG_ALPHA_COPY: ag_alpha = 0;
/// "convolve": as the colours
pub const AG_ALPHA_CONVOLVE: ag_alpha = 1;

/// deconvolve works by FFT with full storage. Refused: method direct, storage compact, noise 0, a
/// kernel larger than src, and (by prepare) a kernel that has a channel of zeros only.
pub type ag_operation = i32;
/// "convolve": blurs
pub const AG_OPERATION_CONVOLVE: ag_operation = 0;
/// "deconvolve": undoes a blur
pub const AG_OPERATION_DECONVOLVE: ag_operation = 1;

pub type ag_edges = i32;
/// "taper": for photographs. Refused with a border other than zero, which it ignores
pub const AG_EDGES_TAPER: ag_edges = 0;
/// "border": what is outside is as border says
pub const AG_EDGES_BORDER: ag_edges = 1;

/// Slots, in the order of ag_job.slots.
pub type ag_convolve_slot = u32;
pub const AG_CONVOLVE_SRC: ag_convolve_slot = 0;
pub const AG_CONVOLVE_KERNEL: ag_convolve_slot = 1;
pub const AG_CONVOLVE_DST: ag_convolve_slot = 2;

/// Slots, in the order of ag_job.slots. All are of src's size.
///
/// ```text
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
///                     0 where e >= 1. e is also by how much the means of 3 x 3 texels of the
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
///            below, of neighbours. Of 6 x 6 taps the diagonals are asked
/// ```
pub type ag_denoise_slot = u32;
pub const AG_DENOISE_SRC: ag_denoise_slot = 0;
pub const AG_DENOISE_DST: ag_denoise_slot = 1;
pub const AG_DENOISE_MOTION: ag_denoise_slot = 2;
pub const AG_DENOISE_HISTORY: ag_denoise_slot = 3;
pub const AG_DENOISE_ALBEDO: ag_denoise_slot = 4;
pub const AG_DENOISE_NORMAL: ag_denoise_slot = 5;
pub const AG_DENOISE_DEPTH: ag_denoise_slot = 6;

/// haar: the Haar transform of `levels` levels from the rectangle's corner on. ti_haar: the mean
/// over those of all shifts. What levels beyond the third remove of a block of 8 x 8 texels is a
/// mean over shifts by multiples of 4 texels from the corner, and between those bilinear. dwt: the
/// transform of `wavelet` (afterglow/wavelet.h), border symmetric; sigma of a band is that of haar
/// times the band's noise gain, which is 1 for orthogonal wavelets; V is that of this image. atrous:
/// no threshold, rule or chroma, but means that avoid edges:
///
/// ```text
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
/// ```
///
/// blocks: no threshold, rule or wavelet, but stacks of blocks of 8 x 8 texels that are like each
/// other, in the class of BM3D. b = y / sigma, by component. levels = 1: the first step alone
///
/// ```text
///   reference   blocks begin at (8 i + 4 (j mod 2) - 4, 4 j - 4), i, j >= 0, before the last texel
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
///               second step the sum of the squares of the shares that do, in steps of 1/4096
/// ```
pub type ag_denoise_filter = i32;
/// "ti_haar": the mean over the Haar transforms of all shifts
pub const AG_DENOISE_TI_HAAR: ag_denoise_filter = 0;
/// "haar": one Haar transform
pub const AG_DENOISE_HAAR: ag_denoise_filter = 1;
/// "atrous": means that avoid edges
pub const AG_DENOISE_ATROUS: ag_denoise_filter = 2;
/// "dwt": the transform of the setting wavelet
pub const AG_DENOISE_DWT: ag_denoise_filter = 3;
/// "blocks": stacks of like blocks, filtered together
pub const AG_DENOISE_BLOCKS: ag_denoise_filter = 4;

/// What is removed of a coefficient d (the rest stays):
///
/// ```text
///   soft     max(min(d, T), -T)
///   hard     d if |d| <= T, else 0
///   garrote  d if |d| <= T, else T^2 / d
///   firm     d max(min(2 - |d| / T, 1), 0)
/// ```
pub type ag_denoise_threshold = i32;
/// "soft":
pub const AG_DENOISE_SOFT: ag_denoise_threshold = 0;
/// "hard":
pub const AG_DENOISE_HARD: ag_denoise_threshold = 1;
/// "garrote":
pub const AG_DENOISE_GARROTE: ag_denoise_threshold = 2;
/// "firm":
pub const AG_DENOISE_FIRM: ag_denoise_threshold = 3;

/// The threshold T of a band, times `strength`, of chroma also times `chroma`. Sigma, and V over the
/// tiles that count, are those of the coefficients of haar, also for ti_haar:
///
/// ```text
///   bayes    sigma^2 / sqrt(max(V - sigma^2, sigma^2 / 25)), where V is the mean of
///            min(d^2, 64 sigma^2), in steps of sigma^2 / 4096, over the coefficients d of the
///            band; of level 6 that of level 5
///   noise    2.4 sigma of level 1, 2.1 of level 2, 2 beyond: with firm, flat parts are clean, and
///            edges keep their contrast
///   visu     sigma sqrt(2 ln(width height))
///   given    sigma
/// ```
pub type ag_denoise_rule = i32;
/// "bayes": by the variance of each band
pub const AG_DENOISE_BAYES: ag_denoise_rule = 0;
/// "noise": 2 to 2.4 sigma
pub const AG_DENOISE_NOISE: ag_denoise_rule = 1;
/// "visu": by the size of the image
pub const AG_DENOISE_VISU: ag_denoise_rule = 2;
/// "given": sigma
pub const AG_DENOISE_GIVEN: ag_denoise_rule = 3;

/// The transform sees y(src), and the result is y's algebraic inverse:
///
/// ```text
///   linear    y = x, but for the curve above
///   log       y = sign(x) log2(1 + |x| / gain): noise that grows with the signal
///   anscombe  y = 2 / gain sqrt(max(gain x + 3/8 gain^2 + offset, 0)): photons; noise of variance
///             gain x + offset becomes noise of sigma 1
/// ```
pub type ag_denoise_space = i32;
/// "linear": noise of one strength
pub const AG_DENOISE_LINEAR: ag_denoise_space = 0;
/// "log": noise that grows with the signal
pub const AG_DENOISE_LOG: ag_denoise_space = 1;
/// "anscombe": of photons
pub const AG_DENOISE_ANSCOMBE: ag_denoise_space = 2;

/// Slots, in the order of ag_job.slots.
pub type ag_depth_of_field_slot = u32;
pub const AG_DEPTH_OF_FIELD_SRC: ag_depth_of_field_slot = 0;
pub const AG_DEPTH_OF_FIELD_DEPTH: ag_depth_of_field_slot = 1;
pub const AG_DEPTH_OF_FIELD_DST: ag_depth_of_field_slot = 2;
pub const AG_DEPTH_OF_FIELD_STATE: ag_depth_of_field_slot = 3;

pub type ag_focus = i32;
/// "distance": focus_distance
pub const AG_FOCUS_DISTANCE: ag_focus = 0;
/// "point": what the point of the frame shows
pub const AG_FOCUS_POINT: ag_focus = 1;
/// "autofocus": follows what an area shows; needs state
pub const AG_FOCUS_AUTOFOCUS: ag_focus = 2;

pub type ag_encoding = i32;
/// "forward": 0..1 from near to far
pub const AG_ENCODING_FORWARD: ag_encoding = 0;
/// "reversed": 1..0 from near to far
pub const AG_ENCODING_REVERSED: ag_encoding = 1;
/// "linear": metres
pub const AG_ENCODING_LINEAR: ag_encoding = 2;

pub type ag_focus_shape = i32;
/// "box": a square
pub const AG_SHAPE_BOX: ag_focus_shape = 0;
/// "smooth": falls off from the middle
pub const AG_SHAPE_SMOOTH: ag_focus_shape = 1;
/// "disc": about a disc
pub const AG_SHAPE_DISC: ag_focus_shape = 2;

/// double_float is for lights that are thousands of times brighter than their surroundings.
pub type ag_focus_storage = i32;
/// "float32": 24 bits
pub const AG_FOCUS_FLOAT32: ag_focus_storage = 0;
/// "double_float": 48 bits
pub const AG_FOCUS_DOUBLE_FLOAT: ag_focus_storage = 1;

/// What makes the blur: docs/depth_of_field.md.
pub type ag_focus_method = i32;
/// "auto": gather; tables where the context lacks what it needs
pub const AG_FOCUS_AUTO: ag_focus_method = 0;
/// "gather": samples on rings of half resolution, and lamps apart
pub const AG_FOCUS_GATHER: ag_focus_method = 1;
/// "tables": boxes of a summed-area table; any radius at one cost
pub const AG_FOCUS_TABLES: ag_focus_method = 2;

pub type ag_depth_reduce = i32;
/// "min": nearest, or farthest if reversed
pub const AG_DEPTH_MIN: ag_depth_reduce = 0;
/// "max": farthest, or nearest if reversed
pub const AG_DEPTH_MAX: ag_depth_reduce = 1;
/// "minmax": both: minimum in r, maximum in g
pub const AG_DEPTH_MINMAX: ag_depth_reduce = 2;

/// Slots, in the order of ag_job.slots.
pub type ag_depth_pyramid_slot = u32;
pub const AG_DEPTH_PYRAMID_SRC: ag_depth_pyramid_slot = 0;
pub const AG_DEPTH_PYRAMID_DST: ag_depth_pyramid_slot = 1;

/// ```text
///   area      sum over j of a(i,j) src(j), where
///             a(i,j) = max(0, min((i+1) W, (j+1) w) - max(i W, j w)) / W:
///             whole numbers over a whole number, at every ratio. They add up to 1, and
///             every source texel counts alike. w <= W
///   nearest   the texel in which the output's centre (i + 1/2) W / w lies; on an edge,
///             the higher one
///   bilinear  2 texels around that point, bicubic 4 (Keys 1981, a = -1/2), not filtered
///             before, as a sampler takes them: so a ratio beyond 2 or 4 leaves texels
///             out. Beyond the image lies its edge's texel. Any ratio, also larger images
///   lanczos   `radius` lobes, stretched by W / w where that is above 1, normalised.
///             Beyond the image lies its edge's texel. W / w <= 16
/// ```
pub type ag_down_filter = i32;
/// "area": the mean over the area of an output
pub const AG_DOWN_AREA: ag_down_filter = 0;
/// "nearest": the texel at its centre
pub const AG_DOWN_NEAREST: ag_down_filter = 1;
/// "bilinear": 2 texels an axis
pub const AG_DOWN_BILINEAR: ag_down_filter = 2;
/// "bicubic": 4 texels an axis
pub const AG_DOWN_BICUBIC: ag_down_filter = 3;
/// "lanczos": a windowed sinc, stretched by the ratio
pub const AG_DOWN_LANCZOS: ag_down_filter = 4;

/// Of area. none: all texels alike. karis: colour weighs 1 / (1 + luminance), against
/// fireflies. alpha: colour weighs its alpha, which is right for colour that is not
/// premultiplied; where alpha is 0 throughout, the plain mean. Alpha itself is always
/// the plain mean. karis takes all formats, alpha those with four channels
pub type ag_down_weight = i32;
/// "none": all texels alike
pub const AG_DOWN_WEIGHT_NONE: ag_down_weight = 0;
/// "karis": 1 / (1 + luminance), against fireflies
pub const AG_DOWN_WEIGHT_KARIS: ag_down_weight = 1;
/// "alpha": for colour that is not premultiplied
pub const AG_DOWN_WEIGHT_ALPHA: ag_down_weight = 2;

/// Of area; all give the same result within `error`:
/// ```text
///   auto          chooses among the others
///   tile          a thread an output, for small ratios; up to 64
///   columns       sums down columns, then across, for medium ratios
///   partial_sums  tiles of the source, for large ratios, and for several targets from one read
///   blocks        several targets from one read, if all ratios are whole numbers whose common
///                 multiple is at most 64; others are refused
/// ```
pub type ag_down_method = i32;
/// "auto": chooses among the others
pub const AG_DOWN_AUTO: ag_down_method = 0;
/// "tile": small ratios
pub const AG_DOWN_TILE: ag_down_method = 1;
/// "columns": medium ratios
pub const AG_DOWN_COLUMNS: ag_down_method = 2;
/// "partial_sums": large ratios, several targets
pub const AG_DOWN_PARTIAL_SUMS: ag_down_method = 3;
/// "blocks": several targets of whole ratios
pub const AG_DOWN_BLOCKS: ag_down_method = 4;

/// Slots, in the order of ag_job.slots.
pub type ag_downsample_slot = u32;
pub const AG_DOWNSAMPLE_SRC: ag_downsample_slot = 0;
pub const AG_DOWNSAMPLE_DST0: ag_downsample_slot = 1;
pub const AG_DOWNSAMPLE_DST1: ag_downsample_slot = 2;
pub const AG_DOWNSAMPLE_DST2: ag_downsample_slot = 3;
pub const AG_DOWNSAMPLE_DST3: ag_downsample_slot = 4;

/// Slots, in the order of ag_job.slots.
pub type ag_exposure_slot = u32;
pub const AG_EXPOSURE_SRC: ag_exposure_slot = 0;
pub const AG_EXPOSURE_STATE: ag_exposure_slot = 1;

pub type ag_fft_direction = i32;
/// "forward": to frequencies
pub const AG_FFT_FORWARD: ag_fft_direction = 0;
/// "inverse": back
pub const AG_FFT_INVERSE: ag_fft_direction = 1;

/// s, where n is the number of points that are transformed together.
pub type ag_fft_norm = i32;
/// "backward": 1 forward, 1/n inverse
pub const AG_FFT_NORM_BACKWARD: ag_fft_norm = 0;
/// "ortho": 1/sqrt(n) both ways
pub const AG_FFT_NORM_ORTHO: ag_fft_norm = 1;
/// "forward": 1/n forward, 1 inverse
pub const AG_FFT_NORM_FORWARD: ag_fft_norm = 2;

/// half is along x, or along y with axes y.
pub type ag_fft_spectrum = i32;
/// "full": all frequencies
pub const AG_FFT_FULL: ag_fft_spectrum = 0;
/// "half": of real data: those that are no mirror image of another
pub const AG_FFT_HALF: ag_fft_spectrum = 1;

/// centered is numpy.fft.fftshift. An axis that has half of its frequencies still begins with
/// frequency 0.
pub type ag_fft_origin = i32;
/// "corner": frequency 0 is at texel 0
pub const AG_FFT_CORNER: ag_fft_origin = 0;
/// "centered": it is at texel n/2 of each axis
pub const AG_FFT_CENTERED: ag_fft_origin = 1;

pub type ag_fft_axes = i32;
/// "both": rows and columns
pub const AG_FFT_BOTH: ag_fft_axes = 0;
/// "x": along rows
pub const AG_FFT_X: ag_fft_axes = 1;
/// "y": along columns
pub const AG_FFT_Y: ag_fft_axes = 2;

/// rgba_rg is the layout of the spectrum: of dst and dst_imag forward, of src and src_imag inverse.
/// The other side is real. Real red, green and blue and imaginary red lie in an RGBA texture,
/// imaginary green and blue in an RG texture.
pub type ag_fft_packing = i32;
/// "planes": real parts in one texture, imaginary parts in the other
pub const AG_FFT_PLANES: ag_fft_packing = 0;
/// "rgba_rg": three channels in 24 bytes
pub const AG_FFT_RGBA_RG: ag_fft_packing = 1;

pub type ag_fft_method = i32;
/// "auto": tiled where it can, else multipass
pub const AG_FFT_AUTO: ag_fft_method = 0;
/// "tiled": a line in shared memory, a dispatch an axis
pub const AG_FFT_TILED: ag_fft_method = 1;
/// "multipass": a line in two parts through scratch
pub const AG_FFT_MULTIPASS: ag_fft_method = 2;

/// Slots, in the order of ag_job.slots.
pub type ag_fft_slot = u32;
pub const AG_FFT_SRC: ag_fft_slot = 0;
pub const AG_FFT_DST: ag_fft_slot = 1;
pub const AG_FFT_SRC_IMAG: ag_fft_slot = 2;
pub const AG_FFT_DST_IMAG: ag_fft_slot = 3;

pub type ag_filter_spectrum_shape = i32;
/// "lowpass":
pub const AG_FILTER_SPECTRUM_LOWPASS: ag_filter_spectrum_shape = 0;
/// "highpass":
pub const AG_FILTER_SPECTRUM_HIGHPASS: ag_filter_spectrum_shape = 1;
/// "bandpass":
pub const AG_FILTER_SPECTRUM_BANDPASS: ag_filter_spectrum_shape = 2;
/// "notch":
pub const AG_FILTER_SPECTRUM_NOTCH: ag_filter_spectrum_shape = 3;
/// "mask": what slot mask holds
pub const AG_FILTER_SPECTRUM_MASK: ag_filter_spectrum_shape = 4;

pub type ag_profile = i32;
/// "ideal": rings beside edges
pub const AG_PROFILE_IDEAL: ag_profile = 0;
/// "gaussian":
pub const AG_PROFILE_GAUSSIAN: ag_profile = 1;
/// "butterworth":
pub const AG_PROFILE_BUTTERWORTH: ag_profile = 2;

/// Slots, in the order of ag_job.slots.
pub type ag_filter_spectrum_slot = u32;
pub const AG_FILTER_SPECTRUM_SRC: ag_filter_spectrum_slot = 0;
pub const AG_FILTER_SPECTRUM_MASK_IMAGE: ag_filter_spectrum_slot = 1;
pub const AG_FILTER_SPECTRUM_DST: ag_filter_spectrum_slot = 2;

/// Slots, in the order of ag_job.slots.
pub type ag_local_stats_slot = u32;
pub const AG_LOCAL_STATS_SRC: ag_local_stats_slot = 0;
pub const AG_LOCAL_STATS_DST: ag_local_stats_slot = 1;
pub const AG_LOCAL_STATS_DEVIATION: ag_local_stats_slot = 2;

/// For each channel.
pub type ag_mip_reduce = i32;
/// "mean": the area average
pub const AG_MIP_MEAN: ag_mip_reduce = 0;
/// "min": conservative: at odd sizes of all 3 texels that an output touches
pub const AG_MIP_MIN: ag_mip_reduce = 1;
/// "max": conservative, as min
pub const AG_MIP_MAX: ag_mip_reduce = 2;
/// "minmax": minimum of r, maximum of g: RG8, RG16F, RG32F
pub const AG_MIP_MINMAX: ag_mip_reduce = 3;
/// "first": texel (2i, 2j)
pub const AG_MIP_FIRST: ag_mip_reduce = 4;

/// With mean.
/// ```text
///   karis     a colour's weight is 1 / (1 + luminance)
///   alpha     its weight is its alpha. Where alpha is 0 throughout: the plain mean
///   coverage  as alpha. Then each level's alpha is scaled so that the share of it that reaches
///             `reference` is that of level 0: alpha-tested foliage keeps its leaves. The share is
///             met within half a texel of the level, or half of those texels that have the same
///             alpha
/// ```
pub type ag_mip_weight = i32;
/// "none": all texels alike
pub const AG_MIP_WEIGHT_NONE: ag_mip_weight = 0;
/// "karis": level 1 only, against fireflies
pub const AG_MIP_WEIGHT_KARIS: ag_mip_weight = 1;
/// "alpha": for colour that is not premultiplied; formats with alpha
pub const AG_MIP_WEIGHT_ALPHA: ag_mip_weight = 2;
/// "coverage": as alpha, and keeps the share of the alpha test
pub const AG_MIP_WEIGHT_COVERAGE: ag_mip_weight = 3;

/// They differ only at odd sizes below level 0. direct: mean, weight none; 2 more steps, at most
/// 16 w h bytes of scratch.
pub type ag_mip_exactness = i32;
/// "recursive": each level is the area average of the one above
pub const AG_MIP_RECURSIVE: ag_mip_exactness = 0;
/// "direct": each level is the area average of level 0
pub const AG_MIP_DIRECT: ag_mip_exactness = 1;

/// Slots, in the order of ag_job.slots.
pub type ag_mipchain_slot = u32;
pub const AG_MIPCHAIN_TEXTURE: ag_mipchain_slot = 0;

/// N.
pub type ag_ocean_size = i32;
/// "32":
pub const AG_OCEAN_32: ag_ocean_size = 0;
/// "64":
pub const AG_OCEAN_64: ag_ocean_size = 1;
/// "128":
pub const AG_OCEAN_128: ag_ocean_size = 2;
/// "256":
pub const AG_OCEAN_256: ag_ocean_size = 3;
/// "512":
pub const AG_OCEAN_512: ag_ocean_size = 4;
/// "1024":
pub const AG_OCEAN_1024: ag_ocean_size = 5;

/// tma has the factor of depth of Bouws et al. 1985. pierson_moskowitz ignores fetch and gamma, and
/// takes depth only for the speed of waves.
pub type ag_ocean_spectrum = i32;
/// "tma": JONSWAP, raised by the wind over the fetch (Hasselmann et al. 1973)
pub const AG_OCEAN_TMA: ag_ocean_spectrum = 0;
/// "pierson_moskowitz": fully risen, in deep water (Pierson and Moskowitz 1964)
pub const AG_OCEAN_PIERSON_MOSKOWITZ: ag_ocean_spectrum = 1;

/// Slots, in the order of ag_job.slots.
pub type ag_ocean_slot = u32;
pub const AG_OCEAN_DISPLACEMENT: ag_ocean_slot = 0;
pub const AG_OCEAN_DERIVATIVES: ag_ocean_slot = 1;
pub const AG_OCEAN_JACOBIAN: ag_ocean_slot = 2;

pub type ag_sat_storage = i32;
/// "auto": the fewest bytes whose bound is at most tolerance
pub const AG_SAT_AUTO: ag_sat_storage = 0;
/// "float32":
pub const AG_SAT_FLOAT32: ag_sat_storage = 1;
/// "float32_residual": 24 + 11 bits
pub const AG_SAT_FLOAT32_RESIDUAL: ag_sat_storage = 2;
/// "double_float": 48 bits
pub const AG_SAT_DOUBLE_FLOAT: ag_sat_storage = 3;
/// "uint32": fixed point modulo 2^32
pub const AG_SAT_UINT32: ag_sat_storage = 4;
/// "split": a table for each tile of 32 x 32, and block prefixes
pub const AG_SAT_SPLIT: ag_sat_storage = 5;

pub type ag_sat_offset = i32;
/// "none": 0
pub const AG_SAT_OFFSET_NONE: ag_sat_offset = 0;
/// "half": 1/2
pub const AG_SAT_OFFSET_HALF: ag_sat_offset = 1;
/// "mean": the image's mean
pub const AG_SAT_OFFSET_MEAN: ag_sat_offset = 2;

pub type ag_sat_origin = i32;
/// "corner": one table
pub const AG_SAT_CORNER: ag_sat_origin = 0;
/// "center": four, from the centre outward
pub const AG_SAT_CENTER: ag_sat_origin = 1;

pub type ag_sat_edge = i32;
/// "inclusive": up to the texel
pub const AG_SAT_INCLUSIVE: ag_sat_edge = 0;
/// "exclusive": before the texel: 1 row and column more
pub const AG_SAT_EXCLUSIVE: ag_sat_edge = 1;

/// Slots, in the order of ag_job.slots.
pub type ag_sat_slot = u32;
pub const AG_SAT_SRC: ag_sat_slot = 0;
pub const AG_SAT_DST: ag_sat_slot = 1;
pub const AG_SAT_LOW: ag_sat_slot = 2;
pub const AG_SAT_SQUARES: ag_sat_slot = 3;
pub const AG_SAT_SQUARES_LOW: ag_sat_slot = 4;
pub const AG_SAT_MEAN: ag_sat_slot = 5;

/// Slots, in the order of ag_job.slots.
pub type ag_soft_shadow_slot = u32;
pub const AG_SOFT_SHADOW_SRC: ag_soft_shadow_slot = 0;
pub const AG_SOFT_SHADOW_DEPTH: ag_soft_shadow_slot = 1;
pub const AG_SOFT_SHADOW_DST: ag_soft_shadow_slot = 2;
pub const AG_SOFT_SHADOW_TABLE: ag_soft_shadow_slot = 3;

pub type ag_shadow_light = i32;
/// "directional": an orthographic map
pub const AG_SHADOW_DIRECTIONAL: ag_shadow_light = 0;
/// "spot": a map in perspective
pub const AG_SHADOW_SPOT: ag_shadow_light = 1;

pub type ag_shadow_encoding = i32;
/// "forward": 0..1 from near to far
pub const AG_SHADOW_FORWARD: ag_shadow_encoding = 0;
/// "reversed": 1..0 from near to far
pub const AG_SHADOW_REVERSED: ag_shadow_encoding = 1;
/// "linear": metres
pub const AG_SHADOW_LINEAR: ag_shadow_encoding = 2;

pub type ag_shadow_view = i32;
/// "stored": as its projection stores it
pub const AG_SHADOW_VIEW_STORED: ag_shadow_view = 0;
/// "linear": metres
pub const AG_SHADOW_VIEW_LINEAR: ag_shadow_view = 1;

/// luminance: if src has one channel, of that channel.
pub type ag_spectrum_channels = i32;
/// "each": red, green and blue show their own spectra
pub const AG_SPECTRUM_EACH: ag_spectrum_channels = 0;
/// "luminance": all three show that of 0.2126 r + 0.7152 g + 0.0722 b
pub const AG_SPECTRUM_LUMINANCE: ag_spectrum_channels = 1;

/// w. With none an image whose opposite edges differ shows a cross.
pub type ag_window = i32;
/// "none": 1
pub const AG_WINDOW_NONE: ag_window = 0;
/// "hann": sin^2(pi (x + 1/2) / W) sin^2(pi (y + 1/2) / H)
pub const AG_WINDOW_HANN: ag_window = 1;

/// Slots, in the order of ag_job.slots.
pub type ag_spectrum_slot = u32;
pub const AG_SPECTRUM_SRC: ag_spectrum_slot = 0;
pub const AG_SPECTRUM_DST: ag_spectrum_slot = 1;

pub type ag_wavelet_direction = i32;
/// "forward": image to coefficients
pub const AG_WAVELET_FORWARD: ag_wavelet_direction = 0;
/// "inverse": back
pub const AG_WAVELET_INVERSE: ag_wavelet_direction = 1;

pub type ag_wavelet_filter = i32;
/// "haar": 2 taps
pub const AG_WAVELET_HAAR: ag_wavelet_filter = 0;
/// "db2": 4 taps
pub const AG_WAVELET_DB2: ag_wavelet_filter = 1;
/// "db4": 8 taps
pub const AG_WAVELET_DB4: ag_wavelet_filter = 2;
/// "sym4": 8 taps
pub const AG_WAVELET_SYM4: ag_wavelet_filter = 3;
/// "coif1": 6 taps
pub const AG_WAVELET_COIF1: ag_wavelet_filter = 4;
/// "cdf53": biorthogonal, JPEG 2000, 6 taps
pub const AG_WAVELET_CDF53: ag_wavelet_filter = 5;
/// "cdf97": biorthogonal, JPEG 2000, 10 taps
pub const AG_WAVELET_CDF97: ag_wavelet_filter = 6;
/// "custom": from the slot taps
pub const AG_WAVELET_CUSTOM: ag_wavelet_filter = 7;

/// What lies outside of the image:
/// ```text
///   periodization  it repeats, its last texel twice if N is odd. n = ceil(N / 2), b = F/2
///   symmetric      ... b a | a b c d | d c ...
///   reflect        ... c b | a b c d | c b ...: what other effects call mirror
///   zero           0
///   of the last three n = floor((N + F - 1) / 2), b = 1
/// ```
pub type ag_wavelet_border = i32;
/// "periodization": repeats
pub const AG_WAVELET_PERIODIZATION: ag_wavelet_border = 0;
/// "symmetric": ... b a | a b ...
pub const AG_WAVELET_SYMMETRIC: ag_wavelet_border = 1;
/// "reflect": ... c b | a b c ...: the mirror of other effects
pub const AG_WAVELET_REFLECT: ag_wavelet_border = 2;
/// "zero": 0
pub const AG_WAVELET_ZERO: ag_wavelet_border = 3;

/// Of coefficients, level 1 being the finest, n(1) the size of its bands:
/// ```text
///   pyramid        PyWavelets' coeffs_to_array. The bands of level l begin at n(L) + n(L)
///                  + n(L - 1) + .. + n(l + 1) in each axis that they are high in, else at
///                  0; gaps are 0. With periodization, sizes that 2^levels divides are
///                  kept
///   bands          a layer of n(1) each, filled with 0: LL of the last level, then LH,
///                  HL, HH of that level, then those of the next finer one .. 1; so 3
///                  levels + 1 layers for each layer of the image
/// ```
pub type ag_wavelet_layout = i32;
/// "pyramid": one picture
pub const AG_WAVELET_PYRAMID: ag_wavelet_layout = 0;
/// "bands": an array layer a band
pub const AG_WAVELET_BANDS: ag_wavelet_layout = 1;

/// Slots, in the order of ag_job.slots.
pub type ag_wavelet_slot = u32;
pub const AG_WAVELET_SRC: ag_wavelet_slot = 0;
pub const AG_WAVELET_DST: ag_wavelet_slot = 1;
pub const AG_WAVELET_TAPS: ag_wavelet_slot = 2;

/// all that the module keeps for one GL context
#[repr(C)]
#[derive(Debug)]
pub struct ag_device {
    _private: [u8; 0],
}

/// one configured effect on a device
#[repr(C)]
#[derive(Debug)]
pub struct ag_pass {
    _private: [u8; 0],
}

/// a texture that an effect reads or writes
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_slot_info {
    /// "src"
    pub name: *const c_char,
    /// one line
    pub help: *const c_char,
    /// AG_READ | AG_WRITE | AG_OPTIONAL | AG_STATE | AG_LEVELS
    pub access: ag_access,
    pub format_count: u32,
    /// sized GL internal formats that it accepts
    pub formats: *const u32,
}

/// A member of the effect's settings struct, which begins with its struct_size and tag (settings.h).
/// ag_api.defaults fills both.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_setting_info {
    pub name: *const c_char,
    pub unit: *const c_char,
    pub help: *const c_char,
    /// AG_FLOAT, or a 4-byte int: AG_INT, AG_BOOL (0 or 1), AG_ENUM
    pub r#type: ag_setting_type,
    /// in the settings struct, in bytes
    pub offset: u32,
    /// 1..AG_MAX_VALUES consecutive values
    pub count: u32,
    pub name_count: u32,
    /// inclusive range of each value; defaults
    pub min: f64,
    /// inclusive range of each value; defaults
    pub max: f64,
    /// inclusive range of each value; defaults
    pub initial: [f64; 16],
    /// AG_ENUM: names\[i] of value i; NULL: no valid value
    pub names: *const *const c_char,
    /// one line on each value, "" where its name says all
    pub value_help: *const *const c_char,
    /// AG_PREPARE_*: the most that prepare does after a change of it
    pub prepare: ag_prepare_kind,
    pub reserved: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_effect_info {
    pub struct_size: u32,
    /// bytes of the settings struct, its head included
    pub settings_size: u32,
    pub id: *const c_char,
    pub help: *const c_char,
    /// job.slots come in this order
    pub slots: *const ag_slot_info,
    /// stride in bytes: rows may grow in later versions
    pub slot_count: u32,
    /// stride in bytes: rows may grow in later versions
    pub slot_stride: u32,
    pub settings: *const ag_setting_info,
    pub setting_count: u32,
    pub setting_stride: u32,
    /// at most, from the device's bases on
    pub image_units: u32,
    /// at most, from the device's bases on
    pub ssbos: u32,
    /// at most, from the device's bases on
    pub texture_units: u32,
    /// the settings struct's second member
    pub settings_tag: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_message {
    pub struct_size: u32,
    /// AG_LOG_*
    pub level: ag_log_level,
    /// what the failing call returns
    pub code: ag_status,
    /// UTF-8, no newline at its end; messages about shaders have several lines
    pub text: *const c_char,
    /// shader file, relative to the root of the shaders; NULL: none
    pub file: *const c_char,
    /// in that file, from 1; 0: none
    pub line: u32,
    /// in that line, from 1 (1 also where the driver gives no column); 0: none
    pub column: u32,
}

/// One timed interval. frame() reports it once its result has arrived. The struct is valid until the
/// callback returns, the strings `effect` and `name` as long as the module is loaded; of a pass from
/// a folder (pass_load), as long as the device.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_span {
    pub struct_size: u32,
    /// index into ag_plan.steps, or AG_WHOLE_PASS
    pub step: u32,
    pub pass: *const ag_pass,
    /// "bloom"
    pub effect: *const c_char,
    /// the step's name, or the effect's for the whole pass
    pub name: *const c_char,
    /// ag_job.frame of that execute
    pub frame: u64,
    /// ns on the GPU's clock (GL_TIMESTAMP)
    pub gpu_begin: u64,
    /// ns on the GPU's clock (GL_TIMESTAMP)
    pub gpu_end: u64,
    /// ns on the host's clock: recording the step's commands, or the whole call to execute.
    pub cpu_begin: u64,
    /// ns on the host's clock: recording the step's commands, or the whole call to execute.
    pub cpu_end: u64,
    /// gpu_begin and gpu_end converted to the host's clock
    pub host_begin: u64,
    /// gpu_begin and gpu_end converted to the host's clock
    pub host_end: u64,
    /// ns: error bound of both; AG_NO_CLOCK: unknown, both are 0
    pub clock_error: u64,
    /// AG_SPAN_*
    pub flags: ag_span_flags,
    pub reserved: u32,
}

/// The host's callbacks. device_create copies the struct; they and `user` must stay valid until
/// device_destroy has returned. They run on the thread of the call that needs them, and must not
/// call back into the module.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_host {
    pub struct_size: u32,
    /// 0
    pub reserved: u32,
    /// passed to every callback
    pub user: *mut c_void,
    /// The address of a GL function, or NULL (eglGetProcAddress, glfwGetProcAddress...). If the
    /// member is NULL, device_create asks EGL and GLX, on Windows WGL, which of them has a context
    /// current on its thread, and uses that one's loader.
    pub gl_proc: Option<unsafe extern "C" fn(user: *mut c_void, name: *const c_char) -> *mut c_void>,
    /// Both or neither; NULL: the C library's malloc. alloc returns `bytes` bytes aligned to `align`
    /// (a power of two), or NULL. free gets what alloc returned, with the same `bytes` and `align`.
    pub alloc: Option<unsafe extern "C" fn(user: *mut c_void, bytes: usize, align: usize) -> *mut c_void>,
    pub free: Option<unsafe extern "C" fn(user: *mut c_void, block: *mut c_void, bytes: usize, align: usize)>,
    /// NULL: no messages. The message and its strings are valid until the callback returns.
    pub log: Option<unsafe extern "C" fn(user: *mut c_void, message: *const ag_message)>,
    /// ns since a fixed moment. NULL: the system's monotonic clock. If the clock runs backwards, the
    /// samples of that time are dropped and counted (ag_stats.dropped).
    pub now_ns: Option<unsafe extern "C" fn(user: *mut c_void) -> u64>,
    /// Non-zero if the device's context is current on the calling thread; if not, calls do nothing
    /// and return AG_E_THREAD. NULL: the module asks EGL, GLX or WGL if gl_proc is NULL, too; else
    /// it does not check, and a call on a wrong thread is undefined, as all of GL is there.
    pub is_current: Option<unsafe extern "C" fn(user: *mut c_void) -> i32>,
    /// NULL: none. frame() calls it for every measured interval, in the order of execution, a whole
    /// pass before its steps. Pass it on to your profiler (docs/profiling.md).
    pub span: Option<unsafe extern "C" fn(user: *mut c_void, span: *const ag_span)>,
    /// Store for compiled programs. Both or neither; NULL: every run compiles all programs. Keys are
    /// 32 hex digits; one file per key in a folder is enough, written under another name and then
    /// renamed, so that processes can share the folder. prepare calls both, on its thread. Blobs and
    /// strings are valid until the callback returns. load copies the blob to `data` if it has at
    /// most `capacity` bytes (0 in its first call), and returns its size, or 0 if there is none.
    /// store may fail silently. The module detects damaged blobs and replaces them.
    pub cache_load: Option<unsafe extern "C" fn(user: *mut c_void, key: *const c_char, data: *mut c_void, capacity: usize) -> usize>,
    pub cache_store: Option<unsafe extern "C" fn(user: *mut c_void, key: *const c_char, data: *const c_void, bytes: usize)>,
}

/// all zero (but struct_size) is a good device
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_device_desc {
    pub struct_size: u32,
    /// AG_DEVICE_*
    pub flags: ag_device_flags,
    /// Folder of shaders to use instead of the embedded ones, watched for changes (docs/reload.md).
    /// UTF-8; copied. It must be there and readable, else AG_E_ARG. NULL: embedded shaders. frame()
    /// compiles changed programs beside the ones that run: in the driver's threads with
    /// GL_KHR_parallel_shader_compile, otherwise in its budget. When all are linked, one frame()
    /// swaps them in every pass whose programs all work and need no binding that the plan lacks; a
    /// pass never mixes old and new ones. While files have errors, it keeps the old ones; a pass
    /// prepared meanwhile gets the last shaders that worked, or else the embedded ones, and prepare
    /// returns AG_FALLBACK. Each edit that fails logs one message: file, line, column, the line with
    /// a caret, the driver's log. The first prepare of a device with shader_dir, or with
    /// AG_JOB_BACKGROUND, sets GL_MAX_SHADER_COMPILER_THREADS to 8 unless the host has set it.
    pub shader_dir: *const c_char,
    /// First image unit that the module may use; ag_effect_info.image_units says how many. At least
    /// 3 must be left, else device_create fails. An effect that uses more counts units 0..7 only; if
    /// too few of these are left, mip chains take more dispatches, other effects fail in declare.
    pub image_unit_base: u32,
    /// first shader storage binding; 6 must be left: ag_effect_info.ssbos
    pub ssbo_base: u32,
    /// GPU timestamps in flight: 10..65536, fewer count as 10; 0 = 512. A pass needs 2, or its steps
    /// + 1 with AG_JOB_TIME_STEPS. A sample that finds too few free is dropped and counted.
    pub timer_capacity: u32,
    /// ns that frame() may spend on live reload, plus the step that it is at by then. 0: at least
    /// 200000, and a share of the time between frames. With four frames a second or fewer, frame()
    /// then waits for an edit's compiles, as long as the host took since the last frame and at most
    /// half a second, so that an edit takes one frame. With any other value it never waits.
    pub frame_budget: u32,
    /// For ag_stats.copy_ratio: MB/s, read + written (`afterglow info --copy`); 0: not known.
    pub copy_speed: u32,
    /// first texture unit: ag_effect_info.texture_units
    pub texture_unit_base: u32,
    /// AG_WITHOUT_*; other bits are refused
    pub without: ag_without,
    /// 0
    pub reserved: u32,
    /// The text that `afterglow tune -o FILE` wrote on this GPU: where `auto` changes from one
    /// method to the next, and copy_speed where that is 0. The module reads no such file itself:
    /// hand over its content, NUL at its end; it is not kept. Results obey the same contract with
    /// any text; times differ. A text of another GPU, driver or version of the module, or one that
    /// is damaged, changes nothing: device_create logs a warning with the reason and returns
    /// AG_UNTUNED. NULL: none; the methods change over where an H200's do.
    pub tuning: *const c_char,
}

/// One level of a texture of the host, or a rectangle of that level. The host owns the texture.
///
/// It is read through image units or views of the module's own: your swizzle, samplers, BASE_LEVEL
/// and MAX_LEVEL have no effect. Textures made by glTexImage cannot be viewed. Of those,
/// SRGB8_ALPHA8, depth and (as inputs) R11F_G11F_B10F are refused, the level must lie within
/// BASE_LEVEL..MAX_LEVEL, and mip chains take longer.
/// Colours are linear, except in SRGB8_ALPHA8 textures, which are decoded and encoded by the exact
/// piecewise curve. A colour image is R8 RG8 RGBA8 SRGB8_ALPHA8 RGB10_A2 R11F_G11F_B10F R16F RG16F
/// RGBA16F R32F RG32F RGBA32F; src and dst of bloom, convolve and filter_spectrum also RGBA16. A
/// depth format is DEPTH_COMPONENT16 24 32 32F DEPTH24_STENCIL8 or DEPTH32F_STENCIL8.
/// ag_slot_info.formats has those of each slot.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_texture {
    pub struct_size: u32,
    /// GL texture; 0 in declare (not created yet), or for an empty optional slot
    pub name: u32,
    /// GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY; of depth also the multisampled ones
    pub target: u32,
    /// sized internal format, e.g. 0x881A = GL_RGBA16F; 0: the slot is empty
    pub format: u32,
    /// of that level, in texels, 1..65536
    pub width: i32,
    /// of that level, in texels, 1..65536
    pub height: i32,
    /// mipmap level; AG_E_ARG if the texture does not have it
    pub level: i32,
    /// array layers to process in one execute, 1..2048; 0 means 1
    pub first_layer: i32,
    /// array layers to process in one execute, 1..2048; 0 means 1
    pub layers: i32,
    /// Rectangle in texels. rect_width = rect_height = 0: from rect_x, rect_y to the end.
    pub rect_x: i32,
    /// Rectangle in texels. rect_width = rect_height = 0: from rect_x, rect_y to the end.
    pub rect_y: i32,
    /// Rectangle in texels. rect_width = rect_height = 0: from rect_x, rect_y to the end.
    pub rect_width: i32,
    /// Rectangle in texels. rect_width = rect_height = 0: from rect_x, rect_y to the end.
    pub rect_height: i32,
    /// 0
    pub reserved: u32,
    /// For every slot, name and version together name the GL object: increase the version when the
    /// texture was created again under its old name. Its content may change in every frame under one
    /// version. Two slots with one name must have one version. Only kernels and masks (kernel,
    /// kernel_image, mask, dirt) are read by prepare: for them the version names the content, too,
    /// so increase it also when that changed.
    pub version: u64,
}

/// A byte range of a GL buffer of the host. This struct is frozen, because it lies inside ag_job.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_buffer {
    pub struct_size: u32,
    pub name: u32,
    /// offset: a multiple of ag_plan.scratch_alignment
    pub offset: u64,
    /// offset: a multiple of ag_plan.scratch_alignment
    pub bytes: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_image_unit {
    /// texture 0: unbound
    pub texture: u32,
    /// texture 0: unbound
    pub layered: u32,
    /// GL enums; 0: GL's initial values
    pub access: u32,
    /// GL enums; 0: GL's initial values
    pub format: u32,
    pub level: i32,
    pub layer: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_ssbo {
    /// reserved: 0
    pub buffer: u32,
    /// reserved: 0
    pub reserved: u32,
    /// bytes 0: the whole buffer (glBindBufferBase)
    pub offset: u64,
    /// bytes 0: the whole buffer (glBindBufferBase)
    pub bytes: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_texture_unit {
    /// bound again if the module used this target; 0: any target
    pub texture: u32,
    /// bound again if the module used this target; 0: any target
    pub target: u32,
    /// reserved: 0
    pub sampler: u32,
    /// reserved: 0
    pub reserved: u32,
}

/// Values that execute writes to the changed GL state when it ends. Zero means unbound.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_gl_state {
    pub struct_size: u32,
    pub program: u32,
    /// units image_unit_base + i, ag_effect_info.image_units of them
    pub images: [ag_image_unit; 8],
    /// bindings ssbo_base + i, ag_effect_info.ssbos of them
    pub ssbos: [ag_ssbo; 8],
    pub ssbo_generic: u32,
    /// used only if a texture unit was; 0 means GL_TEXTURE0
    pub active_texture: u32,
    /// units texture_unit_base + i, ag_effect_info.texture_units of them
    pub textures: [ag_texture_unit; 8],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_job {
    pub struct_size: u32,
    /// AG_JOB_*
    pub flags: ag_job_flags,
    /// In the order of ag_effect_info.slots, slots\[0].struct_size bytes apart. slot_count counts the
    /// elements of this array: up to that of the effect, fewer if trailing optional slots are left
    /// out. An optional slot may also be all zero. No other slot may name the same level of the same
    /// texture as an output, even with another rectangle or layer (AG_E_ARG); sat has an exception.
    pub slots: *const ag_texture,
    pub slot_count: u32,
    /// AG_USE_* of the outputs
    pub next_use: ag_next_use,
    /// ag_bloom_settings...; NULL: defaults. Start from AG_BLOOM_DEFAULTS or ag_bloom_params
    /// (settings.h), or from ag_api.defaults. Members that an older header lacks get the effect's
    /// defaults. The second member, the tag, says of which effect they are.
    pub settings: *const c_void,
    /// any number; spans return it
    pub frame: u64,
    /// name 0: the pass allocates its own scratch
    pub scratch: ag_buffer,
    /// NULL: changed bindings are left 0
    pub restore: *const ag_gl_state,
    /// Dynamic resolution: plan for images of up to this size, 1..65536, or both 0: for this image.
    /// Line lengths, memory and programs are then those of the largest size: prepare with a smaller
    /// rectangle compiles and allocates nothing. Smaller images take somewhat longer than with plans
    /// of their own. Convolve, bloom and exposure use it. Other effects ignore it, and convolve with
    /// border wrap does, because its lines must fit the image.
    pub plan_width: i32,
    /// Dynamic resolution: plan for images of up to this size, 1..65536, or both 0: for this image.
    /// Line lengths, memory and programs are then those of the largest size: prepare with a smaller
    /// rectangle compiles and allocates nothing. Smaller images take somewhat longer than with plans
    /// of their own. Convolve, bloom and exposure use it. Other effects ignore it, and convolve with
    /// border wrap does, because its lines must fit the image.
    pub plan_height: i32,
    /// seconds since the last execute of this pass, finite and >= 0: for what adapts over
    /// time (AG_STATE slots, statistics of denoise, bloom's steady)
    pub dt: f32,
    /// 0
    pub reserved: u32,
}

/// something that a pass reads or writes
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_resource {
    /// the slot's name, or what the memory holds
    pub name: *const c_char,
    /// AG_READ | AG_WRITE
    pub access: ag_access,
    /// live range; disjoint ranges of scratch may share memory
    pub first_step: u32,
    /// live range; disjoint ranges of scratch may share memory
    pub last_step: u32,
    /// AG_RESOURCE_*
    pub kind: ag_resource_kind,
    /// scratch: the range in it. Textures: 0, bytes of the rectangle
    pub offset: u64,
    /// scratch: the range in it. Textures: 0, bytes of the rectangle
    pub bytes: u64,
}

/// One timed step: one or more dispatches, with barriers between them where one reads what another
/// wrote.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_step {
    pub name: *const c_char,
    /// at most: of box_blur some radii need fewer
    pub dispatches: u32,
    /// work groups of each dispatch, or of the largest
    pub groups: [u32; 3],
    /// bytes that must move, read and written
    pub bytes: u64,
}

/// The pass owns it. It is valid until the next declare or prepare of the pass, or its destruction.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_plan {
    pub struct_size: u32,
    pub step_count: u32,
    pub step_stride: u32,
    pub resource_count: u32,
    pub resource_stride: u32,
    /// glMemoryBarrier bits that the host must place before execute, if its shaders wrote the
    /// inputs, or used the memory that is now scratch or an output.
    pub barriers_before: u32,
    /// bits that ag_job.next_use needs: execute places or returns them
    pub barriers_after: u32,
    pub reserved: u32,
    pub steps: *const ag_step,
    pub resources: *const ag_resource,
    /// hash of the plan: changes when anything in it changes, and only then
    pub key: u64,
    /// transient memory; its content need not survive between executes
    pub scratch_bytes: u64,
    /// of the scratch range's offset
    pub scratch_alignment: u64,
    /// GPU memory that the pass keeps: tables, kernel spectra, memory of the former plan's spectrum.
    pub persistent_bytes: u64,
    /// the plan in words: lengths, radices, threads, bytes
    pub text: [c_char; 384],
}

/// of the last 512 samples of a pass or of one of its steps
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_stats {
    pub struct_size: u32,
    /// in the ring now; 0: no result has arrived yet, or timing is unavailable
    pub samples: u32,
    /// samples since this plan was prepared, first uses left out
    pub count: u64,
    /// samples of the pass lost since its creation: no timestamps were free, or
    /// the GPU's or the host's clock ran backwards
    pub dropped: u64,
    /// ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.
    pub gpu_last: f64,
    /// ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.
    pub gpu_min: f64,
    /// ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.
    pub gpu_median: f64,
    /// ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.
    pub gpu_p95: f64,
    /// ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.
    pub gpu_p99: f64,
    /// ns. The percentile p is the smallest sample that is at least as large as p of 100 samples.
    pub gpu_mean: f64,
    pub cpu_last: f64,
    pub cpu_min: f64,
    pub cpu_median: f64,
    pub cpu_p95: f64,
    pub cpu_p99: f64,
    pub cpu_mean: f64,
    /// ns of the last first use (AG_SPAN_FIRST), which is not a sample; 0: none seen.
    pub gpu_first: f64,
    /// ns of the last first use (AG_SPAN_FIRST), which is not a sample; 0: none seen.
    pub cpu_first: f64,
    /// CPU ns of the last prepare that had something to do; 0: not known
    pub cpu_prepare: f64,
    /// that must move in one execute, by the plan
    pub bytes: u64,
    /// bytes / gpu_median, in 10^9 bytes per second
    pub gb_per_s: f64,
    /// gb_per_s / ag_device_desc.copy_speed: 1 = as fast as a copy; 0: not known
    pub copy_ratio: f64,
}

/// A texel is bad where a channel is NaN, infinite, or too large to be summed: of a magnitude of
/// 2^64 (1.8e19) and more, or of 2^48 (2.8e14) where squares are summed (local_stats; sat with
/// square). With the setting scrub, on by default, it counts as 0 in all channels, as often as a
/// pass reads it: a single one of 3e38 would make all sums over its line infinite, which an FFT
/// spreads over the whole frame. What is smaller makes no sum infinite, up to 16384 x 16384 texels
/// and kernels whose magnitudes add up to 2^35. 16-bit floats are never too large. Effects whose
/// results never exceed the largest texel keep every finite one; their headers say so.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_health {
    pub struct_size: u32,
    /// GL programs alive
    pub programs: u32,
    /// bad texels read as 0 since creation, as far as read back
    pub scrubbed_texels: u64,
    /// timings lost: no timestamps were free, or a clock ran backwards
    pub dropped_samples: u64,
    /// GPU memory held by the device and its passes
    pub persistent_bytes: u64,
    /// since creation: loaded by ag_host.cache_load, not compiled
    pub programs_from_cache: u32,
    pub reserved: u32,
}

/// live reload; all zero without shader_dir and folders of passes
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_reload {
    pub struct_size: u32,
    /// edits that replaced programs of some pass, since creation
    pub generation: u32,
    /// changed files and compiling programs; 0: every edit has been handled
    pub pending: u32,
    /// passes on fallback shaders because those of shader_dir failed
    pub failed: u32,
    /// watched paths, missing files included
    pub watched: u32,
    /// of the message; 0: no place
    pub line: u32,
    /// of the message; 0: no place
    pub column: u32,
    pub reserved: u32,
    /// Both strings are valid until the next frame() or prepare.
    /// of the message, relative to its folder; NULL: no place
    pub file: *const c_char,
    /// the last message about a failure that still exists; NULL: none
    pub message: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_api {
    pub struct_size: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub reserved: u32,
    /// "0.1.0"
    pub version: *const c_char,
    /// The effects of this module: a constant array of *count pointers. `count` may be NULL. Those
    /// of pass_load are not among them: they belong to a device.
    pub effects: unsafe extern "C" fn(count: *mut u32) -> *const *const ag_effect_info,
    /// Fills a settings struct of `size` bytes with the defaults of an effect, struct_size and tag
    /// included. What a newer header has more is zero.
    /// ```text
    ///   errors  AG_E_ARG, without a message (no such effect, NULL, or no room for struct_size and
    ///           tag)
    /// ```
    pub defaults: unsafe extern "C" fn(effect: *const c_char, settings: *mut c_void, size: u32) -> ag_status,
    /// The text of a status, never NULL.
    pub status_text: unsafe extern "C" fn(status: ag_status) -> *const c_char,
    /// Creates a device for the current context: loads GL functions, reads limits, creates queries.
    /// `desc` may be NULL. Needs OpenGL 4.3, or an older core context, from 3.2 on, that can do the
    /// same: a compute shader is compiled to find out. Else the message says what is missing and
    /// which context to ask for.
    /// If host->struct_size is implausible, it reads nothing else of the struct and logs nothing.
    /// ```text
    ///   returns AG_UNTUNED if desc.tuning does not fit: the device is created with defaults
    ///   errors  AG_E_ARG, AG_E_ABI, AG_E_GL (names what is missing), AG_E_MEMORY, AG_E_THREAD
    /// ```
    pub device_create: unsafe extern "C" fn(host: *const ag_host, desc: *const ag_device_desc, device: *mut *mut ag_device) -> ag_status,
    /// Destroys the device and all passes on it; NULL is ignored. With `context_gone` non-zero it
    /// frees memory only and calls no GL: for a context that was lost or already destroyed. If
    /// ag_host.is_current says that the context is not current, it also frees memory only, and logs
    /// AG_E_THREAD; the GL objects then exist until their context is destroyed.
    pub device_destroy: unsafe extern "C" fn(device: *mut ag_device, context_gone: i32),
    /// AG_OK, or AG_E_LOST if the context was reset (detected in robust contexts only). Fills
    /// `health` in both cases; it may be NULL.
    pub health: unsafe extern "C" fn(device: *mut ag_device, health: *mut ag_health) -> ag_status,
    /// Call it once per frame. Collects finished GPU times (ag_host.span) and counters, and reloads
    /// changed shaders. Never waits for the GPU. Waits for a compile only after an edit, if the
    /// driver lacks GL_KHR_parallel_shader_compile or, as NVIDIA's, finishes compiling on the
    /// caller's thread (docs/reload.md). If you never call it, timings are dropped and edits have no
    /// effect, no more. `frame` is the host's frame number, which nothing uses yet.
    /// ```text
    ///   errors  AG_E_LOST, AG_E_THREAD
    /// ```
    pub frame: unsafe extern "C" fn(device: *mut ag_device, frame: u64) -> ag_status,
    /// Describes a texture of yours from its bare name, as GL knows it: fills name, target, format,
    /// width, height, level and layers (of an array all, else 1). `version` keeps its value; the
    /// rectangle becomes the whole level. Call it where you create or resize textures, not in a
    /// frame: it asks GL some ten times, for which a driver with a thread of its own waits. It
    /// leaves every binding as it was. In a context with neither OpenGL 4.5 nor
    /// GL_ARB_direct_state_access GL cannot be asked for the target: set texture->target before,
    /// else it is taken for GL_TEXTURE_2D, and that of another target sets GL_INVALID_OPERATION.
    /// ```text
    ///   errors  AG_E_ARG (no such texture or level, or a target that no effect takes), AG_E_FORMAT
    ///           (no effect takes its format), AG_E_ABI, AG_E_LOST, AG_E_THREAD; *texture is then
    ///           unchanged
    /// ```
    pub texture: unsafe extern "C" fn(device: *mut ag_device, name: u32, level: i32, texture: *mut ag_texture) -> ag_status,
    /// Call it before you delete or recreate a texture that a job of this device named, or never use
    /// a pair of name and version twice. It deletes the views and kernel spectra made from
    /// the texture; execute wants a new prepare before it takes the name again. Unknown names are
    /// ignored. AG_DEVICE_VALIDATE finds missing calls.
    pub forget: unsafe extern "C" fn(device: *mut ag_device, texture: u32),
    /// Creates a pass of an effect, named by its id. The device owns it.
    /// ```text
    ///   errors  AG_E_ARG (the message lists the ids), AG_E_MEMORY
    /// ```
    pub pass_create: unsafe extern "C" fn(device: *mut ag_device, effect: *const c_char, pass: *mut *mut ag_pass) -> ag_status,
    /// Destroys a pass; NULL is ignored. It must not be called twice for a pass, nor after the
    /// device is destroyed. If the context is lost or not current, it frees memory only.
    pub pass_destroy: unsafe extern "C" fn(pass: *mut ag_pass),
    /// prepare, then execute with barriers = NULL: all that a frame needs. If prepare fails, or
    /// returns AG_PENDING because the job has AG_JOB_BACKGROUND, nothing is recorded and the outputs
    /// keep their texels. Call it again with the same job in the next frame.
    /// ```text
    ///   returns what prepare returned, if execute succeeds
    ///   errors  as prepare and execute
    /// ```
    pub run: unsafe extern "C" fn(pass: *mut ag_pass, job: *const ag_job) -> ag_status,
    /// Plans a job, without GL and without any effect on what is prepared. Texture names may be 0.
    /// ```text
    ///   errors  AG_E_ARG, AG_E_ABI, AG_E_FORMAT, AG_E_SIZE
    /// ```
    pub declare: unsafe extern "C" fn(pass: *mut ag_pass, job: *const ag_job, plan: *mut *const ag_plan) -> ag_status,
    /// The size that an output's texture must have for this job: width, height, layers. For a slot
    /// with several allowed sizes: the first. 0, 0, 0: any size, or these settings leave the slot
    /// empty. The job holds inputs and settings; outputs may be all zero or left out at the end.
    /// ```text
    ///   errors  as declare, for the inputs; AG_E_ARG also for a slot that is not written
    /// ```
    pub slot_size: unsafe extern "C" fn(pass: *mut ag_pass, job: *const ag_job, slot: u32, size: *mut i32) -> ag_status,
    /// Creates everything that the job needs: programs, views, memory, the kernel's spectrum. Call
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
    /// ```text
    ///   With AG_JOB_BACKGROUND it returns AG_PENDING while the driver's threads compile (without
    ///   GL_KHR_parallel_shader_compile it compiles synchronously), and while the GPU measures the
    ///   kernel of bloom with resolution = auto. Nothing has changed then: the former plan serves.
    ///   Call it again with the same job in later frames, until it is AG_OK. A call gives the driver
    ///   programs, and takes those that are linked, until that has taken 2 ms: one at least, and a
    ///   driver that compiles in the call (docs/reload.md) holds a frame up for one program.
    ///   returns AG_FALLBACK if shader_dir's shaders failed and fallback shaders are used
    ///   errors  as execute, and AG_E_SHADER, AG_E_MEMORY
    /// ```
    pub prepare: unsafe extern "C" fn(pass: *mut ag_pass, job: *const ag_job) -> ag_status,
    /// Records the pass. Does not allocate, compile, upload or wait. If `barriers` is NULL, it ends
    /// with the one glMemoryBarrier that job->next_use needs. Otherwise it places none and returns
    /// the bits there, so that the host can merge them with its own.
    /// ```text
    ///   errors  AG_E_ARG, AG_E_ABI, AG_E_FORMAT, AG_E_SIZE, AG_E_STATE, AG_E_LOST, AG_E_THREAD;
    ///           nothing is recorded and no output texel is written
    /// ```
    pub execute: unsafe extern "C" fn(pass: *mut ag_pass, job: *const ag_job, barriers: *mut u32) -> ag_status,
    /// Times of the whole pass (AG_WHOLE_PASS) or of one step (executed with AG_JOB_TIME_STEPS).
    /// ```text
    ///   errors  AG_E_ARG (no such step in the prepared plan)
    /// ```
    pub stats: unsafe extern "C" fn(pass: *const ag_pass, step: u32, stats: *mut ag_stats) -> ag_status,
    /// The state of live reload. Cheap; meant to be shown while shaders are edited. Calls no GL.
    /// ```text
    ///   errors  AG_E_ARG
    /// ```
    pub reload_status: unsafe extern "C" fn(device: *mut ag_device, reload: *mut ag_reload) -> ag_status,
    /// Three pure functions about summed-area tables: sat.h says what they give. `q` must not be
    /// NULL; `storage` is AG_SAT_*.
    pub sat_error: unsafe extern "C" fn(q: *const ag_sat_question, storage: i32) -> f64,
    pub sat_fraction_bits: unsafe extern "C" fn(q: *const ag_sat_question, power: i32) -> i32,
    pub sat_choose: unsafe extern "C" fn(q: *const ag_sat_question, tolerance: f64, allowed: u32) -> i32,
    /// Reads the pass of a folder (UTF-8; copied): pass.comp, whose first lines describe it
    /// (docs/passes.md). pass_create then takes its id on this device, and *effect is as those of
    /// `effects`, but valid as long as the device, as its name is in spans. No GL call is made.
    /// ```text
    ///   For a folder that was read before it returns what frame() found there last, and reads
    ///   nothing. When an edit changes only shaders, frame() replaces them, as those of shader_dir.
    ///   When it changes steps or textures, the next prepare takes them. When it changes slots or
    ///   settings, a warning is logged, and *effect and its settings_tag are others from then on:
    ///   passes go on with jobs of the former ones until a prepare has settings of the new. While an
    ///   edit has errors, the last version that worked goes on (ag_reload; prepare: AG_FALLBACK).
    ///   errors  AG_E_ARG (no such folder, or the message has file, line, caret and what was
    ///           expected; or another effect has this id), AG_E_MEMORY
    /// ```
    pub pass_load: unsafe extern "C" fn(device: *mut ag_device, folder: *const c_char, effect: *mut *const ag_effect_info) -> ag_status,
    /// As `defaults`, for an effect by its description: also one of pass_load.
    /// ```text
    ///   errors  AG_E_ARG, without a message (NULL, or no room for struct_size and tag)
    /// ```
    pub effect_defaults: unsafe extern "C" fn(effect: *const ag_effect_info, settings: *mut c_void, size: u32) -> ag_status,
}

/// A change needs the new prepare of its row only if the shape in use reads the setting, and
/// ```text
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
///               linear, and 100 with srgb
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_bloom_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// share of the light that is spread. 0.2 by default; 0 to 1.
    pub intensity: f32,
    /// the kernel's full extent. 0.45 by default; 0 to 2 heights. A change makes prepare plan again.
    pub size: f32,
    /// what draws the kernel. AG_BLOOM_APERTURE by default. A change makes prepare plan again.
    pub shape: ag_bloom_shape,
    /// number of the iris's blades. 6 by default; 3 to 16. A change makes the kernel again.
    pub blades: i32,
    /// of the iris, or of the eye, from +x to +y. 0 by default; -360 to 360 degrees. A change makes the kernel again.
    pub rotation: f32,
    /// light below it does not bloom; 0 = off. 0 by default; 0 to 65504. A change makes prepare plan again.
    pub threshold: f32,
    /// softness of the threshold. 0.5 by default; 0 to 1 thresholds.
    pub knee: f32,
    /// brightest value that blooms; 0 = off. 0 by default; 0 to 65504. A change makes prepare plan again.
    pub clamp: f32,
    /// threshold, knee and clamp apply to src * 2^exposure; dst is not multiplied by it. 0 by default; -32 to 32 EV.
    pub exposure: f32,
    /// colour of the bloom. 1, 1, 1 by default; 0 to 16.
    pub tint: [f32; 3],
    /// the composite, the bloom alone, or added to dst. AG_BLOOM_COMPOSITE by default. A change makes prepare plan again.
    pub output: ag_bloom_output,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default. A change makes the kernel again.
    pub scrub: i32,
    /// of spectra between passes; compact: 16 bits a component. AG_STORAGE_FULL by default. A change makes prepare plan again.
    pub storage: ag_storage,
    /// of aperture and anamorphic: 0 = straight blades, 1 = a circle. 0 by default; 0 to 1. A change makes the kernel again.
    pub roundness: f32,
    /// a star's size goes with wavelength^dispersion. 1 by default; 0 to 2. A change makes prepare plan again.
    pub dispersion: f32,
    /// particles on the lens, or in the eye. 0 by default; 0 to 1. A change makes the kernel again.
    pub dust: f32,
    /// scratches on the lens. 0 by default; 0 to 1. A change makes the kernel again.
    pub scratches: f32,
    /// which dust, scratches and lashes. 1 by default; 0 to 65535. A change makes the kernel again.
    pub seed: i32,
    /// lashes before the pupil of shape = star. 0.5 by default; 0 to 1. A change makes the kernel again.
    pub eyelashes: f32,
    /// of the star along x, of shape = anamorphic. 2 by default; 1 to 8. A change makes the kernel again.
    pub stretch: f32,
    /// the streak's share of blue light, of shape = anamorphic. 0.35 by default; 0 to 1. A change makes the kernel again.
    pub streak: f32,
    /// of shape = texture. auto: centred by its light, black subtracted. AG_BLOOM_FIT_AUTO by default. A change makes prepare plan again.
    pub kernel_fit: ag_bloom_fit,
    /// how much the mask in slot dirt brightens. 1 by default; 0 to 16.
    pub dirt_intensity: f32,
    /// reflections in the lens, which add light; 0 = off. 0 by default; 0 to 8. A change makes prepare plan again.
    pub ghosts: i32,
    /// share of the light that a ghost has. 0.002 by default; 0 to 1.
    pub ghost_intensity: f32,
    /// how long a change of the kernel fades in; 0 = at once. 0 by default; 0 to 240 frames. A change makes prepare plan again.
    pub transition: i32,
    /// of the image that the FFT transforms. AG_BLOOM_FULL by default. A change makes prepare plan again.
    pub resolution: ag_bloom_resolution,
    /// fixed: that image keeps its size when the frame's changes. AG_BLOOM_FRAME by default. A change makes prepare plan again.
    pub grid: ag_bloom_grid,
    /// what single bright texels may spread. AG_BLOOM_FIREFLY_OFF by default. A change makes prepare plan again.
    pub firefly: ag_bloom_firefly,
    /// srgb: src and dst hold codes of its curve. AG_BLOOM_LINEAR by default. A change makes prepare plan again.
    pub transfer: ag_bloom_transfer,
    /// g, how many times as bright white shines; 0: 100 with transfer = srgb, else 1. 0 by default; 0 to 256. A change makes prepare plan again.
    pub gain: f32,
    /// how slowly the glow follows light that flickers; 0 = off. 0 by default; 0 to 0.99. A change makes prepare plan again.
    pub steady: f32,
}

/// n iterations give about a Gaussian of sigma = sqrt(n ((2r+1)^2 - 1) / 12), 3 to within 3 %.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_box_blur_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// half the box less half a texel, any real number; with a radius texture: its unit. 8 by default; 0 to 16384 texels.
    pub radius: f32,
    /// one after the other; 3 look like a Gaussian. 1 by default; 1 to 4. A change makes prepare plan again.
    pub iterations: i32,
    /// what lies outside the image. AG_BORDER_CLAMP by default. A change makes prepare plan again.
    pub border: ag_border,
    /// precision of the table that is made here. AG_BOX_STORAGE_AUTO by default. A change makes prepare plan again.
    pub storage: ag_box_storage,
    /// of a given 32UI table; -1: it sums 8-bit codes. -1 by default; -1 to 24 bits.
    pub fraction_bits: i32,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
}

/// noise is the variance of the noise over the mean square of R^(1/2) times the sharp image, that
/// is, of the differences of neighbours. It weighs against |K|^2, so a kernel should sum to 1
/// (normalize = sum).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_convolve_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// the algorithm; all obey the same contract. AG_CONVOLVE_AUTO by default. A change makes prepare plan again.
    pub method: ag_convolve_method,
    /// what lies outside the image. AG_BORDER_ZERO by default. A change makes prepare plan again.
    pub border: ag_border,
    /// divide the kernel by each channel's sum. AG_NORMALIZE_NONE by default. A change makes the kernel again.
    pub normalize: ag_normalize,
    /// correlate instead of convolve. 0 by default. A change makes prepare plan again.
    pub correlate: i32,
    /// copy alpha, or convolve it too. AG_ALPHA_COPY by default. A change makes prepare plan again.
    pub alpha: ag_alpha,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default. A change makes the kernel again.
    pub scrub: i32,
    /// of spectra between the passes: compact is 16 bits a component. AG_STORAGE_FULL by default. A change makes prepare plan again.
    pub storage: ag_storage,
    /// blur, or undo a known blur by Wiener's filter. AG_OPERATION_CONVOLVE by default. A change makes prepare plan again.
    pub operation: ag_operation,
    /// of deconvolve, above 0 there: how much noise there is in the image. 0.1 by default; 0 to 1e6. A change makes the kernel again.
    pub noise: f32,
    /// of deconvolve: what lies outside is unknown, or is as border says. AG_EDGES_TAPER by default. A change makes prepare plan again.
    pub edges: ag_edges,
}

/// A change of wavelet needs a new prepare only with dwt, one of sigma only to or from 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_denoise_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// the transform; ti_haar: the mean over all shifts. AG_DENOISE_TI_HAAR by default. A change makes prepare plan again.
    pub filter: ag_denoise_filter,
    /// of the transform; noise coarser than 2^levels texels stays. blocks: 1 = one step. 5 by default; 1 to 6. A change makes prepare plan again.
    pub levels: i32,
    /// what is removed of a coefficient. AG_DENOISE_FIRM by default. A change makes prepare plan again.
    pub threshold: ag_denoise_threshold,
    /// how large thresholds are; given: strength times sigma. AG_DENOISE_NOISE by default. A change makes prepare plan again.
    pub rule: ag_denoise_rule,
    /// factor of the thresholds; with rule = given the threshold in units of sigma. 1 by default; 0 to 100.
    pub strength: f32,
    /// the noise's standard deviation, in units of y; 0: estimated. 0 by default; 0 to 1e6. A change makes prepare plan again.
    pub sigma: f32,
    /// factor of the thresholds of the two chroma components. 1.2 by default; 0 to 100.
    pub chroma: f32,
    /// how much of the result replaces the image. 1 by default; 0 to 1.
    pub amount: f32,
    /// the scale in which noise is the same everywhere. AG_DENOISE_LINEAR by default. A change makes prepare plan again.
    pub space: ag_denoise_space,
    /// log: where it becomes linear; anscombe: variance by signal. 0.01 by default; 1e-6 to 1e6.
    pub gain: f32,
    /// anscombe: variance of the noise at x = 0, black. 0 by default; 0 to 1e6.
    pub offset: f32,
    /// how fast estimates, sigma and V, follow a change of noise. 4 by default; 0 to 1000 1/s.
    pub adapt: f32,
    /// atrous: exponent of the cosine between normals. 64 by default; 0 to 1024.
    pub edge_normal: f32,
    /// atrous, history: how far depth may be off, in slopes. 2 by default; 0.01 to 1000.
    pub edge_depth: f32,
    /// with history: most frames that count. 16 by default; 1 to 256.
    pub frames: f32,
    /// with history: how many deviations it may be from the 5 x 5 texels around. 2 by default; 0.5 to 100.
    pub clamp: f32,
    /// count before each filtering, from this image alone, by further dispatches. 0 by default. A change makes prepare plan again.
    pub exact: i32,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
    /// dwt: the transform; cdf53 and cdf97 are biorthogonal. AG_WAVELET_CDF97 by default. A change makes prepare plan again.
    pub wavelet: ag_wavelet_filter,
    /// atrous: how many times as bright as those around it a texel may be; 0: any. 0 by default; 0 to 1000.
    pub firefly: f32,
}

/// far_plane is above near_plane, or 0. shape and storage are those of tables; blades, roundness,
/// rotation and squeeze those of gather, as bloom has them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_depth_of_field_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// what is in focus: a distance, or what a point or an area of the frame shows. AG_FOCUS_DISTANCE by default. A change makes prepare plan again.
    pub focus: ag_focus,
    /// in focus; autofocus: until the area shows something. 10 by default; 0.001 to 1e6 m.
    pub focus_distance: f32,
    /// of the point, or of the area's middle, across src's rectangle; 0 left, 1 right. 0.5 by default; 0 to 1.
    pub focus_x: f32,
    /// of the point or middle; 0 at row 0. 0.5 by default; 0 to 1.
    pub focus_y: f32,
    /// focal length over the lens's diameter; less blurs more. 2.8 by default; 0.5 to 64.
    pub f_number: f32,
    /// of the lens; more blurs more. 50 by default; 1 to 2000 mm.
    pub focal_length: f32,
    /// that the frame's height shows. 24 by default; 1 to 1000 mm.
    pub sensor_height: f32,
    /// what depth holds: 0..1 from near to far, 1..0, or metres. AG_ENCODING_FORWARD by default.
    pub encoding: ag_encoding,
    /// of the camera; not for linear. 0.1 by default; 0.001 to 1e6 m.
    pub near_plane: f32,
    /// of the camera, 0 = infinitely far; not for linear. 1000 by default; 0 to 1e9 m.
    pub far_plane: f32,
    /// larger blurs are cut. 32 by default; 1 to 128 texels.
    pub max_radius: f32,
    /// of the light of a point: 1, 3 or 7 boxes. AG_SHAPE_DISC by default. A change makes prepare plan again.
    pub shape: ag_focus_shape,
    /// precision of the tables. AG_FOCUS_FLOAT32 by default. A change makes prepare plan again.
    pub storage: ag_focus_storage,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
    /// what makes the blur. AG_FOCUS_AUTO by default. A change makes prepare plan again.
    pub method: ag_focus_method,
    /// of the iris, 3 or more; 0 = a round opening. 0 by default; 0 to 11. A change makes prepare plan again.
    pub blades: i32,
    /// of the iris: 0 = straight blades, 1 = a circle. 0 by default; 0 to 1. A change makes prepare plan again.
    pub roundness: f32,
    /// of the iris, from +x to +y. 0 by default; -360 to 360 degrees. A change makes prepare plan again.
    pub rotation: f32,
    /// of an anamorphic lens: how many times taller than wide its discs are. 1 by default; 1 to 2. A change makes prepare plan again.
    pub squeeze: f32,
    /// of autofocus's area, as a share of src's rectangle; 0 = one texel. 0.1 by default; 0 to 1.
    pub focus_width: f32,
    /// of the area; 0 = one texel. 0.1 by default; 0 to 1.
    pub focus_height: f32,
    /// of autofocus: each second what is left to go shrinks by e to this power. 3 by default; 0 to 1000 1/s.
    pub focus_speed: f32,
}

/// levels: at least 2 if the first level of dst is a copy of src.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_depth_pyramid_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// minimum, maximum, or both in r and g. AG_DEPTH_MIN by default. A change makes prepare plan again.
    pub reduce: ag_depth_reduce,
    /// levels of dst to write, 0 for all down to 1x1. 0 by default; 0 to 17. A change makes prepare plan again.
    pub levels: i32,
    /// ag_health counts texels that are NaN; they are skipped in any case. 1 by default.
    pub scrub: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_downsample_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// what becomes of the texels that an output covers. AG_DOWN_AREA by default. A change makes prepare plan again.
    pub filter: ag_down_filter,
    /// of area: equal, against fireflies, or colour by alpha. AG_DOWN_WEIGHT_NONE by default. A change makes prepare plan again.
    pub weight: ag_down_weight,
    /// of area: how it is computed. AG_DOWN_AUTO by default. A change makes prepare plan again.
    pub method: ag_down_method,
    /// of lanczos, stretched by the ratio. 3 by default; 2 to 3 lobes. A change makes prepare plan again.
    pub radius: i32,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_exposure_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// luminance that the mean is brought to. 0.18 by default; 0.001 to 1.
    pub key: f32,
    /// added to the exposure; more is brighter. 0 by default; -16 to 16 EV.
    pub compensation: f32,
    /// log2 of luminance where the histogram begins. -16 by default; -64 to 64 EV. A change makes prepare plan again.
    pub min_ev: f32,
    /// where it ends, at least 1 above min_ev. 16 by default; -64 to 64 EV. A change makes prepare plan again.
    pub max_ev: f32,
    /// share of the weights that is cut off as too dark. 0.1 by default; 0 to 1.
    pub low: f32,
    /// share above which weights are too bright; above low. 0.9 by default; 0 to 1.
    pub high: f32,
    /// how much less corners weigh than the centre; 1: they have no weight. 0 by default; 0 to 1.
    pub center: f32,
    /// adapting to a brighter scene: the exposure falls. 3 by default; 0 to 1000 1/s.
    pub speed_up: f32,
    /// adapting to a darker scene: the exposure rises. 1 by default; 0 to 1000 1/s.
    pub speed_down: f32,
    /// leave out bad texels (NaN, Inf, too large to sum); ag_health counts them. 1 by default.
    pub scrub: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_fft_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// to frequencies, or back. AG_FFT_FORWARD by default. A change makes prepare plan again.
    pub direction: ag_fft_direction,
    /// which direction divides by the number of points; numpy.fft's names. AG_FFT_NORM_BACKWARD by default. A change makes prepare plan again.
    pub norm: ag_fft_norm,
    /// all frequencies, or those of real data that mirror no other. AG_FFT_FULL by default. A change makes prepare plan again.
    pub spectrum: ag_fft_spectrum,
    /// where the spectrum has frequency 0: at texel 0, or in the middle. AG_FFT_CORNER by default. A change makes prepare plan again.
    pub origin: ag_fft_origin,
    /// which axes are transformed. AG_FFT_BOTH by default. A change makes prepare plan again.
    pub axes: ag_fft_axes,
    /// the spectrum's real and imaginary parts: each a texture, or RGBA and RG. AG_FFT_PLANES by default. A change makes prepare plan again.
    pub packing: ag_fft_packing,
    /// how lines are transformed. AG_FFT_AUTO by default. A change makes prepare plan again.
    pub method: ag_fft_method,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
}

/// low is below high. A change of scrub needs a new prepare only with shape = mask.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_filter_spectrum_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// which frequencies pass. AG_FILTER_SPECTRUM_LOWPASS by default. A change makes prepare plan again.
    pub shape: ag_filter_spectrum_shape,
    /// how the filter falls off at its cut-offs. AG_PROFILE_GAUSSIAN by default. A change makes the kernel again.
    pub profile: ag_profile,
    /// of the profile butterworth. 2 by default; 1 to 16. A change makes the kernel again.
    pub order: i32,
    /// of lowpass and highpass. 0.1 by default; 0.0005 to 1 cycles/texel. A change makes prepare plan again.
    pub cutoff: f32,
    /// lower cut-off of bandpass and notch. 0.1 by default; 0.0005 to 1 cycles/texel. A change makes prepare plan again.
    pub low: f32,
    /// upper cut-off of bandpass and notch. 0.2 by default; 0.0005 to 1 cycles/texel. A change makes prepare plan again.
    pub high: f32,
    /// what lies outside the image. AG_BORDER_MIRROR by default. A change makes prepare plan again.
    pub border: ag_border,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default. A change makes the kernel again.
    pub scrub: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_local_stats_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// r, half the box less half a texel; any real number. 8 by default; 0 to 16384 texels.
    pub radius: f32,
    /// what lies outside the image. AG_BORDER_CLAMP by default. A change makes prepare plan again.
    pub border: ag_border,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
}

/// scrub: mean takes such a texel as 0; other reductions only count texels with NaN.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_mipchain_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// what becomes of the texels of a box. AG_MIP_MEAN by default. A change makes prepare plan again.
    pub reduce: ag_mip_reduce,
    /// of mean: equal, against fireflies, by alpha, or by alpha and with its coverage. AG_MIP_WEIGHT_NONE by default. A change makes prepare plan again.
    pub weight: ag_mip_weight,
    /// levels to make, at most all; 0 for all down to 1x1. 0 by default; 0 to 16. A change makes prepare plan again.
    pub levels: i32,
    /// each level from the one above, or as the mean of level 0. AG_MIP_RECURSIVE by default. A change makes prepare plan again.
    pub exactness: ag_mip_exactness,
    /// that alpha is tested against, for coverage. 0.5 by default; 0.004 to 1.
    pub reference: f32,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
}

/// time: a float is exact to 1 ms up to 8192 s: pass the time modulo the period.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_ocean_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// texels a side of each cascade. AG_OCEAN_256 by default. A change makes prepare plan again.
    pub size: ag_ocean_size,
    /// patches of different lengths, to be added. 3 by default; 1 to 3. A change makes prepare plan again.
    pub cascades: i32,
    /// L of the patches, each less than the one before. 400, 54.8, 8.98 by default; 0.1 to 100000 m. A change makes the kernel again.
    pub lengths: [f32; 3],
    /// how the energy is shared among waves. AG_OCEAN_TMA by default. A change makes the kernel again.
    pub spectrum: ag_ocean_spectrum,
    /// ten metres above the sea; 0 = no waves. 10 by default; 0 to 80 m/s. A change makes the kernel again.
    pub wind_speed: f32,
    /// where waves go, from +x towards +z. 0 by default; -360 to 360 degrees. A change makes the kernel again.
    pub wind_direction: f32,
    /// of water that the wind blows over. 300000 by default; 100 to 1e8 m. A change makes the kernel again.
    pub fetch: f32,
    /// of the water. 200 by default; 0.1 to 1e6 m. A change makes the kernel again.
    pub depth: f32,
    /// how peaked the spectrum is. 3.3 by default; 1 to 7. A change makes the kernel again.
    pub gamma: f32,
    /// longer and more parallel crests. 0 by default; 0 to 1. A change makes the kernel again.
    pub swell: f32,
    /// 0 = waves go everywhere alike. 1 by default; 0 to 1. A change makes the kernel again.
    pub directionality: f32,
    /// how sharp crests are. 1 by default; 0 to 4.
    pub choppiness: f32,
    /// of the sea. 0 by default; -1e6 to 1e6 s.
    pub time: f32,
    /// after which the sea repeats. 256 by default; 1 to 100000 s. A change makes the kernel again.
    pub period: f32,
    /// another seed is another sea. 1 by default; 0 to 2147483647. A change makes the kernel again.
    pub seed: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_sat_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// what the table is made of; auto: the cheapest within tolerance. AG_SAT_AUTO by default. A change makes prepare plan again.
    pub storage: ag_sat_storage,
    /// taken off every texel first. AG_SAT_OFFSET_NONE by default. A change makes prepare plan again.
    pub offset: ag_sat_offset,
    /// one table, or four from the centre outward. AG_SAT_CORNER by default. A change makes prepare plan again.
    pub origin: ag_sat_origin,
    /// exclusive: a row and a column of zeros first. AG_SAT_INCLUSIVE by default. A change makes prepare plan again.
    pub edge: ag_sat_edge,
    /// a table of squares, too, from the same reads. 0 by default. A change makes prepare plan again.
    pub square: i32,
    /// of uint32 after the point; -1: as many as max_value and max_box allow. -1 by default; -1 to 24 bits. A change makes prepare plan again.
    pub fraction_bits: i32,
    /// no texel is larger; at least 2^-20. 1 by default; 9.5367431640625e-07 to 65504. A change makes prepare plan again.
    pub max_value: f32,
    /// side of the smallest box of a query. 9 by default; 1 to 16384 texels. A change makes prepare plan again.
    pub min_box: i32,
    /// side of the largest box; 0: the image. 0 by default; 0 to 16384 texels. A change makes prepare plan again.
    pub max_box: i32,
    /// error of the mean of a box of min_box x min_box, for storage = auto; 0: any. 1 / 255.0 by default; 0 to 65504. A change makes prepare plan again.
    pub tolerance: f32,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_sat_question {
    /// must be sizeof(ag_sat_question): else the error is infinite, and no
    /// number of bits and no storage fits
    pub struct_size: u32,
    /// of the image, in texels
    pub width: i32,
    /// of the image, in texels
    pub height: i32,
    /// sides of the smallest and the largest box; max_box 0: the image
    pub min_box: i32,
    /// sides of the smallest and the largest box; max_box 0: the image
    pub max_box: i32,
    /// 1: 8-bit texels, not sRGB: uint32 sums their codes
    pub codes: i32,
    /// as in ag_sat_settings
    pub fraction_bits: i32,
    /// as in ag_sat_settings
    pub offset: i32,
    /// as in ag_sat_settings
    pub origin: i32,
    /// 1: the table of squares is made, too
    pub square: i32,
    /// texels are within 0..max_value. Members outside the ranges of
    /// ag_sat_settings give meaningless results
    pub max_value: f64,
}

/// to_light is `matrix` above. far_plane is above near_plane; keep it tight, because depths have 16
/// bits. max_box is at least min_box.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_soft_shadow_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// from the frame (x, y in 0..1, depth) to the map, column by column. An identity by default; -1e9 to 1e9.
    pub to_light: [f32; 16],
    /// what depth holds: what its projection stores, or metres. AG_SHADOW_VIEW_STORED by default.
    pub view: ag_shadow_view,
    /// directional: an orthographic map; spot: perspective. AG_SHADOW_DIRECTIONAL by default.
    pub light: ag_shadow_light,
    /// what src holds: 0..1 from near to far, 1..0, or metres. AG_SHADOW_FORWARD by default.
    pub encoding: ag_shadow_encoding,
    /// of the light's camera. 0.1 by default; 0.001 to 1e6 m.
    pub near_plane: f32,
    /// of the light's camera; keep it tight. 100 by default; 1e-3 to 1e7 m.
    pub far_plane: f32,
    /// that the map's width shows; of spot at 1 m. 50 by default; 1e-3 to 1e6 m.
    pub map_width: f32,
    /// across a directional light; the sun has 0.53. 0.53 by default; 0 to 90 degrees.
    pub light_angle: f32,
    /// of a spot: a square of this side. 0.2 by default; 0 to 1000 m.
    pub light_width: f32,
    /// shares of light below this become 0. 0.2 by default; 0 to 0.9.
    pub bleed: f32,
    /// towards the light, against shadows of a surface on itself. 0.02 by default; 0 to 100 m.
    pub bias: f32,
    /// of the map: the softness of a contact. 3 by default; 2 to 255 texels.
    pub min_box: f32,
    /// of the map, at least min_box: wider penumbrae are cut. 63 by default; 2 to 255 texels.
    pub max_box: f32,
    /// ag_health counts non-finite depths of the map; they are far in either case. 1 by default.
    pub scrub: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_spectrum_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// a spectrum for each channel, or one of luminance. AG_SPECTRUM_EACH by default.
    pub channels: ag_spectrum_channels,
    /// fade the image out towards its edges first. AG_WINDOW_NONE by default.
    pub window: ag_window,
    /// a scale in dB instead of plain magnitudes. 1 by default.
    pub log: i32,
    /// from 0 to 1 on that scale. 100 by default; 1 to 400 dB.
    pub range: f32,
    /// of the magnitudes, before the scale. 0 by default; -200 to 200 dB.
    pub gain: f32,
    /// frequency 0 in the middle, texel (W/2, H/2), instead of at texel (0, 0). 1 by default.
    pub centred: i32,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ag_wavelet_settings {
    /// sizeof this struct
    pub struct_size: u32,
    /// of which effect these settings are
    pub tag: u32,
    /// image to coefficients, or back. AG_WAVELET_FORWARD by default. A change makes prepare plan again.
    pub direction: ag_wavelet_direction,
    /// the filters; cdf53 and cdf97 are biorthogonal; custom: from the slot taps. AG_WAVELET_HAAR by default. A change makes prepare plan again.
    pub wavelet: ag_wavelet_filter,
    /// what lies outside of the image; reflect is the mirror of other effects. AG_WAVELET_PERIODIZATION by default. A change makes prepare plan again.
    pub border: ag_wavelet_border,
    /// how often the approximation is split again. 1 by default; 1 to 14. A change makes prepare plan again.
    pub levels: i32,
    /// of coefficients: one picture, or an array layer a band. AG_WAVELET_PYRAMID by default. A change makes prepare plan again.
    pub layout: ag_wavelet_layout,
    /// keep every coefficient of each level: bands as large as the image. 0 by default. A change makes prepare plan again.
    pub stationary: i32,
    /// bad texels (NaN, Inf, too large to sum) count as 0; ag_health counts them. 1 by default.
    pub scrub: i32,
}

sized! {ag_effect_info, ag_message, ag_span, ag_host, ag_device_desc, ag_texture, ag_buffer, ag_gl_state, ag_job, ag_plan, ag_stats, ag_health, ag_reload, ag_sat_question}
