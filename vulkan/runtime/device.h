// SPDX-License-Identifier: Apache-2.0
// Device: an opened Vulkan device, its profile, memory and compute queues.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caldera/checks.h"
#include "vulkan/device_profile.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/allocation_table.h"
#include "vulkan/runtime/device_clock.h"
#include "vulkan/runtime/device_features.h"
#include "vulkan/runtime/disk_cache.h"
#include "vulkan/runtime/external_handles.h"
#include "vulkan/runtime/handle.h"
#include "vulkan/runtime/hold_ups.h"
#include "vulkan/runtime/instance.h"
#include "vulkan/runtime/memory.h"
#include "vulkan/runtime/placed_maps.h"
#include "vulkan/runtime/queue_family.h"
#include "vulkan/runtime/subgroup_launch.h"

namespace caldera::runtime {

class ClockKeeper;
class BackgroundTasks;
class CompiledModules;
class KeptPipelines;
class FaultReporter;
class Samplers;
struct FeatureChain;

/// The words of a kernel's module for images of known formats: (id, value) of specialisation constants.
/// Empty: the module as it is serves as well.
using SpecializeKernel = std::vector<uint32_t> (*)(std::span<const uint32_t> words,
                                                   std::span<const std::pair<uint32_t, uint32_t>> formats);

struct DeviceOptions {
    /// Selects the device by its index in list_devices() or by a part of its name, in upper or lower case. If
    /// empty: the environment's CALDERA_DEVICE, else the first discrete GPU, integrated GPU, or other device,
    /// in this order.
    std::string select = {};
    /// Loads VK_LAYER_KHRONOS_validation. CALDERA_VALIDATION=1 in the environment does so, too.
    bool validation = false;
    /// Receives each warning or error of the validation layer, from any thread; the default writes to stderr.
    std::function<void(const std::string& message)> on_validation = {};
    /// Keeps compiled programs on disk for later runs: DiskCache::of_user().
    bool disk_cache = false;
    /// Which faults of kernels are reported; if empty, as the environment's CALDERA_CHECK says.
    std::optional<vulkan::MemoryChecks> checks = {};
    /// Whether MemoryChecks::Guard is added; if empty, as the environment's CALDERA_ROBUST says.
    std::optional<bool> robust = {};
    /// With MemoryChecks::Loops, how often a loop may turn; if 0, as the environment's CALDERA_CHECK_LOOPS
    /// says, or kDefaultLoopTurns. With MemoryChecks::Guard alone, loops end if one of the two is set.
    uint32_t loop_turns = 0;
    /// Takes reports instead of stderr, as CheckOptions::on_fault of the library does (FaultDelivery).
    std::function<void(const FaultReport&)> on_fault = {};
};

struct DeviceInfo {
    std::string name = {};
    std::string driver = {};
    uint32_t api_version = 0;  ///< as VK_API_VERSION_* packs it
    bool usable = false;       ///< has what the runtime needs
    std::string lacks = {};    ///< the first missing feature if not usable

