// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <tutti/generator/reduce/pipeline.hpp>
#include <tutti/generator/reduce/round_optimal.hpp>
#include <tutti/generator/reduce/two_tree.hpp>
#include <tutti/generator/reverse.hpp>
#include <tutti/problem.hpp>
#include <tutti/selection/message_costs.hpp>
#include <tutti/selection/situation.hpp>

namespace tutti {

/// What matters of a pipeline but the number of its segments.
struct pipeline_course {
    double hops;                 ///< of the first segment
    double combines = 1;         ///< of the first segment, at each hop, before it goes on
    double messages = 1;         ///< for each further one, that a rank gets on average, and sends
    double kept = 0;             ///< of these, that it does not combine
    double crowding = 1;         ///< of these, see message_costs::stage
    double on_shared_links = 1;  ///< times as long they take where links are shared
    bool overtake = false;       ///< messages overtake one another: seldom one comes while another is combined
};

/// What algorithms take that send segments one after another: the first one's way, and a stage for each further one.
///
/// In seconds, where messages in flight together share latencies but not links. How much ranks that hear from several
/// others get in each other's way was measured in simulated networks (16, 48 and 128 ranks, segments of 2 to 32 KiB).
/// In a network few messages of a pipeline share a link, but processors may be shared; in shared memory all ranks share
/// processors and memory.
[[nodiscard, gnu::cold]] inline double time_of_segments(std::size_t segments, pipeline_course const& course,
                                                        message_costs const& costs, situation const& now) {
    auto const count = static_cast<double>(std::max<std::size_t>(segments, 1));
    auto const segment = static_cast<double>(now.bytes) / count;
    auto crowd = now.at_any_distance();
    if (!now.on_one_node()) { crowd.latency = crowd.per_byte = 1; }
    auto shared = crowd;
    shared.per_byte *= course.on_shared_links;
    auto const keeping = costs.without_combines();
    auto next = costs.stage(segment, course.crowding, shared);
    auto kept = keeping.stage(segment, course.crowding, shared);
    if (now.size == 2) {  // one sends and the other one receives
        next = costs.apart(segment, crowd);
        kept = keeping.apart(segment, crowd);
    } else if (course.overtake) {
        next = keeping.stage(segment, course.crowding, shared) + course.crowding * costs.combine(segment);
    }
    auto const hop = costs.through(segment, crowd) + (course.combines - 1) * costs.combine(segment);
    return course.hops * hop + (count - 1) * ((course.messages - course.kept) * next + course.kept * kept);
}

namespace crowding {

/// Each rank hears from three others, or speaks to them.
inline constexpr double of_two_trees = 1.25;
/// What two trees downwards lose of links that are shared, at most.
inline constexpr double of_trees_downwards = 1.15;
/// Each rank hears from log p others, and speaks to as many.
inline constexpr double of_circulants = 1.27;
/// Long messages from several ranks at once, each of which has others to send to: those that wait for a link overtake
/// one another, and other links stand idle.
inline constexpr double of_several_ports = 1.3;

}  // namespace crowding

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, pipeline const& generator,
                                               message_costs const& costs, situation const& now) {
    return time_of_segments(generator.segments, {.hops = static_cast<double>(now.size - 1)}, costs, now);
}

/// Segments come from another rank every time; but they are short, and ranks need not wait for each before the next.
[[nodiscard, gnu::cold]] inline double meetings_of_segments(situation const& now) {
    return std::sqrt(now.change_of_distance());
}

[[nodiscard]] constexpr pipeline_course course_of_two_trees(std::size_t size) {
    // of each segment from both children, while the other tree's wait
    return {.hops = 1.25 * log2_of(size) + 0.5, .combines = 2.5, .crowding = crowding::of_two_trees};
}
[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, two_tree const& generator,
                                               message_costs const& costs, situation const& now) {
    auto course = course_of_two_trees(now.size);
    course.on_shared_links = meetings_of_segments(now);
    return time_of_segments(generator.segments, course, costs, now);
}
/// Routes are often chosen by destination: on the way down, a switch's messages are for the same few places in others.
[[nodiscard, gnu::cold]] inline double time_of(collective::broadcast, reversed<two_tree> const& generator,
                                               message_costs const& costs, situation const& now) {
    auto course = course_of_two_trees(now.size);
    course.on_shared_links = std::max(std::min(now.at_any_distance().per_byte, crowding::of_trees_downwards),
                                      meetings_of_segments(now));
    return time_of_segments(generator.generator.segments, course, costs, now);
}

[[nodiscard, gnu::cold]] inline double time_of(collective::reduce, round_optimal const& generator,
                                               message_costs const& costs, situation const& now) {
    pipeline_course course{.hops = log2_of(now.size) + 0.5,
                           .crowding = crowding::of_circulants,
                           .on_shared_links = now.at_any_distance().per_byte};
    auto const segment = now.bytes / std::max<std::size_t>(generator.segments, 1);
    course.overtake = !now.on_one_node() && segment > now.bytes_per_latency();
    course.on_shared_links *= std::max(course.overtake ? crowding::of_several_ports : 1, meetings_of_segments(now));
    return time_of_segments(generator.segments, course, costs, now);
}
[[nodiscard, gnu::cold]] inline double time_of(collective::broadcast, round_optimal const& generator,
                                               message_costs const& costs, situation const& now) {
    return time_of(collective::reduce{}, generator, costs, now);
}

}  // namespace tutti
