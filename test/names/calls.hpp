// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Every collective, with elements, operators, generators, ranges and communicators of a namespace that has a template for
// everything, by every name that tutti calls. A call of tutti's that finds it does not compile. Nothing here is run.

namespace greedy {

struct Element {
    int x = 0;
    friend bool operator==(Element const&, Element const&) = default;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& x;
    }
};

struct Operator {
    Element operator()(Element const& a, Element const& b) const { return {a.x + b.x}; }
};

/// Does not travel as bytes.
struct Text : Element {
    std::string words;
};

struct Join {
    Text operator()(Text const& a, Text const& b) const { return {a, a.words + b.words}; }
};

template <class T>
struct Wide {
    T sum{};
    Wide() = default;
    explicit Wide(T first) : sum{first} {}
    explicit Wide(Element first) : sum{first.x} {}
    explicit operator Element() const { return {sum}; }
};

/// Which element is the least, and where.
struct Place {
    int value = 0, rank = 0;
};

struct Add {
    template <class T>
    Wide<T> operator()(Wide<T> const& a, Wide<T> const& b) const {
        return Wide<T>{a.sum + b.sum};
    }
};

template <class T>
class Range {
public:
    explicit Range(std::size_t size) : elements_(size) {}
    [[nodiscard]] auto begin() { return elements_.begin(); }
    [[nodiscard]] auto begin() const { return elements_.begin(); }
    [[nodiscard]] auto end() { return elements_.end(); }
    [[nodiscard]] auto end() const { return elements_.end(); }

private:
    std::vector<T> elements_;
};

/// A generator of every collective.
struct Algorithm {
    std::size_t factor = 1;
    friend bool operator==(Algorithm const&, Algorithm const&) = default;
};
template <class Collective>
constexpr tutti::facts describe(Collective, std::type_identity<Algorithm>) {
    return {.name = "greedy", .requires_commutative = true};
}
template <class Collective>
auto generate(Collective, Algorithm const& all, tutti::problem const& at) {
    auto const at_index = [](std::size_t i) { return tutti::step::send(i, i, tutti::buffer::result(), i); };
    return tutti::schedules::without_empty_blocks(
        at.blocks, tutti::schedules::indexed_schedule(all.factor, at.size, at_index));
}

class Ranks : public tutti::communicator_defaults<Ranks> {
public:
    using request = int;
    [[nodiscard]] static request inactive();
    [[nodiscard]] int rank() const;
    [[nodiscard]] int size() const;
    [[nodiscard]] std::size_t message_limit() const;
    [[nodiscard]] int new_tag();
    [[nodiscard]] tutti::control::store& store();
    [[nodiscard]] tutti::control::supervisor& supervisor();
    request send(int peer, int tag, std::span<std::byte const> data);
    request receive(int peer, int tag, std::span<std::byte> memory);
    std::size_t test_some(std::span<request> requests, std::span<tutti::completion> done);
    std::size_t wait_some(std::span<request> requests, std::span<tutti::completion> done);
    void cancel(request given_up);
};

struct World {
    Ranks* ranks;
};

}  // namespace greedy

template <>
struct tutti::communicator_of<greedy::World> {
    static greedy::Ranks& get(greedy::World const& world) { return *world.ranks; }
};

template <>
struct tutti::serialization<greedy::Text> {
    static void save(std::span<greedy::Text const> in, std::vector<std::byte>& packed);
    static void load(std::span<std::byte const> packed, std::span<greedy::Text> out);
};