    // The members below are set for usable devices only.
    VkPhysicalDeviceProperties properties = {};
    VkPhysicalDeviceIDProperties ids = {};
    /// What queries tell; open_device() asks the device itself for the rest.
    vulkan::DeviceProfile profile = {};
    SubgroupLaunch subgroup_launch = {};
    uint64_t memory_bytes = 0;      ///< the largest device-local heap
    uint64_t max_buffer_bytes = 0;  ///< maximum size of one buffer
    bool unified_memory = false;    ///< host and device share the same memory
    uint32_t timestamp_bits = 0;
    uint32_t compute_units = 1;  ///< if a vendor's extension reports it
    std::optional<VkPhysicalDevicePCIBusInfoPropertiesEXT> pci = {};
    ExternalHandles external = {};
};

/// The Vulkan devices of this machine, in the loader's order.
Result<std::vector<DeviceInfo>> list_devices();
/// Device::prefers_descriptors() for a device with this profile.
bool prefers_descriptors(const vulkan::DeviceProfile& profile);
/// Whether DeviceOptions::select means this device, which has this index.
bool selects(std::string_view select, const DeviceInfo& info, size_t index);
/// The order of preference if no device was selected, lower is better: discrete GPUs, integrated GPUs, then
/// others.
int preference(VkPhysicalDeviceType type);

/// Whether an application's physical device is one of the instance, which is made for this version of Vulkan,
/// and has what Caldera cannot do without.
Result<Done> check_physical(VkInstance instance, VkPhysicalDevice physical, uint32_t api_version);

/// A queue of an application's device.
struct AdoptedQueue {
    VkQueue queue = VK_NULL_HANDLE;
    uint32_t family = 0;
};

/// A device that an application made. It outlives the Device, which destroys none of this.
struct AdoptedDevice {
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    EnabledFeatures enabled = {};
    /// At least one that computes. All that do are of one family, and all that only copy of another one.
    std::vector<AdoptedQueue> queues = {};
    /// Families of other command buffers that use the Device's buffers; they compute.
    std::vector<uint32_t> recording_families = {};
    /// Called before and after each use of a queue: no other thread uses it in between. Both or neither.
    std::function<void(VkQueue)> lock = {}, unlock = {};
    /// The application's, or null. Only the loader's own is understood.
    PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
    bool disk_cache = false;  ///< as DeviceOptions::disk_cache
    // as those of DeviceOptions
    std::optional<vulkan::MemoryChecks> checks = {};
    std::optional<bool> robust = {};
    uint32_t loop_turns = 0;
    std::function<void(const FaultReport&)> on_fault = {};
};

/// Which of the images that can be textures are.
enum class Textures : uint8_t {
    None,
    Many,    ///< those of kernels with so many reads that a compiler is slow if code decodes their texels
    Better,  ///< those that texture units read faster than code does, and as well
    All,
};

/// How device addresses relate to host addresses (shared_memory.h).
enum class SharedMemory : uint8_t {
    None,
    Mirrored,  ///< the host can have separate memory at the address of a buffer
    Same,      ///< the host sees buffers at their device addresses
};

/// What Vulkan's queries do not report about a device. Shaders find it out when the device is opened
/// (probe.h).
struct Findings {
    bool fused_fma = false, fused_half_fma = false, exact_exp2_sqrt = false, keeps_float_denormals = false;
    bool keeps_double_denormals = false, exact_half_packing = false, linear_subgroups = false;
    SharedMemory shared_memory = SharedMemory::None;
};

/// What Vulkan 1.1 has in extensions only, by its name there or in Vulkan 1.2. Null where the device lacks
/// it.
struct NewerFunctions {
    PFN_vkGetBufferDeviceAddress get_buffer_device_address = nullptr;
    PFN_vkGetSemaphoreCounterValue get_semaphore_counter_value = nullptr;
    PFN_vkWaitSemaphores wait_semaphores = nullptr;  ///< null: there are no timeline semaphores
    PFN_vkResetQueryPool reset_query_pool = nullptr;
};

/// Opened by open_device() or adopt_device(). Thread-safe. Everything made from a device must die before it.
class Device {
 public:
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const std::string& name() const { return name_; }
    const vulkan::DeviceProfile& profile() const { return profile_; }
    const VkPhysicalDeviceProperties& properties() const { return properties_; }
    const VkPhysicalDeviceIDProperties& ids() const { return ids_; }
    const VkPhysicalDeviceLimits& limits() const { return properties_.limits; }
    const SubgroupLaunch& subgroup_launch() const { return subgroup_launch_; }
    /// Otherwise kernels reach memory by descriptors only (vulkan::Abi), and no buffer has an address.
    bool has_addresses() const { return profile_.buffer_device_address; }
    /// Kernels run by descriptors where they can, and by addresses otherwise: DriverQuirks::slow_addresses
    /// says so of the driver, and CALDERA_BUFFERS=addresses or descriptors in the environment decides
    /// instead.
    bool prefers_descriptors() const { return prefers_descriptors_; }
    /// Which images are textures where they can be: DriverQuirks::fast_textures and slow_to_decode say so of
    /// the driver, and CALDERA_IMAGES=memory or hardware in the environment decides instead.
    Textures textures() const { return textures_; }
    /// RenderDoc captures what the process does.
    bool has_renderdoc() const { return has_renderdoc_; }
    vulkan::MemoryChecks checks() const { return checks_; }
    /// How often a loop may turn; 0: the default.
    uint32_t loop_turns() const { return loop_turns_; }
    /// The memory that programs have; null if accesses are not checked.
    AllocationTable* allocations() const { return allocations_.get(); }
    /// Null if accesses are not checked.
    FaultReporter* fault_reporter() const { return fault_reporter_.get(); }
    uint64_t max_buffer_bytes() const { return size_limits_.buffer; }
    /// maximum size of one allocation
    uint64_t max_allocation_bytes() const { return size_limits_.allocation; }
    bool is_cpu() const { return is_cpu_; }  ///< the device is the host's CPU
    SharedMemory shared_memory() const { return shared_memory_; }
    /// Whether the host and the device can access the same bytes at the same addresses
    /// (make_host_buffer()).
    bool shares_host_memory() const { return shares_host_memory_; }
    const PlacedMaps& placed_maps() const { return placed_maps_; }
    /// A probe found that arithmetic and comparisons of doubles keep denormals, which OpenCL requires of
    /// every device with doubles.
    bool keeps_double_denormals() const { return keeps_double_denormals_; }
    /// The number of messages from the validation layer so far.
    uint32_t validation_messages() const { return validation_messages_.load(); }
    /// An image is imported, whose layout others change.
    void note_shared_image() { shares_images_ = true; }
    Allocator& allocator() { return *allocator_; }
    /// null if there is none
    const DiskCache* disk_cache() const { return disk_cache_ ? &*disk_cache_ : nullptr; }

