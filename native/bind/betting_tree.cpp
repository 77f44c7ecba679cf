#include "poker/betting_tree.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "abstraction/abstract_game.h"
#include "bind/arrays.h"
#include "bind/games.h"
#include "poker/state.h"

namespace nashgap {

using namespace nb::literals;

namespace {

using Sizes = std::vector<std::pair<int, int64_t>>;                // kinds and numbers
using SizesBySeat = std::vector<std::vector<std::vector<Sizes>>>;  // [seats][rounds][raises]
using DonksByRound = std::vector<std::optional<Sizes>>;

constexpr int64_t kMostShares = 1000 * kPotShares;  // of a size
constexpr int kMostCap = 255;
constexpr int kMaxDepth = 4096;  // of a tree that was put together: walks go down it by calling themselves

template <typename T>
using View = nb::ndarray<nb::numpy, const T>;

template <typename T>
View<T> view_of(const std::vector<T>& values, const BettingTree& owner) {
  return View<T>(values.data(), {values.size()}, nb::find(owner));
}

std::vector<RaiseSize> sizes_of(const Sizes& sizes) {
  std::vector<RaiseSize> found;
  for (const auto& [kind, number] : sizes) {
    require_within(kind, 0, static_cast<int>(RaiseKind::kMultiple), "the kind of a size");
    require_within(number, 0, kind == static_cast<int>(RaiseKind::kGeometric) ? kMaxRounds : kMostShares,
                   "the number of a size");
    found.push_back({static_cast<RaiseKind>(kind), number});
  }
  return found;
}

SizesByRound sizes_by_round(const std::vector<std::vector<Sizes>>& rounds) {
  SizesByRound found;
  for (size_t round = 0; round < rounds.size(); ++round) {
    if (rounds[round].empty()) throw nb::value_error("a round has no sizes");
    for (const Sizes& each : rounds[round]) found[round].push_back(sizes_of(each));
  }
  return found;
}

bool has_multiple(const SizesByRound& sizes) {
  const auto is_multiple = [](RaiseSize size) { return size.kind == RaiseKind::kMultiple; };
  for (const auto& by_raise : sizes)
    for (const auto& each : by_raise)
      if (std::any_of(each.begin(), each.end(), is_multiple)) return true;
  return false;
}

std::shared_ptr<const BettingAbstraction> make_abstraction(const SizesBySeat& sizes, const std::vector<int32_t>& caps,
                                                           bool pushes, const DonksByRound& donks, int64_t add_all_in,
                                                           int64_t force_all_in, int64_t merge) {
  auto abstraction = std::make_shared<BettingAbstraction>();
  if (sizes.empty() || caps.empty() || caps.size() > kMaxRounds || donks.size() != caps.size())
    throw nb::value_error("an abstraction needs sizes, a cap and perhaps a donk for each round");
  if (sizes.size() > kMaxSeats) throw nb::value_error("an abstraction has sizes for more seats than a game");
  for (const int32_t cap : caps) require_within(cap, 0, kMostCap, "a cap");
  for (const int64_t share : {add_all_in, force_all_in, merge}) require_within(share, 0, kMostShares, "a share");
  for (const auto& rounds : sizes) {
    if (rounds.size() != caps.size()) throw nb::value_error("a seat has not as many rounds as there are caps");
    abstraction->sizes.push_back(sizes_by_round(rounds));
    abstraction->has_multiples |= has_multiple(abstraction->sizes.back());
  }
  for (size_t round = 0; round < caps.size(); ++round) {
    if (donks[round].has_value()) abstraction->donks[round] = sizes_of(*donks[round]);
    abstraction->has_donks |= donks[round].has_value();
    abstraction->caps[round] = caps[round];
  }
  abstraction->pushes = pushes;
  abstraction->add_all_in = add_all_in;
  abstraction->force_all_in = force_all_in;
  abstraction->merge = merge;
  return abstraction;
}

template <typename T>
std::vector<T> copied(const Array<const T>& values) {
  return {values.data(), values.data() + values.size()};
}

bool ascends(const std::vector<int64_t>& starts, int64_t end) {
  return starts.front() == 0 && starts.back() == end && std::is_sorted(starts.begin(), starts.end());
}

void require_ending(const Ending& ending) {
  require_within(ending.folded, 0, 2, "who has folded at an ending");
  for (int seat = 0; seat < 2; ++seat) require_within(ending.spent[seat], 0, kMaxChips, "what is spent at an ending");
}

// Every node but the root is the child of one before it, in the same round or the next.
void require_tree(const BettingTree& tree) {
  const int64_t num_nodes = tree.num_nodes();
  if (num_nodes == 0 || !ascends(tree.round_start, num_nodes) || !ascends(tree.first_edge, tree.num_edges()))
    throw nb::value_error("starts must ascend from 0 to the end");
  if (tree.endings.empty()) throw nb::value_error("a tree has endings");
  std::ranges::for_each(tree.endings, require_ending);
  std::vector<int> round_of, depth(num_nodes, -1);
  for (int round = 0; round < tree.num_rounds; ++round) round_of.resize(tree.round_start[round + 1], round);
  if (round_of[0] != 0) throw nb::value_error("a tree begins in the first round");
  depth[0] = 0;
  for (int64_t node = 0; node < num_nodes; ++node) {
    require_within(tree.seat[node], 0, 1, "a seat");
    require_within(tree.num_actions(node), 1, AbstractGame::kMaxActions, "the number of actions of a node");
    require_within(tree.num_folds[node], 0, 1, "num_folds");
    require_within(tree.first_raise[node], tree.num_folds[node],
                   std::min(tree.num_folds[node] + 1, tree.num_actions(node)), "first_raise");
    require_within(depth[node], 0, kMaxDepth, "the depth of a node, from the root on,");
    for (int64_t edge = tree.first_edge[node]; edge < tree.first_edge[node + 1]; ++edge) {
      const int64_t target = tree.child[edge];
      const bool is_ending = target < 0 && -1 - target < static_cast<int64_t>(tree.endings.size());
      const bool is_node = target > node && target < num_nodes && depth[target] < 0 &&
                           round_of[target] <= round_of[node] + 1;
      if (!is_ending && !is_node)
        throw nb::value_error("a child is an ending, or stands behind one node, in its round or the next");
      if (is_node) depth[target] = depth[node] + 1;
    }
  }
}

// A tree of two seats and any actions, as its arrays; see BettingTree.
std::shared_ptr<BettingTree> make_tree(const Rules& rules, Array<const int64_t> round_start,
                                       Array<const int64_t> first_edge, Array<const uint8_t> seat,
                                       Array<const uint8_t> num_folds, Array<const uint8_t> first_raise,
                                       Array<const int32_t> child, Array<const int32_t> ending_spent,
                                       Array<const uint16_t> ending_folded) {
  if (rules.num_seats != 2) throw nb::value_error("a tree of two seats is needed");
  require_size(round_start, rules.num_rounds + 1, "round_start");
  require_size(first_edge, seat.size() + 1, "first_edge");
  require_size(num_folds, seat.size(), "num_folds");
  require_size(first_raise, seat.size(), "first_raise");
  require_size(ending_spent, 2 * ending_folded.size(), "ending_spent");
  auto tree = std::make_shared<BettingTree>();
  tree->rules = rules;
  tree->num_seats = rules.num_seats;
  tree->num_rounds = rules.num_rounds;
  tree->round_start = copied(round_start);
  tree->first_edge = copied(first_edge);
  tree->seat = copied(seat);
  tree->num_active.assign(seat.size(), 2);
  tree->num_folds = copied(num_folds);
  tree->first_raise = copied(first_raise);
  tree->child = copied(child);
  tree->truncation.num_rounds = rules.num_rounds;
  for (size_t i = 0; i < ending_folded.size(); ++i)
    tree->endings.push_back({{ending_spent.data()[2 * i], ending_spent.data()[2 * i + 1]}, ending_folded.data()[i]});
  require_tree(*tree);
  return tree;
}

nb::tuple tuple_of(const std::array<int64_t, kMaxRounds>& by_round, int num_rounds) {
  return nb::tuple(nb::cast(std::vector<int64_t>(by_round.begin(), by_round.begin() + num_rounds)));
}

}  // namespace

void bind_betting_tree(nb::module_& m) {
  nb::class_<BettingAbstraction>(m, "BettingAbstraction");
  m.def("make_betting_abstraction", &make_abstraction, "sizes"_a, "caps"_a, "pushes"_a, "donks"_a, "add_all_in"_a,
        "force_all_in"_a, "merge"_a);
  m.attr("MAX_ROUNDS") = kMaxRounds;
  m.attr("POT_SHARES") = kPotShares;
  m.attr("POT_SHARE_RAISE") = static_cast<int>(RaiseKind::kPotShare);
  m.attr("SMALLEST_RAISE") = static_cast<int>(RaiseKind::kSmallest);
  m.attr("ALL_IN_RAISE") = static_cast<int>(RaiseKind::kAllIn);
  m.attr("EVERY_RAISE") = static_cast<int>(RaiseKind::kEvery);
  m.attr("GEOMETRIC_RAISE") = static_cast<int>(RaiseKind::kGeometric);
  m.attr("MULTIPLE_RAISE") = static_cast<int>(RaiseKind::kMultiple);

  m.def(
      "abstract_actions",
      [](const BettingAbstraction& abstraction, const PublicState& state) {
        require_fit(state.rules(), abstraction);
        if (state.betting().is_over()) throw nb::value_error("nobody is to act");
        std::vector<Action> actions;
        abstract_actions(state.rules(), abstraction, state.betting(), actions);
        return nb::tuple(nb::cast(actions));
      },
      "abstraction"_a, "state"_a);

  nb::class_<BettingTree>(m, "BettingTree")
      .def_ro("num_seats", &BettingTree::num_seats)
      .def_ro("num_rounds", &BettingTree::num_rounds)
      .def_ro("root", &BettingTree::root)
      .def_prop_ro("prefix", [](const BettingTree& self) { return nb::tuple(nb::cast(self.prefix)); })
      .def_prop_ro("num_bytes", &BettingTree::num_bytes)
      .def_prop_ro("round_start", [](const BettingTree& self) { return view_of(self.round_start, self); })
      .def_prop_ro("first_edge", [](const BettingTree& self) { return view_of(self.first_edge, self); })
      .def_prop_ro("seat", [](const BettingTree& self) { return view_of(self.seat, self); })
      .def_prop_ro("num_active", [](const BettingTree& self) { return view_of(self.num_active, self); })
      .def_prop_ro("child", [](const BettingTree& self) { return view_of(self.child, self); })
      .def_prop_ro("ending_spent",
                   [](const BettingTree& self) {
                     constexpr int64_t stride = sizeof(Ending) / sizeof(int32_t);
                     return View<int32_t>(self.endings.front().spent.data(),
                                          {self.endings.size(), static_cast<size_t>(self.num_seats)}, nb::find(self),
                                          {stride, 1});
                   })
      .def_prop_ro("ending_folded", [](const BettingTree& self) {
        constexpr int64_t stride = sizeof(Ending) / sizeof(uint16_t);
        return View<uint16_t>(&self.endings.front().folded, {self.endings.size()}, nb::find(self), {stride});
      });

  m.def(
      "count_betting_tree",
      [](const Rules& rules, const BettingAbstraction& abstraction, const std::vector<Action>& prefix, int num_rounds,
         bool adds_bets, bool shows_hands_at_once) {
        require_fit(rules, abstraction);
        require_within(num_rounds, 1, rules.num_rounds, "num_rounds");
        BettingTreeSize size;
        {
          nb::gil_scoped_release release;
          size = count_betting_tree(rules, abstraction, prefix, {num_rounds, adds_bets, shows_hands_at_once});
        }
        return nb::make_tuple(tuple_of(size.nodes, rules.num_rounds), tuple_of(size.edges, rules.num_rounds),
                              size.num_endings);
      },
      "rules"_a, "abstraction"_a, "prefix"_a, "num_rounds"_a, "adds_bets"_a, "shows_hands_at_once"_a);
  m.def(
      "build_betting_tree",
      [](const Rules& rules, std::shared_ptr<BettingAbstraction> abstraction, const std::vector<Action>& prefix,
         int num_rounds, bool adds_bets, bool shows_hands_at_once, int64_t max_nodes) {
        require_fit(rules, *abstraction);
        require_within(num_rounds, 1, rules.num_rounds, "num_rounds");
        require_within(max_nodes, 0, std::numeric_limits<int64_t>::max(), "max_nodes");
        nb::gil_scoped_release release;
        const Truncation truncation{num_rounds, adds_bets, shows_hands_at_once};
        return std::make_shared<BettingTree>(
            build_betting_tree(rules, std::move(abstraction), prefix, truncation, max_nodes));
      },
      "rules"_a, "abstraction"_a, "prefix"_a, "num_rounds"_a, "adds_bets"_a, "shows_hands_at_once"_a, "max_nodes"_a);
  m.def("make_betting_tree", &make_tree, "rules"_a, "round_start"_a.noconvert(), "first_edge"_a.noconvert(),
        "seat"_a.noconvert(), "num_folds"_a.noconvert(), "first_raise"_a.noconvert(), "child"_a.noconvert(),
        "ending_spent"_a.noconvert(), "ending_folded"_a.noconvert());
  m.def(
      "find_betting_place",
      [](const Rules& rules, const BettingAbstraction& abstraction, const BettingTree& tree,
         const std::vector<Action>& actions) {
        require_same_game(rules, tree.rules, "the tree");
        if (!tree.abstraction || *tree.abstraction != abstraction)
          throw nb::value_error("the tree is of another betting abstraction");
        const BettingPlace place = find_place(rules, abstraction, tree, actions);
        return nb::make_tuple(place.target, place.num_followed);
      },
      "rules"_a, "abstraction"_a, "tree"_a, "actions"_a);
}

}  // namespace nashgap
