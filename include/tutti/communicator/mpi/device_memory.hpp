// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include <dlfcn.h>
#include <link.h>

namespace tutti::mpi {

/// Memory of accelerators (GPUs), which only some MPIs can send and the processor cannot read. CUDA's driver knows
/// which memory that is; managed, pinned and registered memory is none. HIP's and Level Zero's are not asked.
class device_memory {
public:
    /// Whether MPI takes such memory.
    [[nodiscard]] static bool mpi_takes_it() {
        static bool const result = [] {
            bool any = false;
            for (auto const* const each : {"MPIX_Query_cuda_support", "MPIX_Query_hip_support",
                                           "MPIX_Query_rocm_support", "MPIX_Query_ze_support"}) {
                auto* const query = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, each));
                any = any || (query != nullptr && query() != 0);
            }
            return any;
        }();
        return result;
    }

    /// Whether this rank has begun to use a device.
    [[nodiscard]] static bool is_in_use() {
        if (is_loaded("libamdhip64.so") || is_loaded("libze_loader.so.1")) { return true; }
        void* context = nullptr;
        return driver() != nullptr && driver()->current(&context) == 0 && context != nullptr;
    }

    /// 21 ns where no device is used, some 100 ns where one is.
    [[nodiscard]] static bool holds(void const* first) {
        auto const* const asked = driver();
        if (asked == nullptr || first == nullptr) { return false; }
        unsigned kind = 0, is_managed = 0;
        std::array attributes{memory_type, managed};
        std::array<void*, 2> answers{&kind, &is_managed};
        return asked->attributes(2, attributes.data(), answers.data(), reinterpret_cast<std::uintptr_t>(first)) == 0 &&
               kind == device && is_managed == 0;
    }

    /// One of the two is a device's.
    static void copy(void* to, void const* from, std::size_t bytes) {
        auto const& by = *driver();
        auto const source = reinterpret_cast<std::uintptr_t>(from), target = reinterpret_cast<std::uintptr_t>(to);
        void *before = nullptr, *own = nullptr;
        by.current(&before);
        by.attribute(&own, context_of, holds(from) ? source : target);
        if (own != before && own != nullptr) { by.set_current(own); }
        bool const copied = by.copy(target, source, bytes) == 0 && by.synchronize(nullptr) == 0;
        if (own != before && own != nullptr) { by.set_current(before); }
        if (!copied) {
            throw std::runtime_error{"tutti: CUDA cannot copy memory of a device that a call was given; copy it to "
                                     "memory of the host first"};
        }
    }

    /// Errors: std::invalid_argument.
    static void refuse(void const* first) {
        if (holds(first)) {
            throw std::invalid_argument{
                "tutti: a vector lies in the memory of a CUDA device; copy it to memory of the host, "
                "or allocate it by cudaMallocManaged"};
        }
    }

private:
    // of cuda.h
    static constexpr int context_of = 1;
    static constexpr int memory_type = 2;
    static constexpr int managed = 8;
    static constexpr unsigned device = 2;

    struct functions {
        int (*attributes)(unsigned, int*, void**, std::uintptr_t);
        int (*attribute)(void*, int, std::uintptr_t);
        int (*current)(void**);
        int (*set_current)(void*);
        int (*copy)(std::uintptr_t, std::uintptr_t, std::size_t);
        int (*synchronize)(void*);
    };

    [[nodiscard]] static bool is_loaded(char const* library) {
        auto* const found = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
        return found != nullptr && dlclose(found) == 0;
    }

    /// How often libraries have been loaded into this process.
    [[nodiscard]] static unsigned long long loads() {
        unsigned long long result = 0;
        auto const read = [](dl_phdr_info* one, std::size_t, void* into) {
            *static_cast<unsigned long long*>(into) = one->dlpi_adds;
            return 1;
        };
        dl_iterate_phdr(read, &result);
        return result;
    }

    // Null while it is not loaded: looked for again after each load.
    [[nodiscard]] static functions const* driver() {
        static std::atomic<unsigned long long> looked_at{0};
        static std::atomic<functions const*> found{nullptr};
        auto const now = loads();
        if (looked_at.load(std::memory_order_acquire) == now) { return found.load(std::memory_order_relaxed); }
        static functions all{};
        auto* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);  // stays, as the driver does
        auto const find = [&](auto& function, char const* name) {
            auto* const symbol = dlsym(library != nullptr ? library : RTLD_DEFAULT, name);
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
            return symbol != nullptr;
        };
        if (find(all.attributes, "cuPointerGetAttributes") && find(all.attribute, "cuPointerGetAttribute") &&
            find(all.current, "cuCtxGetCurrent") && find(all.set_current, "cuCtxSetCurrent") &&
            find(all.copy, "cuMemcpy") && find(all.synchronize, "cuStreamSynchronize")) {
            found.store(&all, std::memory_order_relaxed);
        }
        looked_at.store(now, std::memory_order_release);
        return found.load(std::memory_order_relaxed);
    }
};

}  // namespace tutti::mpi