    VkDevice vk() const { return device_; }
    const NewerFunctions& functions() const { return functions_; }
    /// The handles that the device shares with other APIs. An application's device shares none.
    const ExternalHandles& external() const { return external_; }
    const ExternalFunctions& external_functions() const { return external_functions_; }
    /// vulkan_error(), which also records that the device is lost. Nothing that was submitted to a lost
    /// device completes, and only a new Device is of use (Vulkan 5.2.3).
    Error error(const char* call, VkResult result) {
        if (result == VK_ERROR_DEVICE_LOST) is_lost_ = true;
        return vulkan_error(call, result);
    }
    bool is_lost() const { return is_lost_; }
    VkPhysicalDevice physical() const { return physical_; }
    /// What an application made it with; null for a device that is Caldera's own.
    const EnabledFeatures* adopted_with() const { return own_device_ ? nullptr : &adopted_with_; }
    /// Returns the queues in turn. Work on different queues may run at the same time.
    VkQueue next_queue() {
        const std::vector<VkQueue>& queues = queues_.at(families_.compute.index);
        return queues[next_queue_++ % queues.size()];
    }
    /// vkQueueSubmit of one batch. The fence may be null.
    VkResult submit(VkQueue queue, const VkSubmitInfo& batch, VkFence fence);
    VkResult wait_idle(VkQueue queue);  ///< no thread can submit meanwhile
    HoldUps& hold_ups() { return hold_ups_; }
    /// No other thread submits while it lives. The lock is one of submitting_.
    template <class Lock>
    class Hold {
     public:
        Hold(Device& device, VkQueue queue) : lock_(*device.submitting_), device_(device), queue_(queue) {
            if (device_.lock_queue_) device_.lock_queue_(queue_);
        }
        ~Hold() {
            if (device_.unlock_queue_) device_.unlock_queue_(queue_);
        }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

     private:
        Lock lock_;
        const Device& device_;
        VkQueue queue_;
    };
    /// Several threads may do so at once.
    using NoSubmissions = Hold<std::shared_lock<std::shared_mutex>>;
    /// An application that submits to several queues of its device is held up at one of them alone: it may
    /// have one lock for all.
    NoSubmissions hold_submissions() { return {*this, queues_.at(families_.compute.index).front()}; }
    /// VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT may be used.
    bool may_refuse_to_compile() const { return may_refuse_to_compile_; }
    /// Binds memory to a sparse buffer and waits for that. families() must have a family for it.
    Result<Done> bind_sparse(const VkSparseBufferMemoryBindInfo& binds);
    const QueueFamilies& families() const { return families_; }
    std::span<const VkQueue> copy_queues() const {
        if (!families_.copies) return {};
        return queues_.at(families_.copies->index);
    }
    uint32_t timestamp_bits() const { return timestamp_bits_; }
    DeviceClock& clock() { return *clock_; }
    /// One layout serves every kernel that accesses memory through addresses: its arguments are push
    /// constants.
    VkPipelineLayout pipeline_layout() const { return pipeline_layout_.get(); }
    /// A layout of these sets, with all the push constants that there can be.
    Result<PipelineLayoutHandle> make_pipeline_layout(std::span<const VkDescriptorSetLayout> sets) const;
    /// Sets what makes a kernel's module for known formats of its images: vulkan::with_known_formats, which
    /// the runtime has no access to. From any thread.
    void specialize_kernels_with(SpecializeKernel specialize) { specialize_kernel_ = specialize; }
    /// Null: pipelines for formats are of the module for all formats.
    SpecializeKernel specialize_kernel() const { return specialize_kernel_; }
    CompiledModules& compiled_modules() { return *compiled_modules_; }
    KeptPipelines& kept_pipelines() { return *kept_pipelines_; }
    BackgroundTasks& background() { return *background_; }
    Samplers& samplers() { return *samplers_; }

