// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <pmpi/datatype.hpp>
#include <pmpi/operator.hpp>
#include <tutti/communicator/mpi/device_memory.hpp>
#include <tutti/mpi.hpp>
#include <watch/call_site.hpp>

namespace tutti::preload {

using namespace pmpi;
using watch::call_site;

/// All arguments of a call but its buffers.
struct call_key {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Count count;  ///< negative: the call is not cached
    int root;
    bool in_place;

    friend bool operator==(call_key const&, call_key const&) = default;
};

/// A call that tutti has performed: one with an equal key is performed with other buffers, and not checked again.
class cached_call {
public:
    cached_call() = default;
    cached_call(cached_call const&) = delete;
    cached_call& operator=(cached_call const&) = delete;
    virtual ~cached_call() = default;

    /// In place, `in` is `out`.
    virtual void perform(void const* in, void* out) = 0;

    /// Tells the report its algorithm, once for each place in the program.
    void note_algorithm(call_site& site) const {
        if (!site.algorithm.empty()) { return; }
        site.algorithm = algorithm_;
        site.saves = saves_;
    }

private:
    friend class cached_calls;

    [[nodiscard]] bool takes(void const* in, void const* out) const {
        if ((reads_ && in == nullptr) || (writes_ && out == nullptr)) { return false; }
        if (in_place_ || !reads_ || !writes_) { return true; }
        auto const away = reinterpret_cast<std::intptr_t>(out) - reinterpret_cast<std::intptr_t>(in);
        return away >= bytes_ || away <= -bytes_;
    }

    std::string algorithm_;
    double saves_ = 0;
    bool in_place_ = false;
    std::intptr_t bytes_ = 0;  // of the whole vector

protected:
    bool reads_ = false;
    bool writes_ = false;
};

/// The last four calls of an entry. Only those of MPI's own types and operators: MPI may use the program's handles
/// again for other objects.
class cached_calls {
public:
    /// Null if there is none with this key, or the buffers have to be checked.
    [[nodiscard]] cached_call* find(call_key const& key, void const* in, void const* out) const {
        if (key.count < 0) { return nullptr; }
        for (auto const& each : all_) {
            if (each.call == nullptr || !(each.key == key)) { continue; }
            return each.call->takes(in, out) ? each.call.get() : nullptr;
        }
        return nullptr;
    }

    /// Caches a call of `bytes` bytes that has been performed. `invoke` is given a copy of `state`, to which the
    /// invocation that it returns may refer.
    template <class State, class Invoke>
    void add(call_key const& key, std::size_t bytes, call_site const* site, State const& state, Invoke invoke) {
        bool const is_users_op = key.op != MPI_OP_NULL && is_users(key.op);
        if (mpi::device_memory::mpi_takes_it() || !is_predefined(key.type) || is_users_op) { return; }
        using type = invocation<State, decltype(invoke(std::declval<State&>()))>;
        auto fresh = std::make_unique<type>(state, invoke);
        if (site != nullptr) {
            fresh->algorithm_ = site->algorithm;
            fresh->saves_ = site->saves;
        }
        fresh->in_place_ = key.in_place;
        fresh->bytes_ = static_cast<std::intptr_t>(bytes);
        auto* place = std::find_if(all_.begin(), all_.end(), [&](one const& each) { return each.key == key; });
        if (place == all_.end()) { place = &all_[next_++ % all_.size()]; }
        *place = {key, std::move(fresh)};
    }

private:
    struct one {
        call_key key;
        std::unique_ptr<cached_call> call;
    };

    template <class State, class What>
    class invocation final : public cached_call {
    public:
        template <class Invoke>
        invocation(State const& state, Invoke invoke) : state_{state}, what_{invoke(state_)} {
            reads_ = what_.input != nullptr;
            writes_ = what_.output != nullptr;
        }

        void perform(void const* in, void* out) override {
            using element = typename What::element_type;
            if (reads_) { what_.input = static_cast<element const*>(in); }
            if (writes_) { what_.output = static_cast<element*>(out); }
            engine::perform(what_);
        }

    private:
        State state_;
        What what_;
    };

    std::array<one, 4> all_{};
    std::size_t next_ = 0;
};

}  // namespace tutti::preload
