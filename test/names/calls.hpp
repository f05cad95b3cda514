// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Every collective, with elements and operators of a namespace that has a template for everything, by every name that
// tutti calls. A call of tutti's that finds it does not compile.

namespace greedy {

struct Element {
    int x = 0;
};

struct Operator {
    Element operator()(Element const& a, Element const& b) const { return {a.x + b.x}; }
};

}  // namespace greedy

namespace {

template <class World>
std::size_t ranks_of(World const& world) {
    return static_cast<std::size_t>(tutti::argument::size_of(tutti::argument::communicator_for(world)));
}

template <class World, class Op>
void call_everything(World const& world, Op const& op) {
    using greedy::Element;
    std::vector<Element> const in(4, Element{1});
    std::vector<Element> out(4), part(4), whole(4 * static_cast<std::size_t>(ranks_of(world)));
    Element one{2};
    auto const known = tutti::with_identity(op, Element{});

    tutti::all_reduce(world, in, out, op);
    tutti::all_reduce(world, tutti::inplace(out), tutti::commutative(op), tutti::ring{});
    tutti::all_reduce(world, in, out, op, tutti::reproducible{});
    one = tutti::all_reduce(world, tutti::value(one), op);
    tutti::reduce(world, in, out, op, 0);
    tutti::reduce(world, tutti::inplace(out), op, 0);
    static_cast<void>(tutti::reduce(world, tutti::value(one), op, 0));
    tutti::inclusive_scan(world, in, out, op);
    tutti::inclusive_scan(world, tutti::inplace(out), op);
    tutti::exclusive_scan(world, in, out, known);
    tutti::scan_reduce(world, in, out, part, op);
    static_cast<void>(tutti::scan_reduce(world, tutti::value(one), known));
    tutti::reduce_scatter(world, whole, part, op);
    tutti::broadcast(world, out, 0);
    tutti::gather(world, in, whole, 0);
    tutti::scatter(world, whole, part, 0);
    tutti::all_gather(world, in, whole);

    static_cast<void>(tutti::all_reduce_sequence(world, in, known));
    static_cast<void>(tutti::reduce_sequence(world, in, op, 0));
    tutti::inclusive_scan_sequence(world, in, out, op);
    tutti::exclusive_scan_sequence(world, in, out, op);

    auto plan = tutti::plan::all_reduce(world, in, out, op);
    plan.start();
    plan.wait();
    static_cast<void>(plan.explain());
    auto pending = tutti::async::all_reduce(world, in, out, op);
    pending.wait();
    static_cast<void>(tutti::measure(world, tutti::combining<Element>(op)));
}

}  // namespace

int main() {
    tutti::threads::run(3, [](auto& world) {
        call_everything(world, greedy::Operator{});
        call_everything(world, [](greedy::Element a, greedy::Element) { return a; });
    });
#ifdef MPI_VERSION
    call_everything(MPI_COMM_WORLD, greedy::Operator{});
#endif
}
