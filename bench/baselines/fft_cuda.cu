// fft_cuda.cu - the same convolutions by cuFFT, and by VkFFT where its headers are
// SPDX-License-Identifier: MIT
//
//   fft_cuda cufft|vkfft FILE.json [--quick]
//
// Both work on three planes of floats: forward, times the kernel's spectrum, inverse; no texture
// and no alpha at either end. cuFFT: R2C, a multiplication of ours, C2R. VkFFT: its fused
// convolution, in place. Spectra are ready. Measured as demo/common/gpu_time.c does: 2 ms of other
// work queued before the first event, 120 ms of warm-up with the same work. Errors: against cuFFT
// in double precision.
//
// bench/run compiles it, with -DBENCH_VKFFT where VkFFT's headers are, runs it once for each, so
// that the failure of one loses nothing of the other, and merges the rows.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>
#include <cufft.h>

#ifdef BENCH_VKFFT
#define VKFFT_BACKEND 1
#include "vkFFT.h"
#endif

namespace {
const int PLANES = 3, SAMPLES = 50, MAX_SETS = 64;
const double WARM_UP_S = 0.12, COLD_BYTES = 256e6;
const long long SPIN_CYCLES = 4000000; // 2 ms at 2 GHz

template <typename T> void must(T result, const char *what)
{
    if (static_cast<int>(result) == 0)
        return;
    std::fprintf(stderr, "fft_cuda: %s failed: %d\n", what, static_cast<int>(result));
    std::exit(1);
}

template <typename T> T *device_array(size_t count)
{
    void *memory = nullptr;
    must(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
    return static_cast<T *>(memory);
}

// ---- time --------------------------------------------------------------------------------------

__global__ void spin(long long cycles)
{
    for (long long start = clock64(); clock64() - start < cycles;)
        ;
}

double now_s()
{
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

struct times { // in microseconds
    double min, median, p95, cpu;
};

// `work(turn)` launches one execution.
template <typename F> times time_of(F work)
{
    cudaEvent_t events[2 * SAMPLES];
    for (cudaEvent_t &event : events)
        must(cudaEventCreate(&event), "cudaEventCreate");
    int turn = 0;
    for (double start = now_s(); now_s() - start < WARM_UP_S;) {
        for (int i = 0; i < 16; i++)
            work(turn++);
        must(cudaDeviceSynchronize(), "warm-up");
    }
    std::vector<double> gpu, cpu;
    for (int i = 0; i < SAMPLES; i++) {
        spin<<<1, 1>>>(SPIN_CYCLES);
        cudaEventRecord(events[2 * i]);
        double start = now_s();
        work(turn++);
        cpu.push_back((now_s() - start) * 1e6);
        cudaEventRecord(events[2 * i + 1]);
    }
    must(cudaDeviceSynchronize(), "samples");
    for (int i = 0; i < SAMPLES; i++) {
        float ms = 0;
        cudaEventElapsedTime(&ms, events[2 * i], events[2 * i + 1]);
        gpu.push_back(ms * 1e3);
    }
    for (cudaEvent_t event : events)
        cudaEventDestroy(event);
    std::sort(gpu.begin(), gpu.end());
    std::sort(cpu.begin(), cpu.end());
    return {gpu[0], (gpu[SAMPLES / 2 - 1] + gpu[SAMPLES / 2]) / 2,
            gpu[(95 * SAMPLES + 99) / 100 - 1], cpu[SAMPLES / 2]};
}

// ---- data --------------------------------------------------------------------------------------

uint32_t hash(uint32_t v) // PCG, O'Neill 2014
{
    uint32_t s = v * 747796405u + 2891336453u, w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
    return (w >> 22) ^ w;
}

std::vector<float> scene(int width, int height)
{
    std::vector<float> out(size_t(PLANES) * width * height);
    for (size_t i = 0; i < out.size(); i++)
        out[i] = float(1 + hash(uint32_t(i)) % 1024) / 1024;
    return out;
}

// Three planes that fall off from (0, 0), around the edges too; each sums to 1.
std::vector<float> kernel_image(int width, int height)
{
    std::vector<float> out(size_t(PLANES) * width * height);
    double radius = std::min(width, height) / 8.0;
    for (int c = 0; c < PLANES; c++) {
        float *plane = &out[size_t(c) * width * height];
        double sum = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double dx = std::min(x, width - x), dy = std::min(y, height - y);
                double r2 = (dx * dx + dy * dy) / (radius * radius);
                size_t at = size_t(y) * width + x;
                double noise = 0.5 + hash(uint32_t(4 * at + c)) / 4294967296.0;
                plane[at] = float(noise / (1 + (8 + 4 * c) * r2));
                sum += plane[at];
            }
        }
        for (size_t i = 0; i < size_t(width) * height; i++)
            plane[i] = float(plane[i] / sum);
    }
    return out;
}

struct problem {
    const char *effect;
    int width, height; // the row's size in the report
    int w, h;          // of the transform: padded for bloom
    std::vector<float> image, kernel;
    std::vector<double> expected;