namespace {

template <class Call>
void test_and_wait(Call call) {
    if (!call.test()) { call.wait(); }
}

/// Each collective in each form, where `in` and `out` hold elements of one type.
template <class World, class T, class Op, class... Algorithm>
void call_everything(World const& world, std::vector<T> const& in, T const& zero, Op const& op, Algorithm... by) {
    auto const size = static_cast<std::size_t>(tutti::argument::size_of(tutti::argument::communicator_for(world)));
    std::vector<T> out(in.size()), part(in.size()), whole(in.size() * size);
    std::vector<std::size_t> const counts(size, in.size());
    T one = zero;
    auto const known = tutti::with_identity(op, zero);

    tutti::all_reduce(world, in, out, op, by...);
    tutti::all_reduce(world, tutti::inplace(out), tutti::commutative(op), by...);
    one = tutti::all_reduce(world, tutti::value(one), op, by...);
    tutti::reduce(world, in, out, op, 0, by...);
    tutti::reduce(world, tutti::inplace(out), op, 0, by...);
    static_cast<void>(tutti::reduce(world, tutti::value(one), op, 0, by...));
    tutti::inclusive_scan(world, in, out, op, by...);
    tutti::inclusive_scan(world, tutti::inplace(out), op, by...);
    tutti::exclusive_scan(world, in, out, known, by...);
    tutti::scan_reduce(world, in, out, part, op, by...);
    static_cast<void>(tutti::scan_reduce(world, tutti::value(one), known, by...));
    tutti::reduce_scatter(world, whole, part, op, by...);
    tutti::reduce_scatter(world, whole, part, counts, op, by...);
    tutti::broadcast(world, out, 0, by...);
    tutti::broadcast(world, tutti::value(one), 0, by...);
    tutti::gather(world, in, whole, 0, by...);
    tutti::scatter(world, whole, part, 0, by...);
    tutti::all_gather(world, in, whole, by...);

    test_and_wait(tutti::plan::all_reduce(world, in, out, op, by...));
    test_and_wait(tutti::plan::reduce(world, in, out, op, 0, by...));
    test_and_wait(tutti::plan::inclusive_scan(world, in, out, op, by...));
    test_and_wait(tutti::plan::exclusive_scan(world, in, out, known, by...));
    test_and_wait(tutti::plan::scan_reduce(world, in, out, part, op, by...));
    test_and_wait(tutti::plan::reduce_scatter(world, whole, part, op, by...));
    test_and_wait(tutti::plan::broadcast(world, out, 0, by...));
    test_and_wait(tutti::plan::gather(world, in, whole, 0, by...));
    test_and_wait(tutti::plan::scatter(world, whole, part, 0, by...));
    test_and_wait(tutti::plan::all_gather(world, in, whole, by...));
    test_and_wait(tutti::async::all_reduce(world, in, out, op, by...));
    test_and_wait(tutti::async::all_reduce(world, tutti::value(one), op, by...));
    test_and_wait(tutti::async::reduce(world, tutti::value(one), op, 0, by...));
    test_and_wait(tutti::async::inclusive_scan(world, in, out, op, by...));
    test_and_wait(tutti::async::broadcast(world, out, 0, by...));
    static_cast<void>(tutti::plan::all_reduce(world, in, out, op, by...).explain());
}

template <class World>
void call_everything(World const& world) {
    using greedy::Element;
    std::vector<Element> const in(4, Element{1});
    std::vector<Element> out(4);
    greedy::Operator const op;
    auto const known = tutti::with_identity(op, Element{});
    auto const least = [](Element a, Element b) { return a.x < b.x ? a : b; };

    call_everything(world, in, Element{}, op);
    call_everything(world, in, Element{}, least);
    call_everything(world, in, Element{}, tutti::commutative(op), greedy::Algorithm{});
    call_everything(world, in, Element{}, tutti::commutative(tutti::with_identity(op, Element{})),
                    tutti::reproducible{});

    tutti::all_reduce(world, in, out, tutti::commutative(op), tutti::ring{});
    tutti::all_reduce(world, in, out, tutti::commutative(op),
                      tutti::then(greedy::Algorithm{}, tutti::reverse(tutti::ring{})));
    tutti::all_reduce(world, in, out, tutti::commutative(op),
                      tutti::automatic_among(greedy::Algorithm{}, tutti::ring{}));
    tutti::all_reduce(world, in, out, op, tutti::arrival_aware{});
    greedy::Range<Element> const from(4);
    greedy::Range<Element> to(4);
    tutti::all_reduce(world, from, to, op);
    tutti::inclusive_scan(world, tutti::inplace(to), op);
    tutti::broadcast(world, to, 0);
    std::vector<greedy::Wide<int>> wide(4);
    tutti::all_reduce(world, tutti::inplace(wide), greedy::Add{});
    std::vector<greedy::Place> places(4);
    tutti::all_reduce(world, tutti::inplace(places), tutti::arg_minimum<>{});
    tutti::all_reduce(world, tutti::inplace(places), tutti::each(std::plus<>{}, tutti::maximum<>{}));
    tutti::all_reduce(world, in, out, tutti::on_blocks([](auto left, auto, auto result) { result[0] = left[0]; }));
    tutti::all_reduce(world, tutti::inplace(tutti::records{out.data(), 1, 4}), tutti::run_time_operator{});
    tutti::broadcast(world, tutti::records{out.data(), 1, 4}, 0);

    tutti::arrival_monitor monitor{world};
    tutti::all_reduce(world, in, out, op, tutti::arrival_aware{monitor});
    static_cast<void>(tutti::all_reduce_sequence(world, in, known));
    static_cast<void>(tutti::reduce_sequence(world, in, op, 0));
    tutti::inclusive_scan_sequence(world, in, out, op);
    tutti::exclusive_scan_sequence(world, in, out, op);
    static_cast<void>(tutti::all_reduce_sequence(world, from, known));
    static_cast<void>(tutti::dot_without_order(world, std::vector<double>(4), greedy::Range<double>(4)));
    static_cast<void>(tutti::sum_without_order(world, greedy::Range<double>(4)));
    tutti::barrier(world);
    static_cast<void>(tutti::measure(world, tutti::combining<Element>(op)));
    tutti::configure(world, tutti::execution{.check_calls = true});
    tutti::use(world, tutti::learning{});
    static_cast<void>(tutti::explain_learning(world));
    tutti::recover(world);
}

template <class World>
void call_with_objects(World const& world) {
    std::vector<greedy::Text> const in(4);
    call_everything(world, in, greedy::Text{}, greedy::Join{});
}

template <class Collective>
void analyse() {
    greedy::Algorithm const all;
    auto const cut = tutti::partition::equal(20, 5);
    static_cast<void>(tutti::verify(Collective{}, all, 5, 0, cut));
    static_cast<void>(tutti::predict(Collective{}, all, 5, 0, cut, tutti::cost_model{}));
    static_cast<void>(tutti::to_text(tutti::simulate(Collective{}, all, 5, 0, cut, tutti::cost_model{})));
    static_cast<void>(tutti::to_json(Collective{}, all, 5, 0, cut, tutti::simulate(Collective{}, all, 5, 0, cut, {})));
    static_cast<void>(tutti::to_goal(Collective{}, all, 5, 0, cut, 8));
}

}  // namespace

int main() {
    tutti::threads::run(3, [](auto& world) {
        call_everything(world);
        call_with_objects(world);
    });
    call_everything(greedy::World{});
    analyse<tutti::collective::reduce>();
    analyse<tutti::collective::all_reduce>();
    analyse<tutti::collective::inclusive_scan>();
#ifdef MPI_VERSION
    call_everything(MPI_COMM_WORLD);
#ifdef BOOST_MPI_COMMUNICATOR_HPP
    boost::mpi::communicator const boost_world;
    call_everything(boost_world);
    std::vector<greedy::Element> in(4), out(4);
    tutti::gatherv(boost_world, in.data(), 4, out.data(), std::vector<int>{4}, std::vector<int>{0}, 0);
    tutti::scatterv(boost_world, in.data(), std::vector<int>{4}, std::vector<int>{0}, out.data(), 4, 0);
    tutti::all_gatherv(boost_world, in, out, std::vector<int>{4}, std::vector<int>{0});
#endif
#ifndef TUTTI_COMPILED  // which has no elements that do not travel as bytes
    call_with_objects(MPI_COMM_WORLD);
#endif
#endif
}
