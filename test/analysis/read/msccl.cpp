// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <support/msccl_xml.hpp>

#include <tutti/analysis/from_file.hpp>
#include <tutti/analysis/read/msccl.hpp>
#include <tutti/generator/all.hpp>
#include <tutti/generator/any_generator.hpp>

BOOST_AUTO_TEST_SUITE(analysis_read_msccl)

using namespace tutti;

namespace {

std::string step_of(std::size_t s, std::string const& type, std::string const& source, std::string const& target,
                    std::string const& on = "-1") {
    auto const place = [](std::string const& end, std::string const& where) {
        return ' ' + end + "buf=\"" + where.substr(0, 1) + "\" " + end + "off=\"" + where.substr(1) + '"';
    };
    return "<step s=\"" + std::to_string(s) + "\" type=\"" + type + '"' + place("src", source) + place("dst", target) +
           " cnt=\"1\" depid=\"" + on + "\" deps=\"" + (on == "-1" ? "-1" : "0") + "\" hasdep=\"0\"/>\n";
}

std::string block(std::size_t id, std::string const& send, std::string const& receive, std::string const& steps) {
    return "<tb id=\"" + std::to_string(id) + "\" send=\"" + send + "\" recv=\"" + receive + "\" chan=\"0\">\n" + steps +
           "</tb>\n";
}

std::string algorithm(std::vector<std::string> const& ranks, std::size_t chunks = 1, std::string const& coll = "allreduce",
                      std::string const& inplace = "1") {
    auto text = "<algo name=\"mine\" nchunksperloop=\"" + std::to_string(chunks) + "\" ngpus=\"" +
                std::to_string(ranks.size()) + "\" coll=\"" + coll + "\" inplace=\"" + inplace + "\">\n";
    for (std::size_t rank = 0; rank != ranks.size(); ++rank) {
        text += "<gpu id=\"" + std::to_string(rank) + "\">\n" + ranks[rank] + "</gpu>\n";
    }
    return text + "</algo>\n";
}

std::string reason_against(std::string const& text) {
    try {
        from_file const read{text, "file"};
    } catch (analysis::broken_schedule const& wrong) { return wrong.reason(); }
    return "";
}

/// What a step says but for what MSCCL has no place for.
std::string described(step const& each, schedules::block_range range) {
    auto const name_in = [](buffer where) { return where.index() > 2 ? std::string{"scratch"} : where.name(); };
    auto text = std::string{name(each.what)} + ' ' + name_in(each.target);
    text += each.communicates() ? ' ' + std::to_string(each.peer) : ' ' + name_in(each.source);
    return text + ' ' + std::to_string(range.first) + '-' + std::to_string(range.last);
}

template <class Schedule>
std::string described(Schedule const& all) {
    std::string result;
    std::set<std::pair<std::uint32_t, std::size_t>> filled;
    for (step each : all) {
        for (auto const& range : each.blocks) {
            auto one = each;
            bool const starts_empty = each.target.index() > buffer::result().index();
            if (each.combines() && starts_empty && !filled.contains({each.target.index(), range.first})) {
                one.what = each.communicates() ? schedules::action::receive : schedules::action::copy;
            }
            filled.insert({each.target.index(), range.first});
            if (each.communicates()) {
                result += described(one, range) + '\n';
                continue;
            }
            for (auto at = range.first; at != range.last; ++at) { result += described(one, {at, at + 1}) + '\n'; }
        }
    }
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_ring_that_reduces_and_copies_what_it_sends_on) {
    // what comes from the last rank goes round once more
    from_file const ring{algorithm({block(0, "1", "2", step_of(0, "s", "i0", "i0") + step_of(1, "rcs", "i0", "o0")),
                                    block(0, "2", "0", step_of(0, "rrs", "i0", "i0") + step_of(1, "r", "i0", "o0")),
                                    block(0, "0", "1", step_of(0, "rrcs", "i0", "o0"))},
                                   1, "allreduce", "0"),
                         "ring"};
    BOOST_TEST(ring.suits<collective::all_reduce>(3, false));
    BOOST_TEST(ring.table().name == "mine");
    auto const verdict = verify(collective::all_reduce{}, ring, 3, 0, partition::equal(1, 1));
    BOOST_TEST(verdict.term == "((0+1)+2)");
    BOOST_TEST((ring.table().steps[1][0].what == schedules::action::copy));  // rrs keeps its operand as it is
}

BOOST_AUTO_TEST_CASE(chunks_of_one_block_in_scratch_get_buffers_of_their_own) {
    auto const rank = [](std::string const& a, std::string const& b) {
        return block(0, a, a, step_of(0, "s", "i0", "s0") + step_of(1, "r", "i0", "s0")) +
               block(1, b, b, step_of(0, "s", "i0", "s1") + step_of(1, "r", "i0", "s7")) +
               block(2, "-1", "-1",
                     "<step s=\"0\" type=\"nop\" srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" dstoff=\"-1\" cnt=\"0\" depid=\"0\" "
                     "deps=\"1\" hasdep=\"0\"/>" +
                         step_of(1, "re", "s0", "i0") +
                         "<step s=\"2\" type=\"re\" srcbuf=\"s\" srcoff=\"7\" dstbuf=\"i\" dstoff=\"0\" cnt=\"1\" depid=\"1\" "
                         "deps=\"1\" hasdep=\"0\"/>");
    };
    from_file const pairs{algorithm({rank("1", "2"), rank("0", "2"), rank("0", "1")}), "pairs"};
    BOOST_TEST(pairs.suits<collective::all_reduce>(3, true));
    BOOST_TEST(!pairs.suits<collective::all_reduce>(3, false));  // rank 1 combines itself and rank 0 in this order
    std::set<std::uint32_t> buffers;
    for (auto const& each : pairs.table().steps[0]) { buffers.insert(each.target.index()); }
    BOOST_TEST(buffers.size() == 3U);
}

BOOST_AUTO_TEST_CASE(schedules_are_the_same_again_but_for_rounds_sides_and_the_names_of_scratch) {
    std::size_t compared = 0;
    auto const check = [&]<class Collective>(Collective which) {
        generators::for_each_algorithm(which, [&](auto const& each) {
            generators::any_generator<Collective> const of{generators::algorithm_for(which, each)};
            for (std::size_t size = 2; size <= 17; ++size) {
                if (!of.stated().supports(size)) { continue; }
                auto const wanted = std::max<std::size_t>(of.blocks(size, 64 * 8), 1);
                auto const blocks = collective::divides<Collective> ? std::max<std::size_t>(wanted / size, 1) * size : wanted;
                auto const cut = partition::equal(blocks, blocks);
                support::msccl_xml<Collective> const written{which, of, size, cut};
                if (!written.fits()) { continue; }
                ++compared;
                from_file const again{written.text(), "again"};
                BOOST_TEST(again.suits<Collective>(size, true), Collective::name << " by " << of.name() << ", " << size);
                for (std::size_t rank = 0; rank != size; ++rank) {
                    problem const at{rank, size, 0, cut};
                    BOOST_TEST(described(generate(which, again, at)) == described(generate(which, of, at)));
                }
            }
        });
    };
    check(collective::all_reduce{});
    check(collective::all_gather{});
    check(collective::reduce_scatter{});
    BOOST_TEST(compared > 500U);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_refused_by_the_reader_with_its_line_or_by_the_proof) {
    auto const two = [](std::string const& first, std::string const& second) {
        return algorithm({block(0, "1", "1", first), block(0, "0", "0", second)});
    };
    auto const sent = step_of(0, "s", "i0", "i0");
    BOOST_TEST(reason_against(two(sent + step_of(1, "rrc", "i0", "i0"), sent + step_of(1, "rrc", "i0", "i0"))) == "");
    BOOST_TEST(reason_against(two("", step_of(0, "sing", "i0", "i0"))) ==
               "file:8: expected nop, s, r, cpy, re, rrc, rrs, rcs or rrcs, not 'sing'");
    BOOST_TEST(reason_against(two(step_of(0, "r", "i0", "i0"), step_of(0, "r", "i0", "i0"))) ==
               "file:4: the message from rank 1 never comes: a deadlock");
    BOOST_TEST(reason_against(two(sent, step_of(0, "r", "i0", "i1"))) == "file:9: nothing is in i[1] of rank 1");
    BOOST_TEST(reason_against(two(step_of(0, "s", "s0", "i0"), step_of(0, "r", "i0", "i0"))) ==
               "file:4: nothing is in s[0] of rank 0");
    BOOST_TEST(reason_against(two(step_of(0, "cpy", "i0", "x0"), "")) == "file:4: expected i, o or s, not 'x'");
    BOOST_TEST(reason_against(two(step_of(0, "cpy", "i0", "s0", "3"), "")) == "file:4: step 0 of tb 3 is missing before");
    BOOST_TEST(reason_against(two(step_of(1, "cpy", "i0", "s0"), "")) == "file:4: step 0 of tb 0 is missing before");
    BOOST_TEST(reason_against(algorithm({block(0, "-1", "-1", sent), ""})) ==
               "file:3: expected send of tb, a whole number up to 1, not '-1'");
    BOOST_TEST(reason_against(algorithm({"", ""}, 1, "alltoall")) ==
               "file:1: expected allreduce, allgather or reducescatter, not 'alltoall'");
    BOOST_TEST(reason_against("<algo coll=\"allreduce\"/>") == "file:1: an element algo has no nchunksperloop");
    BOOST_TEST(reason_against("<algo>\n<gpu>\n</algo>").find("file:3: ") == 0U);
    from_file const once{two(sent, step_of(0, "rrc", "i0", "i0")), "once"};
    BOOST_CHECK_EXCEPTION(static_cast<void>(once.suits<collective::all_reduce>(2, true)), analysis::broken_schedule,
                          [](auto const& wrong) {
                              return wrong.reason().find("once: rank 0, block 0: result ") == 0;
                          });
    BOOST_CHECK_EXCEPTION(static_cast<void>(once.suits<collective::reduce>(2, true)), analysis::broken_schedule,
                          [](auto const& wrong) {
                              return wrong.reason() == "once: the file is for all_reduce, not for reduce";
                          });
}

BOOST_AUTO_TEST_SUITE_END()