    size_t plane() const
    {
        return size_t(w) * h;
    }
    size_t half_plane() const
    {
        return size_t(w / 2 + 1) * h;
    }
};

struct accuracy {
    double snr_db, max_error;
};

accuracy compare(const problem &p, const std::vector<float> &result)
{
    double signal = 0, noise = 0, worst = 0; // the scene's peak and the kernel's sum are 1
    for (size_t i = 0; i < p.expected.size(); i++) {
        double error = result[i] - p.expected[i];
        signal += p.expected[i] * p.expected[i];
        noise += error * error;
        worst = std::fabs(error) <= worst ? worst : std::fabs(error);
    }
    // JSON has no NaN; a result that is none is as far off as can be.
    bool is_result = std::isfinite(noise) && noise > 0;
    return is_result ? accuracy{10 * std::log10(signal / noise), worst} : accuracy{-999, 999};
}

// ---- cuFFT -------------------------------------------------------------------------------------

// Per type: the transform's names, so that the reference is the same code in double.
struct single {
    typedef float real;
    typedef cufftComplex complex;
    static const cufftType forward = CUFFT_R2C, back = CUFFT_C2R;
    static void run(cufftHandle plan, real *in, complex *out)
    {
        cufftExecR2C(plan, in, out);
    }
    static void run(cufftHandle plan, complex *in, real *out)
    {
        cufftExecC2R(plan, in, out);
    }
};
struct twofold {
    typedef double real;
    typedef cufftDoubleComplex complex;
    static const cufftType forward = CUFFT_D2Z, back = CUFFT_Z2D;
    static void run(cufftHandle plan, real *in, complex *out)
    {
        cufftExecD2Z(plan, in, out);
    }
    static void run(cufftHandle plan, complex *in, real *out)
    {
        cufftExecZ2D(plan, in, out);
    }
};

template <typename C, typename R>
__global__ void multiply(C *spectrum, const C *kernel, size_t count, R scale)
{
    size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    C a = spectrum[i], b = kernel[i];
    spectrum[i] = {(a.x * b.x - a.y * b.y) * scale, (a.x * b.y + a.y * b.x) * scale};
}

template <typename T> class cufft_convolution {
  public:
    typedef typename T::real real;
    typedef typename T::complex complex;

    explicit cufft_convolution(const problem &p)
        : count(PLANES * p.half_plane()), scale(real(1.0 / double(p.plane())))
    {
        int size[] = {p.h, p.w};
        must(cufftPlanMany(&forward, 2, size, nullptr, 1, 0, nullptr, 1, 0, T::forward, PLANES),
             "cufftPlanMany");
        must(cufftPlanMany(&back, 2, size, nullptr, 1, 0, nullptr, 1, 0, T::back, PLANES),
             "cufftPlanMany");
        spectrum = device_array<complex>(count);
        kernel = device_array<complex>(count);
        real *planes = upload(p.kernel);
        T::run(forward, planes, kernel);
        must(cudaDeviceSynchronize(), "the kernel's spectrum");
        cudaFree(planes);
    }
    ~cufft_convolution()
    {
        cufftDestroy(forward);
        cufftDestroy(back);
        cudaFree(spectrum);
        cudaFree(kernel);
    }
    static real *upload(const std::vector<float> &values)
    {
        std::vector<real> converted(values.begin(), values.end());
        real *out = device_array<real>(values.size());
        cudaMemcpy(out, converted.data(), values.size() * sizeof(real), cudaMemcpyHostToDevice);
        return out;
    }
    static std::vector<real> download(const real *from, size_t values)
    {
        std::vector<real> out(values);
        cudaMemcpy(out.data(), from, values * sizeof(real), cudaMemcpyDeviceToHost);
        return out;
    }
    void run(real *in, real *out) const
    {
        T::run(forward, in, spectrum);
        multiply<<<unsigned((count + 255) / 256), 256>>>(spectrum, kernel, count, scale);
        T::run(back, spectrum, out);
    }

  private:
    size_t count;
    real scale;
    cufftHandle forward, back;
    complex *spectrum, *kernel;
};

std::vector<double> expect(const problem &p)
{
    cufft_convolution<twofold> exact(p);
    double *in = exact.upload(p.image), *out = device_array<double>(p.image.size());
    exact.run(in, out);
    std::vector<double> result = exact.download(out, p.image.size());
    cudaFree(in);
    cudaFree(out);
    return result;
}

// ---- rows --------------------------------------------------------------------------------------

int sets_for(double bytes)
{
    return std::max(2, std::min(MAX_SETS, int(std::ceil(COLD_BYTES / bytes))));
}

void print_times(std::FILE *out, const char *key, const times &t)
{
    std::fprintf(out, "\"%s\": {\"min\": %.3f, \"median\": %.3f, \"p95\": %.3f, \"samples\": %d}, ",
                 key, t.min, t.median, t.p95, SAMPLES);
}

class row_writer {
  public:
    explicit row_writer(std::FILE *stream) : out(stream)
    {
    }

