// SPDX-License-Identifier: Apache-2.0
#include "tests/evaluation/bench/vulkan_contestants.h"

#include "tests/evaluation/bench/twin.h"

namespace caldera::bench {
namespace {

class VulkanContestant : public Contestant {
 public:
    explicit VulkanContestant(VulkanData& data) : data_(data) {}
    Result<Done> write_inputs() override { return data_.write_inputs(); }
    Result<Done> read(uint32_t argument, std::span<std::byte> bytes) override {
        return data_.read(argument, bytes);
    }

 protected:
    VulkanData& data_;
};

class Ours : public VulkanContestant {
 public:
    Ours(VulkanData& data, std::unique_ptr<runtime::Program> program, runtime::Kernel kernel)
        : VulkanContestant(data), program_(std::move(program)), kernel_(std::move(kernel)) {}

    Result<Done> set_arguments() {
        for (uint32_t i = 0; i < data_.problem.arguments.size(); ++i) {
            const Argument& argument = data_.problem.arguments[i];
            Result<Done> done = Done{};
            switch (argument.kind) {
                case Argument::Kind::Buffer: done = kernel_.set(i, data_.buffers[i]); break;
                case Argument::Kind::Value: done = kernel_.set_value(i, argument.bytes); break;
                case Argument::Kind::Local: done = kernel_.set_local(i, argument.local_bytes); break;
            }
            if (!done) return done;
        }
        return Done{};
    }
    Result<uint64_t> run() override {
        Result<runtime::Event> event = data_.queue.dispatch(kernel_, data_.problem.range);
        if (!event) return event.error();
        Result<runtime::Timing> timing = data_.queue.timing(*event);
        if (!timing) return timing.error();
        return timing->duration_ns();
    }

 private:
    std::unique_ptr<runtime::Program> program_;
    runtime::Kernel kernel_;
};

class TwinContestant : public VulkanContestant {
 public:
    TwinContestant(VulkanData& data, std::unique_ptr<Twin> twin)
        : VulkanContestant(data), twin_(std::move(twin)) {}
    Result<uint64_t> run() override {
        const runtime::NDRange& range = data_.problem.range;
        const auto groups = [&](size_t d) { return static_cast<uint32_t>(range.global[d] / range.local[d]); };
        return twin_->run({groups(0), groups(1), groups(2)});
    }

 private:
    std::unique_ptr<Twin> twin_;
};

Result<Done> add_buffer(VulkanData& data, std::span<const std::byte> bytes,
                        std::vector<runtime::Buffer>& to) {
    Result<runtime::Buffer> buffer = runtime::Buffer::create(data.device, bytes.size());
    if (!buffer) return buffer.error();
    to.push_back(buffer.take());
    return data.queue.upload(to.back(), 0, bytes);
}

}  // namespace

Result<Done> VulkanData::create() {
    for (const Argument& argument : problem.arguments) {
        if (argument.kind != Argument::Kind::Buffer)
            buffers.emplace_back();
        else if (Result<Done> done = add_buffer(*this, argument.bytes, buffers); !done)
            return done;
    }
    for (const std::vector<std::byte>& table : problem.twin_tables)
        if (Result<Done> done = add_buffer(*this, table, twin_tables); !done) return done;
    return Done{};
}

Result<Done> VulkanData::write_inputs() {
    for (size_t i = 0; i < buffers.size(); ++i)
        if (problem.arguments[i].kind == Argument::Kind::Buffer)
            if (Result<Done> done = queue.upload(buffers[i], 0, problem.arguments[i].bytes); !done)
                return done;
    return queue.finish();
}

Result<Done> VulkanData::read(uint32_t argument, std::span<std::byte> bytes) {
    return queue.download(buffers[argument], 0, bytes);
}

Clocks clocks_of(const runtime::Device& device) {
    return Clocks(std::to_array(device.ids().deviceUUID), device.name());
}

Result<Burst> burst_on(runtime::Device& device, runtime::Queue& queue) {
    struct Objects {
        std::unique_ptr<runtime::Program> program = {};
        runtime::Buffer buffer = {};
        runtime::Kernel kernel;
    };
    BuildResult built = build_program(device, kBurstSource, "burst.cl");
    if (!built) return Error{.message = "our compiler says: " + built.log};
    Result<runtime::Kernel> kernel = runtime::Kernel::create(*built.program, "burst");
    if (!kernel) return kernel.error();
    Result<runtime::Buffer> buffer = runtime::Buffer::create(device, kBurstItems * sizeof(uint32_t));
    if (!buffer) return buffer.error();
    const auto objects =
        std::make_shared<Objects>(Objects{std::move(built.program), buffer.take(), kernel.take()});
    if (Result<Done> done = objects->kernel.set(0, objects->buffer); !done) return done.error();
    return Burst{.begin =
                     [objects, &queue] {
                         for (int i = 0; i < kBurstLaunches; ++i)
                             (void)queue.dispatch(objects->kernel, {.global = {kBurstItems, 1, 1}});
                         (void)queue.flush();
                     },
                 .end = [objects, &queue] { (void)queue.finish(); }};
}

Result<std::unique_ptr<Contestant>> prepare_ours(const KernelSource& source, VulkanData& data,
                                                 const BuildOptions& options, std::vector<uint32_t>& words) {
    BuildResult built = build_program(data.device, source.opencl, std::string(source.name) + ".cl", options);
    if (!built) return Error{.message = "our compiler says: " + built.log};
    words = std::move(built.words);
    Result<runtime::Kernel> kernel = runtime::Kernel::create(*built.program, source.name);
    if (!kernel) return kernel.error();
    auto ours = std::make_unique<Ours>(data, std::move(built.program), kernel.take());
    if (Result<Done> done = ours->set_arguments(); !done) return done.error();
    return std::unique_ptr<Contestant>(std::move(ours));
}

Result<std::unique_ptr<Contestant>> prepare_twin(const KernelSource& source, VulkanData& data) {
    std::vector<const runtime::Buffer*> buffers;
    std::vector<std::byte> values;
    for (size_t i = 0; i < data.buffers.size(); ++i) {
        const Argument& argument = data.problem.arguments[i];
        if (argument.kind == Argument::Kind::Buffer) buffers.push_back(&data.buffers[i]);
        if (argument.kind == Argument::Kind::Value)
            values.insert(values.end(), argument.bytes.begin(), argument.bytes.end());
    }
    for (const runtime::Buffer& table : data.twin_tables) buffers.push_back(&table);
    Result<std::unique_ptr<Twin>> twin = Twin::create(data.device, source.twin, buffers, values);
    if (!twin) return twin.error();
    return std::unique_ptr<Contestant>(std::make_unique<TwinContestant>(data, twin.take()));
}

}  // namespace caldera::bench
