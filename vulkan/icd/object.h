// SPDX-License-Identifier: Apache-2.0
// Object: what an API handle points to. Ref: an owning reference. ApiError and entry(): how calls return
// error codes.
#pragma once

#include "vulkan/icd/opencl_headers.h"

#include <CL/cl_icd.h>
// On Windows, cl_icd.h includes windows.h, whose macros have these names.
#undef interface
#undef TEXT

#include "vulkan/icd/extension_names.h"

#include <atomic>
#include <new>
#include <utility>

#include "spirv/support/result.h"
#include "vulkan/icd/fork.h"
#include "vulkan/icd/unload.h"

namespace caldera::icd {

/// The entry points, for the loader. Its table ends with a function of OpenCL 3.1, which older headers lack:
/// with these, `last` stands in its place.
struct Dispatch {
    cl_icd_dispatch table = {};
    void* last = nullptr;
};
extern const Dispatch kDispatch;
/// The loader's own table for the platform, which it wants to find in each object behind the other table
/// (cl_khr_icd 2.0). Null if it is an older loader.
void* dispatch_data();

/// The error code that a call returns. Argument checks throw it, in the order of the specification's lists.
/// entry() and make() catch it, so that no exception leaves the driver.
struct ApiError {
    explicit ApiError(cl_int its_code, const char* its_file = __builtin_FILE(),
                      int its_line = __builtin_LINE())
        : code(its_code), file(its_file), line(its_line) {}
    cl_int code;
    const char* file;  ///< of the check that failed
    int line;          ///< in that file
};
inline void require(bool condition, cl_int code, const char* file = __builtin_FILE(),
                    int line = __builtin_LINE()) {
    if (!condition) throw ApiError(code, file, line);
}

/// The error code for a failure of the runtime. It is `otherwise` unless the host ran out of memory or the
/// device was lost.
cl_int code_of(const Error& error, cl_int otherwise = CL_OUT_OF_RESOURCES);
/// Writes the error to stderr if CALDERA_LOG is 1.
void log(const Error& error);
/// Writes to stderr which call failed, and where, if CALDERA_LOG is 1. `function` is its name without "cl".
void log_call(const char* function, const ApiError& error) noexcept;
template <class T>
T take(Result<T> result, cl_int otherwise = CL_OUT_OF_RESOURCES, const char* file = __builtin_FILE(),
       int line = __builtin_LINE()) {
    if (result) return result.take();
    log(result.error());
    throw ApiError(code_of(result.error(), otherwise), file, line);
}

/// Runs the body of a call that returns an error code. `at_end` is the result if calls may not run any more.
template <class F>
cl_int entry(const F& body, cl_int at_end = CL_OUT_OF_RESOURCES,
             const char* function = __builtin_FUNCTION()) noexcept {
    const Call call;
    if (!call) return at_end;
    try {
        body();
        return CL_SUCCESS;
    } catch (const ApiError& error) {
        log_call(function, error);
        return error.code;
    } catch (const std::bad_alloc&) {
        return CL_OUT_OF_HOST_MEMORY;
    } catch (...) {  // a bug of Caldera, or a thread that could not be started
        return CL_OUT_OF_RESOURCES;
    }
}

/// Runs the body of a call that returns an object, or null and an error code.
template <class F>
auto make(cl_int* code_ret, const F& body, const char* function = __builtin_FUNCTION()) noexcept
    -> decltype(body()) {
    decltype(body()) made = {};
    const cl_int code = entry([&] { made = body(); }, CL_OUT_OF_RESOURCES, function);
    if (code_ret) *code_ret = code;
    return made;
}

/// The base class of all API objects. T is the final class; its kInvalid is the error code for an invalid
/// handle. The program's references are counted separately from the driver's: programs query the count, and
/// an object that the program has released stays alive while commands or other objects need it. Meanwhile its
/// handle remains valid: programs query other objects and callback arguments for it, and may retain it again.
///
/// In a child of fork, what its parent made is invalid, unless T::kOutlivesForks is true. The child may only
/// release it, which does nothing.
template <class T>
class Object {
 public:
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    bool is_alive() const { return tag_ == kAlive && owners_ != 0 && !is_of_parent(); }
    /// Whether this process is a child of fork, and got the object from its parent.
    bool is_of_parent() const {
        if constexpr (requires { T::kOutlivesForks; })
            return false;
        else
            return tag_ == kAlive && forks_ != forks_before();
    }
    cl_uint references() const { return references_; }
    /// For objects that are older than what the loader gives the platform.
    void set_dispatch_data(void* data) { dispatch_data_ = data; }