    void add(const problem &p, const char *subject, const char *variant, int sets, const times &hot,
             const times &cold, const accuracy &error)
    {
        std::printf("%-9s %4dx%-4d %-6s hot %8.1f us, cold %8.1f us, %.1f dB\n", p.effect, p.width,
                    p.height, subject, hot.median, cold.median, error.snr_db);
        std::fflush(stdout);
        std::fprintf(
            out,
            "%s\n    {\"effect\": \"%s\", \"subject\": \"%s\", \"variant\": \"%s\", "
            "\"width\": %d, \"height\": %d, \"plan\": \"transform of %d x %d, %d planes\", ",
            first ? "" : ",", p.effect, subject, variant, p.width, p.height, p.w, p.h, PLANES);
        print_times(out, "gpu_hot_us", hot);
        print_times(out, "gpu_cold_us", cold);
        std::fprintf(out,
                     "\"cold_sets\": %d, \"cpu_us\": %.3f, \"error_float\": {\"checked\": true, "
                     "\"snr_db\": %.2f, \"max_error\": %.4g}}",
                     sets, hot.cpu, error.snr_db, error.max_error);
        first = false;
    }

  private:
    std::FILE *out;
    bool first = true;
};

void bench_cufft(const problem &p, row_writer &rows)
{
    typedef cufft_convolution<single> convolution;
    convolution work(p);
    size_t values = p.image.size();
    std::vector<float *> in, out;
    for (int i = 0; i < sets_for(8.0 * double(values)); i++) {
        in.push_back(convolution::upload(p.image));
        out.push_back(device_array<float>(values));
    }
    work.run(in[0], out[0]);
    accuracy error = compare(p, convolution::download(out[0], values));
    times hot = time_of([&](int) { work.run(in[0], out[0]); });
    times cold = time_of([&](int turn) {
        size_t set = size_t(turn) % in.size();
        work.run(in[set], out[set]);
    });
    rows.add(p, "cufft", "fp32, 3 planes", int(in.size()), hot, cold, error);
    for (size_t i = 0; i < in.size(); i++) {
        cudaFree(in[i]);
        cudaFree(out[i]);
    }
}

// ---- VkFFT -------------------------------------------------------------------------------------

#ifdef BENCH_VKFFT
// Rows of VkFFT's real data in place are padded to w + 2 floats.
float *upload_padded(const problem &p, const std::vector<float> &values)
{
    size_t rows = size_t(PLANES) * p.h, pitch = (size_t(p.w) + 2) * sizeof(float);
    float *out = device_array<float>(rows * (size_t(p.w) + 2));
    must(cudaMemcpy2D(out, pitch, values.data(), p.w * sizeof(float), p.w * sizeof(float), rows,
                      cudaMemcpyHostToDevice),
         "upload");
    return out;
}

void bench_vkfft(const problem &p, CUdevice device, row_writer &rows)
{
    uint64_t bytes = uint64_t(PLANES) * p.h * (p.w + 2) * sizeof(float);
    void *kernel = upload_padded(p, p.kernel);
    VkFFTConfiguration config = {};
    config.FFTdim = 2;
    config.size[0] = p.w;
    config.size[1] = p.h;
    config.coordinateFeatures = PLANES;
    config.performR2C = 1;
    config.normalize = 1;
    config.device = &device;
    config.bufferSize = &bytes;
    config.kernelConvolution = 1; // lays the spectrum out as the convolution wants it
    config.buffer = &kernel;
    VkFFTApplication transform = {}, convolution = {};
    must(initializeVkFFT(&transform, config), "VkFFT, kernel");
    VkFFTLaunchParams launch = {};
    launch.buffer = &kernel;
    must(VkFFTAppend(&transform, -1, &launch), "VkFFT, kernel's transform");

    std::vector<void *> buffers;
    for (int i = 0; i < sets_for(double(bytes)); i++)
        buffers.push_back(upload_padded(p, p.image));
    config.kernelConvolution = 0;
    config.performConvolution = 1;
    config.matrixConvolution = 1; // plane by plane
    config.kernel = &kernel;
    config.kernelSize = &bytes;
    config.buffer = &buffers[0];
    must(initializeVkFFT(&convolution, config), "VkFFT, convolution");
    launch.kernel = &kernel;
    auto run = [&](size_t set) {
        launch.buffer = &buffers[set];
        must(VkFFTAppend(&convolution, -1, &launch), "VkFFTAppend");
    };
    run(0);
    std::vector<float> result(p.image.size());
    must(cudaMemcpy2D(result.data(), p.w * sizeof(float), buffers[0], (p.w + 2) * sizeof(float),
                      p.w * sizeof(float), size_t(PLANES) * p.h, cudaMemcpyDeviceToHost),
         "download");
    accuracy error = compare(p, result);
    times hot = time_of([&](int) { run(0); });
    times cold = time_of([&](int turn) { run(size_t(turn) % buffers.size()); });
    rows.add(p, "vkfft", "fp32, 3 planes, fused", int(buffers.size()), hot, cold, error);
    deleteVkFFT(&convolution);
    deleteVkFFT(&transform);
    for (void *buffer : buffers)
        cudaFree(buffer);
    cudaFree(kernel);
}
#else
void bench_vkfft(const problem &, CUdevice, row_writer &)
{
    std::fprintf(stderr, "fft_cuda: built without VkFFT\n");
    std::exit(1);
}
#endif

// Device to device, read + written, in GB/s.
double copy_gb_s()
{
    const size_t bytes = size_t(512) << 20;
    char *from = device_array<char>(bytes), *to = device_array<char>(bytes);
    times t = time_of([&](int) { cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice); });
    cudaFree(from);
    cudaFree(to);
    return 2.0 * double(bytes) / t.median * 1e-3;
}
} // namespace

