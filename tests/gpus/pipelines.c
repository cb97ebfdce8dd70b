// pipelines.c - SPIR-V compute shaders through a Vulkan driver, and what its compiler says of them
// SPDX-License-Identifier: MIT
//
//   pipelines [--wave N] FILE.spv ...
//
// Prints a line for each file: its path, then NAME=VALUE for each statistic of
// VK_KHR_pipeline_executable_properties, names with _ for blanks. --wave: subgroups of N threads.
// RADV needs no GPU: with RADV_FORCE_FAMILY it compiles for the chip of that name, and runs none.
// Bindings are those of tests/gpus/run's glslangValidator: images from 0, textures from 16, buffers
// from 32, loose uniforms in a block at 60.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum { BINDINGS = 64, ARRAY = 8, STATISTICS = 64 };

static void must(VkResult result, const char *what)
{
    if (result >= 0)
        return;
    fprintf(stderr, "pipelines: %s: error %d\n", what, result);
    exit(1);
}

static VkDevice open_device(VkPhysicalDevice *physical)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &app};
    VkInstance instance;
    must(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
    uint32_t count = 1;
    must(vkEnumeratePhysicalDevices(instance, &count, physical), "vkEnumeratePhysicalDevices");
    if (!count)
        must(VK_ERROR_INITIALIZATION_FAILED, "no device");
    VkPhysicalDeviceVulkan13Features wanted = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR says = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pNext = &wanted};
    VkPhysicalDeviceFeatures2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                     .pNext = &says};
    vkGetPhysicalDeviceFeatures2(*physical, &all); // all that it has
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const char *extensions[] = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME};
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &all,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = extensions};
    VkDevice device;
    must(vkCreateDevice(*physical, &create, NULL, &device), "vkCreateDevice");
    return device;
}

static VkPipelineLayout make_layout(VkDevice device)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; ++i)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){.binding = i,
                                           .descriptorType =
                                               i < 16   ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                                               : i < 32 ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                                               : i < 60 ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                                                        : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                           .descriptorCount = ARRAY,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindings = bindings};
    VkDescriptorSetLayout made;
    must(vkCreateDescriptorSetLayout(device, &set, NULL, &made), "vkCreateDescriptorSetLayout");
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &made};
    VkPipelineLayout layout;
    must(vkCreatePipelineLayout(device, &info, NULL, &layout), "vkCreatePipelineLayout");
    return layout;
}

static uint32_t *read_words(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    uint32_t *words = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        *bytes = (size_t)ftell(file);
        rewind(file);
        words = malloc(*bytes + 1);
        if (words && fread(words, 1, *bytes, file) != *bytes)
            *bytes = 0;
    }
    if (!words || !*bytes || *bytes % 4) {
        fprintf(stderr, "pipelines: %s cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    return words;
}

static void print_statistics(VkDevice device, VkPipeline pipeline)
{
    VkPipelineExecutableStatisticKHR rows[STATISTICS];
    for (int i = 0; i < STATISTICS; ++i)
        rows[i] = (VkPipelineExecutableStatisticKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    const VkPipelineExecutableInfoKHR which = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline};
    uint32_t count = STATISTICS;
    PFN_vkGetPipelineExecutableStatisticsKHR get = (PFN_vkGetPipelineExecutableStatisticsKHR)
        vkGetDeviceProcAddr(device, "vkGetPipelineExecutableStatisticsKHR");
    must(get(device, &which, &count, rows), "vkGetPipelineExecutableStatisticsKHR");
    for (uint32_t i = 0; i < count; ++i) {
        for (char *c = rows[i].name; *c; ++c)
            *c = *c == ' ' ? '_' : *c;
        if (rows[i].format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR)
            printf(" %s=%g", rows[i].name, rows[i].value.f64);
        else
            printf(" %s=%llu", rows[i].name, (unsigned long long)rows[i].value.u64);
    }
}

int main(int argc, char **argv)
{
    int first = 1;
    uint32_t wave = 0;
    if (argc > 2 && strcmp(argv[1], "--wave") == 0) {
        wave = (uint32_t)atoi(argv[2]);
        first = 3;
    }
    VkPhysicalDevice physical;
    VkDevice device = open_device(&physical);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical, &properties);
    printf("# %s\n", properties.deviceName);
    VkPipelineLayout layout = make_layout(device);
    for (int i = first; i < argc; ++i) {
        size_t bytes;
        uint32_t *words = read_words(argv[i], &bytes);
        const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                               .codeSize = bytes,
                                               .pCode = words};
        VkShaderModule shader;
        must(vkCreateShaderModule(device, &code, NULL, &shader), argv[i]);
        const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
            .requiredSubgroupSize = wave};
        const VkComputePipelineCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .pNext = wave ? &size : NULL,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = shader,
                      .pName = "main"},
            .layout = layout};
        VkPipeline pipeline;
        must(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), argv[i]);
        printf("%s", argv[i]);
        print_statistics(device, pipeline);
        puts("");
        vkDestroyPipeline(device, pipeline, NULL);
        vkDestroyShaderModule(device, shader, NULL);
        free(words);
    }
    return 0;
}
