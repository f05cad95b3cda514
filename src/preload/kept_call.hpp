// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <preload/environment.hpp>
#include <preload/mpi_operator.hpp>
#include <preload/recent_call.hpp>
#include <tutti/communicator/mpi/device_memory.hpp>
#include <tutti/mpi.hpp>
#include <watch/per_thread.hpp>

namespace tutti::preload {

/// What calls of one function have in common that differ in their memory alone.
struct call_key {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Count count;
    int root;
    bool in_place;

    friend bool operator==(call_key const&, call_key const&) = default;
};

/// One of the last few calls of a function on this thread that tutti has performed, ready for other memory: a call like
/// it is neither checked nor looked up again. Only of types and operators of MPI's own, whose handles mean one thing.
class kept_call {
public:
    kept_call() = default;
    kept_call(kept_call const&) = delete;
    kept_call& operator=(kept_call const&) = delete;
    virtual ~kept_call() = default;

    /// In place, `in` is `out`.
    virtual void perform(void const* in, void* out) = 0;

    /// For the report, of a place in the program that has not called before.
    void note_algorithm(watch::call_site& site) const {
        if (!site.algorithm.empty()) { return; }
        site.algorithm = algorithm_;
        site.saves = saves_;
    }

    /// The call that fits; null if there is none, its communicator may be gone, or the memory has to be checked.
    [[nodiscard]] static kept_call* find(function which, call_key const& key, void const* in, void const* out) {
        if (key.count < 0) { return nullptr; }
        auto const* const mine = kept::find();
        if (mine == nullptr) { return nullptr; }
        for (auto const& each : (*mine)[static_cast<std::size_t>(which)].all) {
            if (each.call == nullptr || !(each.key == key)) { continue; }
            bool const fits = each.ended == mpi::duplicates::ended() && each.call->takes(in, out);
            return fits ? each.call.get() : nullptr;
        }
        return nullptr;
    }

    /// Keeps a call of `bytes` bytes that has been performed, if all ranks take those that follow: `invoke(state)`
    /// makes its invocation, which may refer to the state that it is given, a copy of `state`.
    template <class State, class Invoke>
    static void keep(function which, call_key const& key, std::size_t bytes, State const& state, Invoke invoke) {
        if (mpi::device_memory::mpi_takes_it() || !is_predefined(key.type) ||
            (key.op != MPI_OP_NULL && is_users(key.op))) {
            return;
        }
        using type = invocation<State, decltype(invoke(std::declval<State&>()))>;
        auto fresh = std::make_unique<type>(state, invoke);
        if (auto const* const site = noted_site) {
            fresh->algorithm_ = site->algorithm;
            fresh->saves_ = site->saves;
        }
        fresh->in_place_ = key.in_place;
        fresh->bytes_ = static_cast<std::intptr_t>(bytes);
        auto& [all, next] = kept::get()[static_cast<std::size_t>(which)];
        auto* place = std::find_if(all.begin(), all.end(), [&](last_call const& each) { return each.key == key; });
        if (place == all.end()) { place = &all[next++ % all.size()]; }
        *place = {key, mpi::duplicates::ended(), std::move(fresh)};
    }

private:
    struct last_call {
        call_key key;
        unsigned ended;
        std::unique_ptr<kept_call> call;
    };
    struct last_calls {
        std::array<last_call, 4> all{};
        std::size_t next = 0;
    };

    template <class State, class What>
    class invocation;

    using kept = watch::per_thread<std::array<last_calls, function_names.size()>>;

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

template <class State, class What>
class kept_call::invocation final : public kept_call {
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

}  // namespace tutti::preload
