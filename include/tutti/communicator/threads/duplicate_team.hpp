// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <tutti/communicator.hpp>
#include <tutti/communicator/threads/options.hpp>
#include <tutti/communicator/threads/team.hpp>

namespace tutti::threads {

/// Another team of the ranks of `first`. All of them have to call; rank 0 makes it and lends the others its pointer.
template <lends_objects C>
[[nodiscard]] std::shared_ptr<team> duplicate_team(C& first, options const& how) {
    auto const tag = first.new_tag();
    std::shared_ptr<team> second;
    if (first.rank() == 0) {
        second = std::make_shared<team>(first.size(), how);
        std::vector<typename C::request> sends;
        for (int peer = 1; peer < first.size(); ++peer) {
            sends.push_back(first.send(peer, tag, std::as_bytes(std::span{&second, 1})));
        }
        std::vector<completion> done(sends.size());
        while (first.wait_some(sends, done) > 0) {}
    } else {
        auto lent = first.receive_in_place(0, tag, sizeof second);
        completion done;
        first.wait_some(std::span{&lent, 1}, std::span{&done, 1});
        second = *reinterpret_cast<std::shared_ptr<team> const*>(done.lent);
        first.give_back(done);
    }
    return second;
}

}  // namespace tutti::threads