 private:
    friend Result<std::unique_ptr<Device>> open_device(const DeviceOptions& options);
    friend Result<std::unique_ptr<Device>> adopt_device(const AdoptedDevice& given);
    Device();
    /// All but what must be found out.
    static Result<std::unique_ptr<Device>> create(const DeviceOptions& options);
    static Result<std::unique_ptr<Device>> adopt(const AdoptedDevice& given);
    void note(const Findings& found);
    void note_host_memory(bool is_shared) { shares_host_memory_ = is_shared; }
    Result<Done> create_instance(const DeviceOptions& options);
    Result<Done> choose(const std::string& select);
    Result<Done> create_device();
    Result<Done> read_checks(const DeviceOptions& wanted);
    Result<Done> adopt_queues(const AdoptedDevice& given);
    void describe(const FeatureChain& features);
    Result<Done> make_own(const FeatureChain& features);
    void find_functions(const FeatureChain& features);
    void get_queues(std::span<const VkDeviceQueueCreateInfo> created);
    void create_clock_keeper();
    static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                     VkDebugUtilsMessageTypeFlagsEXT,
                                                     const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                     void* user);

    struct DestroyDevice {
        void operator()(VkDevice device) const { vkDestroyDevice(device, nullptr); }
    };

    std::shared_ptr<const Instance> own_instance_ = {};  // null where an application made the instance
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    std::unique_ptr<VkDevice_T, DestroyDevice> own_device_ = {};  // null where an application made it
    EnabledFeatures adopted_with_ = {};
    std::function<void(VkQueue)> lock_queue_ = {}, unlock_queue_ = {};
    NewerFunctions functions_ = {};
    ExternalHandles external_ = {};
    ExternalFunctions external_functions_ = {};
    std::map<uint32_t, std::vector<VkQueue>> queues_ = {};  // by the index of their family
    /// Vulkan wants one thread at a time at a queue. Here it is one at all of them: threads at two queues
    /// have hung NVIDIA's driver (530.30; vkd3d-proton's pull request 1484). driver_quirks.def:
    /// submits_in_turn. Never null.
    std::shared_ptr<std::shared_mutex> submitting_ = std::make_shared<std::shared_mutex>();
    using Submission = Hold<std::unique_lock<std::shared_mutex>>;
    std::atomic<size_t> next_queue_ = 0;
    HoldUps hold_ups_ = {};
    std::atomic<bool> is_lost_ = false;
    QueueFamilies families_ = {};
    uint32_t timestamp_bits_ = 0;
    std::unique_ptr<DeviceClock> clock_ = {};
    std::string name_ = {};
    vulkan::DeviceProfile profile_ = {};
    VkPhysicalDeviceProperties properties_ = {};
    VkPhysicalDeviceIDProperties ids_ = {};
    SubgroupLaunch subgroup_launch_ = {};
    SizeLimits size_limits_ = {};
    bool is_cpu_ = false, may_refuse_to_compile_ = false, has_renderdoc_ = false;
    bool prefers_descriptors_ = false;
    Textures textures_ = Textures::None;
    SharedMemory shared_memory_ = SharedMemory::None;
    bool shares_host_memory_ = false;
    PlacedMaps placed_maps_ = {};
    bool keeps_double_denormals_ = false;
    std::function<void(const std::string&)> on_validation_ = {};
    std::atomic<uint32_t> validation_messages_ = 0;
    std::atomic<bool> shares_images_ = false;
    vulkan::MemoryChecks checks_ = vulkan::MemoryChecks::None;
    uint32_t loop_turns_ = 0;
    std::unique_ptr<AllocationTable> allocations_ = {};
    std::unique_ptr<FaultReporter> fault_reporter_;
    std::unique_ptr<Allocator> allocator_ = {};
    std::optional<DiskCache> disk_cache_ = {};
    PipelineLayoutHandle pipeline_layout_ = {};
    std::unique_ptr<KeptPipelines> kept_pipelines_;
    std::unique_ptr<CompiledModules> compiled_modules_;
    std::atomic<SpecializeKernel> specialize_kernel_ = nullptr;
    std::unique_ptr<BackgroundTasks> background_;
    std::unique_ptr<Samplers> samplers_;
    std::unique_ptr<ClockKeeper> clock_keeper_;  // only if the driver needs one
};

}  // namespace caldera::runtime
