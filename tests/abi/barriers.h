// barriers.h - barriers of each job when effects placed them by hand; test_barriers says how to read it
// SPDX-License-Identifier: MIT
static const char *const barriers_before[][2] = {
    {"bloom", "33-3334333663----4444444444774----"},
    {"convolve", "31311333333-331311333333-3"},
    {"mipchain", "111-111421111-111421"},
    {"depth_pyramid", "11-111-1"},
    {"spectrum", "333333333333"},
    {"filter_spectrum", "3333-33333333333333333"},
    {"ocean", "2-----22-----2"},
    {"sat", "222-----------2----3-2--2-------------------------"},
    {"box_blur", "666-6666333-3333"},
    {"local_stats", "6-6-666-6-66"},
    {"exposure", "2222"},
    {"downsample", "11112111111111111211111111"},
    {"wavelet", "1-111111-111--1-11-111111-111--1-1"},
    {"fft", "2222-211-28----22222-211-28----2"},
    {"depth_of_field", "gggggggggggggggg"},
    {"soft_shadow", "777777777777"},
    {"denoise", "116711111111131111111--8------------------"},
};
