// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstdint>
#include <exception>

#include <tutti/communicator/call.hpp>
#include <tutti/dynamic_array.hpp>

namespace tutti {

/// A call, or a run of a plan, in which this rank is: what ranks that wait for it in vain are told, and what becomes of
/// it when the communicator fails or ends.
class supervised_call {
public:
    supervised_call() = default;
    supervised_call(supervised_call const&) = delete;
    supervised_call& operator=(supervised_call const&) = delete;

    [[nodiscard]] virtual bool is_under_way() const = 0;
    [[nodiscard]] virtual int tag() const = 0;
    /// The number of the call, or plan, that has the tag now, see `communicator_defaults::number_of`; in the lower 32
    /// bits that of the run: 0 before the data, then 1, or 2, 3, ... of a plan.
    [[nodiscard]] virtual std::int64_t run() const = 0;
    [[nodiscard]] virtual call const& entered() const = 0;
    /// The ranks to or from which a message is under way, or some of them: those that cannot complete this call any
    /// more if they have left it.
    [[nodiscard]] virtual dynamic_array<int> awaited() const = 0;

    /// A digest of the messages that this rank exchanges with `peer`, which has to find the same.
    [[nodiscard]] virtual std::uint64_t traffic_with(int peer) const = 0;

    /// Gives up what is under way; null if its caller learns otherwise why.
    virtual void abandon(std::exception_ptr why) noexcept = 0;
    /// All ranks have recovered: runs are counted anew, since some may have begun more of them than others.
    virtual void on_recover() noexcept {}
    /// The last moment at which the communicator can be used.
    virtual void on_close() noexcept {}

protected:
    ~supervised_call() = default;
};

}  // namespace tutti
