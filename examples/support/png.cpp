// SPDX-License-Identifier: Apache-2.0
#include "support/png.h"

#include <png.h>

#include <cstdio>
#include <vector>

namespace example {

bool write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> pixels) {
    png_image image = {};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr)) {
        std::fprintf(stderr, "error: cannot write '%s': %s\n", path.c_str(), image.message);
        return false;
    }
    std::printf("wrote %s\n", path.c_str());
    return true;
}

bool write_png_of_rgba(const std::string& path, uint32_t width, uint32_t height,
                       std::span<const uint8_t> pixels) {
    std::vector<uint8_t> colours;
    for (size_t i = 0; i < pixels.size(); ++i)
        if (i % 4 != 3) colours.push_back(pixels[i]);
    return write_png(path, width, height, colours);
}

}  // namespace example