int main(int argc, char **argv)
{
    // Transforms of bloom: the frame and half the kernel's extent of 0.3 of the height, made
    // smooth.
    const struct {
        const char *effect;
        int width, height, w, h;
    } cases[] = {
        {"convolve", 512, 512, 512, 512},     {"convolve", 1920, 1080, 1920, 1080},
        {"bloom", 1920, 1080, 2100, 1250},    {"convolve", 1024, 1024, 1024, 1024},
        {"convolve", 2048, 2048, 2048, 2048}, {"convolve", 3840, 2160, 3840, 2160},
        {"bloom", 3840, 2160, 4200, 2500},    {"convolve", 4096, 4096, 4096, 4096},
    };
    std::FILE *out = argc > 2 ? std::fopen(argv[2], "w") : nullptr;
    bool quick = argc > 3 && std::strcmp(argv[3], "--quick") == 0;
    bool vkfft = argc > 1 && std::strcmp(argv[1], "vkfft") == 0;
    if (!out) {
        std::fprintf(stderr, "usage: fft_cuda cufft|vkfft FILE.json [--quick]\n");
        return 2;
    }
    CUdevice device = 0;
    cudaDeviceProp properties;
    must(cudaSetDevice(0), "cudaSetDevice");
    must(cudaFree(nullptr), "CUDA's start");
    must(cuDeviceGet(&device, 0), "cuDeviceGet");
    must(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    std::fprintf(out,
                 "{\n  \"device\": \"%s\",\n  \"cuda\": %d,\n  \"copy_gb_s\": %.1f,\n  \"rows\": [",
                 properties.name, CUDART_VERSION, copy_gb_s());
    row_writer rows(out);
    int count = quick ? 3 : int(sizeof cases / sizeof *cases);
    for (int i = 0; i < count; i++) {
        problem p = {
            cases[i].effect, cases[i].width, cases[i].height, cases[i].w, cases[i].h, {}, {}, {}};
        p.image = scene(p.w, p.h);
        p.kernel = kernel_image(p.w, p.h);
        p.expected = expect(p);
        if (vkfft)
            bench_vkfft(p, device, rows);
        else
            bench_cufft(p, rows);
    }
    std::fprintf(out, "\n  ]\n}\n");
    return std::fclose(out) == 0 ? 0 : 1;
}
