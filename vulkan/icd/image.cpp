// SPDX-License-Identifier: Apache-2.0
// Images as objects (OpenCL API 5.3.1, 5.3.2, 5.3.8). image_commands.cpp has the commands on them.
#include "vulkan/icd/image.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/external.h"
#include "vulkan/icd/image_format.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/memory.h"
#include "vulkan/icd/shared_image.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/file_descriptor.h"
#include "vulkan/runtime/image_format.h"

namespace caldera::icd {

// ---- Image ----

bool Image::halves(size_t dimension) const {
    const bool is_layers = (desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY && dimension == 1) ||
                           (desc.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY && dimension == 2);
    return has(dimension) && !is_layers;
}

ImageLevel Image::level(size_t number) const {
    ImageLevel level{extent, layout};
    for (; number > 0; --number) {
        const size_t end =
            level.layout.offset + group.bytes_of(level.extent[0]) * level.extent[1] * level.extent[2];
        for (size_t d = 0; d < 3; ++d)
            if (halves(d)) level.extent[d] = std::max<size_t>(level.extent[d] / 2, 1);
        level.layout = packed_box({group.bytes_of(level.extent[0]), level.extent[1], level.extent[2]});
        level.layout.offset = end;
    }
    return level;
}

size_t Image::size_bytes() const {
    size_t bytes = 0;
    for (size_t number = 0; number < levels(); ++number) {
        const Size3 size = level(number).extent;
        bytes += group.bytes_of(size[0]) * size[1] * size[2];
    }
    return bytes;
}

ImageRegion Image::region(const size_t* origin, const size_t* region) const {
    require(origin && region, CL_INVALID_VALUE);
    const size_t number = has_levels() ? origin[dimensions_] : 0;
    require(number < levels(), CL_INVALID_MIP_LEVEL);
    const ImageLevel level = this->level(number);
    Size3 first = {};
    for (size_t d = 0; d < 3; ++d) {
        if (!has_levels() || d != dimensions_) first[d] = origin[d];
        require(region[d] != 0 && (has(d) || (first[d] == 0 && region[d] == 1)), CL_INVALID_VALUE);
        require(first[d] <= level.extent[d] && region[d] <= level.extent[d] - first[d], CL_INVALID_VALUE);
    }
    require(group.divides(first[0]) && group.divides(region[0]), CL_INVALID_VALUE);
    first[0] = group.bytes_of(first[0]);
    return {{group.bytes_of(region[0]), region[1], region[2]},
            level.layout.from(first),
            (has_levels() ? level.layout : host_layout).from(first)};
}

vulkan::ImageDescriptor Image::descriptor(const ImageLevel& level) const {
    const bool is_row_of_layers = desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const auto x = static_cast<uint32_t>(level.extent[0]), y = static_cast<uint32_t>(level.extent[1]),
               z = static_cast<uint32_t>(level.extent[2]);
    runtime::ImageSizes sizes{.width = x, .height = y, .depth = z};
    if (is_row_of_layers) sizes = {.width = x, .layers = y};
    if (desc.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY) sizes = {.width = x, .height = y, .layers = z};
    vulkan::ImageDescriptor descriptor =
        runtime::packed_image(format.image_channel_order, format.image_channel_data_type, sizes);
    descriptor.row_pitch_bytes = level.layout.row_pitch;
    descriptor.slice_pitch_bytes = is_row_of_layers ? level.layout.row_pitch : level.layout.slice_pitch;
    descriptor.num_mip_levels = static_cast<uint32_t>(levels());
    // Code that knows nothing of texels that share bytes stays within the row.
    if (group.is_shared()) descriptor.element_bytes = 1;
    return descriptor;
}

uint64_t Image::descriptor_address(const Context& context, uint64_t data_address, size_t place) {
    const std::lock_guard lock(mutex_);
    descriptors_.resize(context.places.size());
    runtime::Buffer& buffer = descriptors_[place];
    if (buffer.vk()) return buffer.address();
    std::vector<vulkan::ImageDescriptor> descriptors;
    for (size_t number = 0; number < levels(); ++number) {
        const ImageLevel level = this->level(number);
        descriptors.push_back(descriptor(level));
        descriptors.back().data_address = data_address + (level.layout.offset - layout.offset);
    }
    const std::span<const std::byte> bytes = std::as_bytes(std::span(descriptors));
    const Context::Place& where = context.places[place];
    buffer = take(runtime::Buffer::create(*where.opened, bytes.size()));
    take(where.transfers->upload(buffer, 0, bytes));
    take(where.transfers->finish());
    return buffer.address();
}

runtime::ImageArgument Image::argument(const Context& context, Storage& storage, size_t place) {
    const runtime::Buffer& texels = storage.on(place, {.are_written = false});
    runtime::ImageArgument argument{.descriptor = descriptor(level(0)),
                                    .texels = &texels,
                                    .offset_bytes = layout.offset,
                                    .format_number = format_number()};
    if (context.places[place].opened->has_addresses())
        argument.descriptor_address = descriptor_address(context, texels.address() + layout.offset, place);
    return argument;
}

VolumeForm Image::volume_form(runtime::Device& device) const {
    if (texture_shape() != vulkan::ImageShape::Image3D || has_levels()) return VolumeForm::Volume;
    return caldera::volume_form(device, format.image_channel_order, format.image_channel_data_type);
}

runtime::TexelRows Image::rows(const ImageLevel& level) const {
    const vulkan::ImageDescriptor pitches = descriptor(level);
    return {.offset_bytes = level.layout.offset,
            .row_texels = static_cast<uint32_t>(pitches.row_pitch_bytes / pitches.element_bytes),
            .slice_rows = static_cast<uint32_t>(pitches.slice_pitch_bytes / pitches.row_pitch_bytes)};
}

SharedPlace Image::shared_texture(runtime::Device& device, const ExternalMemory& external) const {
    const TexelsInMemory texels{
        .descriptor = descriptor(level(0)), .levels = {rows(level(0))}, .shape = texture_shape()};
    const runtime::TextureShape shape = icd::texture_shape(texels);
    const std::optional<runtime::SharedFormat> shared =
        runtime::shared_format(device.physical(), format.image_channel_order, format.image_channel_data_type,
                               shape.view, external.type);
    require(shared.has_value(), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    require(runtime::fits(shared->most, shape), CL_INVALID_IMAGE_SIZE);
    return {take_import(
                runtime::SharedTexture::import(device, *shared, shape, external.type, external.descriptor),
                CL_MEM_OBJECT_ALLOCATION_FAILURE),
            texels.levels[0]};
}

/// Locks the storage, so before the image.
std::optional<TexelsInMemory> Image::texels(Storage& storage, size_t place, vulkan::ImageShape shape) const {
    if (!can_have_textures() || texture_shape() != shape || storage.is_claimed()) return std::nullopt;
    TexelsInMemory found{.descriptor = descriptor(level(0)),
                         .buffer = &storage.on(place, {.are_written = false}),
                         .shape = shape,
                         .writes = storage.writes(),
                         .may_be_written = may_be_written && !has_levels() && storage.may_leave_texels(),
                         .uses = &storage.uses(place)};
    for (size_t number = 0; number < levels(); ++number) found.levels.push_back(rows(level(number)));
    return found;
}

ImageTexture& Image::texture(const Context& context, size_t place) {
    textures_.resize(context.places.size());
    return textures_[place];
}

std::optional<TexelsInMemory> Image::texels(const Context& context, Storage& storage, size_t place,
                                            vulkan::ImageShape shape) const {
    std::optional<TexelsInMemory> found = texels(storage, place, shape);
    if (found) found->has_slices = volume_form(*context.places[place].opened) == VolumeForm::Slices;
    return found;
}

std::optional<TextureInUse> Image::sampled(const Context& context, Storage& storage, size_t place,
                                           vulkan::ImageShape shape, runtime::Queue& queue,
                                           bool is_new_launch) {
    const std::optional<TexelsInMemory> image = texels(context, storage, place, shape);
    if (!image) return std::nullopt;
    const std::lock_guard lock(mutex_);
    return texture(context, place).newest(*context.places[place].opened, *image, queue, is_new_launch);
}

std::optional<TextureInUse> Image::writable(const Context& context, Storage& storage, size_t place,
                                            vulkan::ImageShape shape, runtime::Queue& queue) {
    const std::optional<TexelsInMemory> image = texels(context, storage, place, shape);
    if (!image) return std::nullopt;
    const std::lock_guard lock(mutex_);
    return texture(context, place).writable(*context.places[place].opened, *image, queue);
}

bool Image::is_better_written_there(Storage& storage, size_t place) {
    if (storage.has_texels_in_texture()) return true;
    const std::lock_guard lock(mutex_);
    return place < textures_.size() && textures_[place].was_sampled(storage.writes());
}

void Image::leave_in_texture(Storage& storage, size_t place) {
    const uint64_t writes = storage.note_write();
    const std::optional<TexelsInMemory> image = texels(storage, place, texture_shape());
    std::shared_ptr<const runtime::Texture> newest;
    {
        const std::lock_guard lock(mutex_);
        newest = textures_[place].note_write(writes);
    }
    storage.leave_texels_in({std::move(newest), image->levels[0]});
}

vulkan::ImageShape Image::texture_shape() const { return shape_of(desc.image_type); }

// ---- Creating ----

namespace {

/// The largest sizes of images of a type; 1 for those that they do not have.
struct ImageLimits {
    size_t width = 1, height = 1, depth = 1, layers = 1;
};

/// Throws CL_INVALID_IMAGE_DESCRIPTOR if there is no such type.
ImageLimits image_limits(cl_mem_object_type type, size_t max_texels) {
    switch (type) {
        case CL_MEM_OBJECT_IMAGE1D: return {.width = kMaxImageExtent};
        case CL_MEM_OBJECT_IMAGE1D_BUFFER: return {.width = max_texels};
        case CL_MEM_OBJECT_IMAGE1D_ARRAY: return {.width = kMaxImageExtent, .layers = kMaxImageLayers};
        case CL_MEM_OBJECT_IMAGE2D: return {.width = kMaxImageExtent, .height = kMaxImageExtent};
        case CL_MEM_OBJECT_IMAGE2D_ARRAY:
            return {.width = kMaxImageExtent, .height = kMaxImageExtent, .layers = kMaxImageLayers};
        case CL_MEM_OBJECT_IMAGE3D: return {kMaxImageDepth, kMaxImageDepth, kMaxImageDepth, 1};
        default: throw ApiError(CL_INVALID_IMAGE_DESCRIPTOR);
    }
}

struct Shape {
    size_t dimensions = 1;
    Size3 extent = {1, 1, 1};
};

/// Throws CL_INVALID_IMAGE_DESCRIPTOR, or `if_no_size` for sizes that are zero or too large. A row has whole
/// groups of texels.
Shape checked_shape(const cl_image_desc& desc, const TexelGroup& group, size_t max_bytes,
                    cl_int if_no_size = CL_INVALID_IMAGE_SIZE) {
    require(desc.num_samples == 0 && group.divides(desc.image_width), CL_INVALID_IMAGE_DESCRIPTOR);
    const size_t max_texels = std::min(max_bytes / group.bytes * group.texels, kMaxImageBufferTexels);
    const ImageLimits limits = image_limits(desc.image_type, max_texels);
    Shape shape{.dimensions = 0};
    const auto add = [&](size_t size, size_t most) {
        require(size != 0 && size <= most, if_no_size);
        shape.extent[shape.dimensions++] = size;
    };
    add(desc.image_width, limits.width);
    if (limits.height > 1) add(desc.image_height, limits.height);
    if (limits.depth > 1) add(desc.image_depth, limits.depth);
    if (limits.layers > 1) add(desc.image_array_size, limits.layers);
    return shape;
}

/// The pitches of the program's memory, with defaults for those that it omits. Throws `if_too_large` if no
/// memory could hold the image.
Box checked_host_layout(Image& image, bool has_memory, cl_int if_too_large = CL_INVALID_IMAGE_SIZE) {
    size_t &row = image.desc.image_row_pitch, &slice = image.desc.image_slice_pitch;
    require(has_memory || (row == 0 && slice == 0), CL_INVALID_IMAGE_DESCRIPTOR);
    const Box box = checked_pitches(image.slices_of(image.region_bytes()), row, slice,
                                    CL_INVALID_IMAGE_DESCRIPTOR, if_too_large);
    row = box.row_pitch;
    slice = box.slice_pitch;
    require(row % image.group.alignment() == 0 && slice % row == 0, CL_INVALID_IMAGE_DESCRIPTOR);
    return image.rows_in(box);
}

/// The layout of memory that kernels access as it is.
Box checked_layout(Image& image) {
    const Box box = checked_host_layout(image, true);
    if (runtime::are_rows_found(box.row_pitch, image.slices_of(image.region_bytes())[1])) return box;
    log({.message = "an image's row pitch of " + std::to_string(box.row_pitch) +
                    " bytes is more than kernels know: it must be below 2^32"});
    throw ApiError(CL_INVALID_IMAGE_DESCRIPTOR);
}

void check_format(const cl_image_format* format) {
    require(format && is_valid(*format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    require(texel_group(*format).bytes != 0, CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

/// `flags` are those of the image, also from its parent.
void check_access(const cl_image_format& format, cl_mem_flags flags) {
    require(!is_raw(format) || flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT),
            CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

/// Shares the texels of an image with another channel order (OpenCL API 5.3.1.2).
void share_image(Image& image, const Image& parent) {
    const auto fits = [](size_t wanted, size_t pitch) { return wanted == 0 || wanted == pitch; };
    require(image.desc.image_type == CL_MEM_OBJECT_IMAGE2D &&
                parent.desc.image_type == CL_MEM_OBJECT_IMAGE2D && image.extent == parent.extent &&
                std::max(image.desc.num_mip_levels, 1u) == std::max(parent.desc.num_mip_levels, 1u) &&
                fits(image.desc.image_row_pitch, parent.desc.image_row_pitch) &&
                fits(image.desc.image_slice_pitch, parent.desc.image_slice_pitch),
            CL_INVALID_IMAGE_DESCRIPTOR);
    require(may_be_seen_as(parent.format, image.format), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    image.layout = parent.layout;
    image.host_layout = parent.host_layout;
    image.desc.image_row_pitch = parent.desc.image_row_pitch;
    image.desc.image_slice_pitch = parent.desc.image_slice_pitch;
}

/// The alignment is a power of two (cl_ext_image_from_buffer).
void check_alignment(const Image& image, const std::byte* host_ptr) {
    const auto is_aligned = [&](size_t value) { return value % image.group.alignment() == 0; };
    require(is_aligned(image.desc.image_row_pitch) && is_aligned(image.desc.image_slice_pitch) &&
                is_aligned(reinterpret_cast<size_t>(host_ptr)),
            CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

/// As many levels as the largest image has until one texel is left. A smaller image may have as many, since
/// OpenCL names no limit: Khronos' conformance tests make images with several levels of one texel.
constexpr cl_uint kMaxImageLevels = std::bit_width(kMaxImageExtent);
static_assert((kMaxImageLevels - 1) * kSamplerLodUnit <= kSamplerLodMask, "samplers can name all levels");

/// Only images with bytes of their own have levels, and the program fills them by commands
/// (cl_khr_mipmap_image).
void check_levels(const Context& context, const Image& image, bool has_own_bytes, const void* host_ptr) {
    if (!image.has_levels()) return;
    require(!image.group.is_shared(), CL_INVALID_IMAGE_DESCRIPTOR);
    require(any_has(context, frontend::Ext::MipmapImage) && has_own_bytes &&
                image.desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER && image.levels() <= kMaxImageLevels,
            CL_INVALID_IMAGE_DESCRIPTOR);
    require(!host_ptr, CL_INVALID_HOST_PTR);
}

/// Makes an image from the bytes of a buffer, or of another image.
void share_parent(Memory& memory, Image& image) {
    Memory& parent = checked(image.desc.mem_object);
    require(parent.context == memory.context, CL_INVALID_CONTEXT);
    require(!is_immutable(parent) || is_immutable(memory), CL_INVALID_VALUE);
    memory.parent = Ref<Memory>(&parent);
    memory.storage = parent.storage;
    memory.flags = inherited_flags(parent, memory.flags);
    check_access(image.format, memory.flags);
    memory.host_ptr = parent.host_ptr;
    memory.uses_svm = parent.uses_svm;
    const Size3 region = image.region_bytes();
    memory.size = region[0] * region[1] * region[2];
    if (parent.image) return share_image(image, *parent.image);
    require(parent.type == CL_MEM_OBJECT_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR);
    check_alignment(image, parent.host_ptr);
    image.layout = image.host_layout = checked_layout(image);
    require(image.layout.end(region) <= parent.size, CL_INVALID_IMAGE_SIZE);
    image.layout.offset = parent.offset;
}

/// Queries return the pitches of the bytes in the storage.
void tell_pitches(Image& image) {
    const bool is_row_of_layers = image.desc.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    image.desc.image_row_pitch = image.layout.row_pitch;
    image.desc.image_slice_pitch = is_row_of_layers ? image.layout.row_pitch : image.layout.slice_pitch;
}

/// Makes an image of a handle's memory that is an image of Vulkan's with optimal tiling.
void import_texture(Memory& memory, Image& image, const ExternalMemory& external) {
    const Context& context = *memory.context;
    image.layout = image.host_layout = packed_box(image.region_bytes());
    tell_pitches(image);
    memory.size = image.size_bytes();
    require(memory.size <= max_buffer_bytes(context), CL_INVALID_IMAGE_SIZE);
    require(!(memory.flags & kHostPointer), CL_INVALID_VALUE);
    std::vector<SharedPlace> shared(context.places.size());
    for (const size_t place : external.places)
        shared[place] = image.shared_texture(*context.places[place].opened, external);
    memory.imported_places = external.places;
    memory.storage = std::make_shared<Storage>(*memory.context, memory.size, runtime::MemoryUse::Device,
                                               static_cast<const void*>(nullptr));
    memory.storage->share(std::make_shared<SharedImage>(std::move(shared)));
    runtime::close_descriptor(external.descriptor);
}

/// Makes an image of a handle's memory. Its rows are where the descriptor says, and without a pitch where the
/// handle's type says.
void import_image(Memory& memory, Image& image, const ExternalMemory& external) {
    require(!image.desc.mem_object, CL_INVALID_OPERATION);
    require(image.desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR);
    const bool has_pitches = image.desc.image_row_pitch != 0 || image.desc.image_slice_pitch != 0;
    if (!has_pitches && !external.assumes_linear_images(*memory.context))
        return import_texture(memory, image, external);
    image.layout = image.host_layout = checked_layout(image);
    const Size3 region = image.region_bytes();
    const size_t size_bytes = image.layout.end(region);
    require(size_bytes <= max_buffer_bytes(*memory.context), CL_INVALID_IMAGE_SIZE);
    memory.size = region[0] * region[1] * region[2];
    import(memory, external, size_bytes);
}

/// Makes an image with bytes of its own, which begin as copies of the program's if there is a pointer.
void make_own_bytes(Memory& memory, Image& image, void* host_ptr) {
    require(image.desc.image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_IMAGE_DESCRIPTOR);
    const Size3 region = image.region_bytes();
    image.host_layout = checked_host_layout(image, host_ptr != nullptr);
    image.layout = packed_box(region);
    memory.size = image.size_bytes();
    require(memory.size <= max_buffer_bytes(*memory.context), CL_INVALID_IMAGE_SIZE);
    check_copied_bytes(*memory.context, host_ptr, image.host_layout.end(region));
    std::vector<std::byte> packed(host_ptr ? memory.size : 0);
    if (host_ptr)
        for_stretches(image.host_layout, image.layout, region, [&](size_t from, size_t to, size_t size) {
            std::memcpy(packed.data() + to, static_cast<const std::byte*>(host_ptr) + from, size);
        });
    if (memory.flags & CL_MEM_USE_HOST_PTR) {
        memory.host_ptr = static_cast<std::byte*>(host_ptr);
    } else {  // the pitches are those of the copied memory
        tell_pitches(image);
    }
    memory.storage = std::make_shared<Storage>(*memory.context, memory.size, runtime::MemoryUse::Device,
                                               host_ptr ? packed.data() : nullptr);
}

cl_mem create(cl_context handle, const cl_mem_properties* properties, cl_mem_flags flags,
              const cl_image_format* format, const cl_image_desc* desc, void* host_ptr) {
    Context& context = checked(handle);
    const PropertyList given = memory_properties(properties);
    check_memory_flags(flags);
    const std::optional<ExternalMemory> external = external_memory(context, given);
    check_format(format);
    require(desc, CL_INVALID_IMAGE_DESCRIPTOR);
    if (!desc->mem_object) {
        check_access(*format, flags);
        check_has_bytes(flags, external.has_value());
    }
    auto memory = std::make_unique<Memory>(context);
    memory->flags = flags;
    memory->properties = given.all();
    memory->type = desc->image_type;
    auto image = std::make_shared<Image>();
    image->format = *format;
    image->desc = *desc;
    image->group = texel_group(*format);
    const Shape shape = checked_shape(*desc, image->group, max_buffer_bytes(context));
    image->extent = shape.extent;
    image->may_be_written = !(flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT));
    image->set_dimensions(shape.dimensions);
    require(fits(*format, desc->image_type), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    check_host_pointer(context, flags, host_ptr);
    check_levels(context, *image, !external && !desc->mem_object, host_ptr);
    if (external) {
        import_image(*memory, *image, *external);
    } else if (desc->mem_object) {
        share_parent(*memory, *image);
    } else {
        make_own_bytes(*memory, *image, host_ptr);
    }
    if (image->can_have_textures()) memory->storage->allow_textures();
    memory->image = std::move(image);
    return memory.release();
}

/// The functions of OpenCL 1.0 have one code for pitches and sizes (OpenCL API, appendix of deprecated
/// functions).
cl_mem create_without_descriptor(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                                 const cl_image_desc& desc, void* host_ptr) {
    try {
        return create(context, nullptr, flags, format, &desc, host_ptr);
    } catch (const ApiError& error) {
        if (error.code != CL_INVALID_IMAGE_DESCRIPTOR) throw;
        throw ApiError(CL_INVALID_IMAGE_SIZE, error.file, error.line);
    }
}

}  // namespace

cl_mem CL_API_CALL CreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                               const cl_image_desc* desc, void* host_ptr, cl_int* code_ret) {
    return make(code_ret, [&] { return create(context, nullptr, flags, format, desc, host_ptr); });
}

cl_mem CL_API_CALL CreateImageWithProperties(cl_context context, const cl_mem_properties* properties,
                                             cl_mem_flags flags, const cl_image_format* format,
                                             const cl_image_desc* desc, void* host_ptr, cl_int* code_ret) {
    return make(code_ret, [&] { return create(context, properties, flags, format, desc, host_ptr); });
}

cl_mem CL_API_CALL CreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                                 size_t width, size_t height, size_t row_pitch, void* host_ptr,
                                 cl_int* code_ret) {
    const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE2D,
                             .image_width = width,
                             .image_height = height,
                             .image_row_pitch = row_pitch};
    return make(code_ret, [&] {
        require(width != 0 && height != 0, CL_INVALID_IMAGE_SIZE);
        return create_without_descriptor(context, flags, format, desc, host_ptr);
    });
}

cl_mem CL_API_CALL CreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                                 size_t width, size_t height, size_t depth, size_t row_pitch,
                                 size_t slice_pitch, void* host_ptr, cl_int* code_ret) {
    const cl_image_desc desc{.image_type = CL_MEM_OBJECT_IMAGE3D,
                             .image_width = width,
                             .image_height = height,
                             .image_depth = depth,
                             .image_row_pitch = row_pitch,
                             .image_slice_pitch = slice_pitch};
    return make(code_ret, [&] {
        require(width != 0 && height != 0 && depth > 1, CL_INVALID_IMAGE_SIZE);
        return create_without_descriptor(context, flags, format, desc, host_ptr);
    });
}

cl_int CL_API_CALL GetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                            cl_uint capacity, cl_image_format* formats, cl_uint* count_ret) {
    return entry([&] {
        checked(context);
        check_memory_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE});
        require(type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_INVALID_VALUE);
        require(!formats || capacity != 0, CL_INVALID_VALUE);
        std::vector<cl_image_format> all =
            supported_formats(!(flags & (CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT)));
        std::erase_if(all, [&](const cl_image_format& format) { return !fits(format, type); });
        for (size_t i = 0; formats && i < all.size() && i < capacity; ++i) formats[i] = all[i];
        if (count_ret) *count_ret = static_cast<cl_uint>(all.size());
    });
}

// ---- Requirements (cl_ext_image_requirements_info) ----

namespace {

constexpr size_t kLargestTexel = 16;

/// For the type 0, the least of the limits of all types. How much memory there is does not count, as it does
/// not for CL_DEVICE_IMAGE2D_MAX_WIDTH and its like.
ImageLimits image_limits(const Context& context, cl_mem_object_type type) {
    size_t max_texels = kMaxImageBufferTexels;
    for (const Context::Place& place : context.places)
        max_texels =
            std::min(max_texels, static_cast<size_t>(promised_buffer_bytes(*place.device) / kLargestTexel));
    if (type == 0)
        return {std::min(kMaxImageDepth, max_texels), kMaxImageDepth, kMaxImageDepth, kMaxImageLayers};
    return image_limits(type, max_texels);
}

/// The answer to a query for the largest value of one member of the descriptor. The others may be 0 for any
/// value.
cl_uint max_member(const Context& context, const cl_image_desc* given, size_t ImageLimits::*asked) {
    const cl_image_desc desc = given ? *given : cl_image_desc{};
    const ImageLimits most = image_limits(context, desc.image_type);
    require(asked == &ImageLimits::width || most.*asked > 1, CL_INVALID_IMAGE_DESCRIPTOR);
    require(desc.num_mip_levels <= 1 && desc.num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR);
    const auto check = [&](size_t value, size_t ImageLimits::*member) {
        const bool is_there = member != asked && (member == &ImageLimits::width || most.*member > 1);
        require(!is_there || value <= most.*member, CL_INVALID_IMAGE_DESCRIPTOR);
    };
    check(desc.image_width, &ImageLimits::width);
    check(desc.image_height, &ImageLimits::height);
    check(desc.image_depth, &ImageLimits::depth);
    check(desc.image_array_size, &ImageLimits::layers);
    return static_cast<cl_uint>(most.*asked);
}

/// Throws CL_INVALID_IMAGE_DESCRIPTOR.
Size3 described_extent(const Context& context, const TexelGroup& group, const cl_image_desc& desc) {
    require(desc.num_mip_levels <= 1, CL_INVALID_IMAGE_DESCRIPTOR);
    return checked_shape(desc, group, max_buffer_bytes(context), CL_INVALID_IMAGE_DESCRIPTOR).extent;
}

void answer_requirement(const Context& context, const cl_image_format* format, const cl_image_desc* desc,
                        cl_image_requirements_info_ext name, const Answer& answer) {
    const TexelGroup group = format ? texel_group(*format) : TexelGroup{.bytes = kLargestTexel};
    switch (name) {
        case CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT:
        case CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT:
        case CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT:
            if (desc) described_extent(context, group, *desc);
            return answer.put(group.alignment());
        case CL_IMAGE_REQUIREMENTS_SIZE_EXT: {
            require(format && desc, CL_INVALID_VALUE);
            Image image;
            image.desc = *desc;
            image.group = group;
            image.extent = described_extent(context, group, *desc);
            const Box layout = checked_host_layout(image, true, CL_INVALID_IMAGE_DESCRIPTOR);
            return answer.put(layout.end(image.region_bytes()));
        }
        case CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT:
            return answer.put(max_member(context, desc, &ImageLimits::width));
        case CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT:
            return answer.put(max_member(context, desc, &ImageLimits::height));
        case CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT:
            return answer.put(max_member(context, desc, &ImageLimits::depth));
        case CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT:
            return answer.put(max_member(context, desc, &ImageLimits::layers));
        default: throw ApiError(CL_INVALID_VALUE);
    }
}

}  // namespace

cl_int CL_API_CALL GetImageRequirementsInfoEXT(cl_context handle, const cl_mem_properties* properties,
                                               cl_mem_flags flags, const cl_image_format* format,
                                               const cl_image_desc* desc, cl_image_requirements_info_ext name,
                                               size_t size, void* value, size_t* size_ret) {
    return entry([&] {
        const Context& context = checked(handle);
        (void)external_memory(context, memory_properties(properties));
        check_memory_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE});
        require(!format || texel_group(*format).bytes != 0, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
        answer_requirement(context, format, desc, name, {size, value, size_ret});
    });
}

// ---- Asking ----

cl_int CL_API_CALL GetImageInfo(cl_mem handle, cl_image_info name, size_t size, void* value,
                                size_t* size_ret) {
    return entry([&] {
        const Memory& self = checked(handle);
        require(self.image != nullptr, CL_INVALID_MEM_OBJECT);
        const Image& image = *self.image;
        const cl_mem_object_type type = image.desc.image_type;
        const bool is_array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
        const bool has_height = image.has(1) && type != CL_MEM_OBJECT_IMAGE1D_ARRAY;
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_IMAGE_FORMAT: return answer.put(image.format);
            case CL_IMAGE_ELEMENT_SIZE: return answer.put(image.group.element_bytes());
            case CL_IMAGE_ROW_PITCH: return answer.put(image.desc.image_row_pitch);
            case CL_IMAGE_SLICE_PITCH:
                return answer.put(is_array || image.has(2) ? image.desc.image_slice_pitch : size_t{0});
            case CL_IMAGE_WIDTH: return answer.put(image.extent[0]);
            case CL_IMAGE_HEIGHT: return answer.put(has_height ? image.extent[1] : size_t{0});
            case CL_IMAGE_DEPTH:
                return answer.put(type == CL_MEM_OBJECT_IMAGE3D ? image.extent[2] : size_t{0});
            case CL_IMAGE_ARRAY_SIZE:
                return answer.put(is_array ? image.extent[type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : 2]
                                           : size_t{0});
            case CL_IMAGE_BUFFER:
                return answer.put<cl_mem>(self.parent && !self.parent->image ? self.parent.get() : nullptr);
            case CL_IMAGE_NUM_MIP_LEVELS: return answer.put(image.desc.num_mip_levels);
            case CL_IMAGE_NUM_SAMPLES: return answer.put<cl_uint>(0);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