    void retain() {
        if (references_++ == 0) own();
    }
    /// Returns false if the program has no reference.
    bool release() {
        cl_uint before = references_;
        while (before != 0 && !references_.compare_exchange_weak(before, before - 1)) {}
        if (before > 1) return true;
        if (before == 0) return false;
        static_cast<T&>(*this).on_last_release();
        disown();
        return true;
    }
    void own() { ++owners_; }
    /// Fails if nobody owns the object any more.
    bool try_own() {
        cl_uint before = owners_;
        while (before != 0 && !owners_.compare_exchange_weak(before, before + 1)) {}
        return before != 0;
    }
    void disown() {
        if (--owners_ == 0) end();
    }
    /// Called when the program has released its last reference. The driver may still own the object, and may
    /// give the program another reference.
    void on_last_release() {}

 protected:
    Object() = default;
    ~Object() { tag_ = 0; }

 private:
    /// Deletes the object, and then those of its kind that lost their last owner by that: a chain of them may
    /// be longer than a thread's stack.
    void end() {
        static constinit thread_local T** ending = nullptr;
        T* const self = static_cast<T*>(this);
        if (ending) {
            next_to_end_ = std::exchange(*ending, self);
            return;
        }
        T* list = self;
        ending = &list;
        while (list) {
            T* const one = list;
            list = one->next_to_end_;
            delete one;
        }
        ending = nullptr;
    }

    static constexpr cl_uint kAlive = 0xca1de7a0 ^ sizeof(T);
    const cl_icd_dispatch* const dispatch_ = &kDispatch.table;  // must be first, because the loader reads it
    void* dispatch_data_ = dispatch_data();                     // must be second, for the same reason
    std::atomic<cl_uint> tag_ = kAlive;  // distinguishes valid handles of this kind from others
    std::atomic<cl_uint> references_ = 1;
    std::atomic<cl_uint> owners_ = 1;  // all references of the program count as one
    const uint32_t forks_ = forks_before();
    T* next_to_end_ = nullptr;
};

/// Owns an object for the driver. Copyable.
template <class T>
class Ref {
 public:
    Ref() = default;
    explicit Ref(T* object) : object_(object) {
        if (object_) object_->own();
    }
    Ref(const Ref& other) : Ref(other.object_) {}
    /// Takes over a new object's first reference. give() makes one for the program.
    static Ref adopt(T* made) {
        Ref ref(made);
        made->release();
        return ref;
    }
    /// Returns null if nobody owns the object any more, that is, if its destructor is running.
    static Ref if_owned(T* object) {
        Ref ref;
        if (object->try_own()) ref.object_ = object;
        return ref;
    }
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Ref& operator=(Ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Ref() {
        if (object_) object_->disown();
    }
    T* get() const { return object_; }
    T* operator->() const { return object_; }
    T& operator*() const { return *object_; }
    explicit operator bool() const { return object_ != nullptr; }
    bool operator==(const Ref&) const = default;

 private:
    T* object_ = nullptr;
};

/// Returns a handle for the program, with its own reference.
template <class T>
T* give(const Ref<T>& object) {
    object->retain();
    return object.get();
}

/// Returns the object behind a handle that the program passed.
template <class T>
T& checked(T* handle) {
    require(handle && handle->is_alive(), T::kInvalid);
    return *handle;
}
template <class T>
cl_int retain(T* handle) noexcept {
    return entry([&] { checked(handle).retain(); }, CL_SUCCESS);
}
template <class T>
cl_int release(T* handle) noexcept {
    return entry(
        [&] {
            if (handle && handle->is_of_parent()) return;
            require(checked(handle).release(), T::kInvalid);
        },
        CL_SUCCESS);
}

}  // namespace caldera::icd
