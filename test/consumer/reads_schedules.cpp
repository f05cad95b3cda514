// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
#include <cstddef>

#include <range/v3/algorithm/count_if.hpp>
#include <range/v3/numeric/accumulate.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>

#include <tutti/generator/binomial.hpp>
#include <tutti/tutti.hpp>

int main() {
    constexpr std::size_t size = 7;
    auto const whole = tutti::partition::equal(1, 1);
    auto const sends = ranges::views::iota(std::size_t{0}, size) | ranges::views::transform([&](std::size_t rank) {
        auto steps = generate(tutti::collective::reduce{}, tutti::binomial{}, tutti::problem{rank, size, 0, whole});
        return ranges::count_if(steps, [](auto const& each) { return each.what == tutti::schedules::action::send; });
    });
    return ranges::accumulate(sends, 0) == int{size} - 1 ? 0 : 1;
}
