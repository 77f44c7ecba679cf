#include "search/search.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/games.h"
#include "bind/tree_handle.h"
#include "search/poker_world.h"
#include "search/tree_world.h"

namespace nashgap {

using namespace nb::literals;

namespace {

constexpr int kMaxLevels = 1024;
constexpr int64_t kMaxDrawn = 10'000'000;

template <typename T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T>&& values, size_t width = 0) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* each) noexcept { delete static_cast<std::vector<T>*>(each); });
  if (width == 0) return nb::ndarray<nb::numpy, T>(kept->data(), {kept->size()}, owner);
  return nb::ndarray<nb::numpy, T>(kept->data(), {kept->size() / width, width}, owner);
}

SearchOptions options_of(int64_t num_simulations, int rule, double exploration, int64_t num_drawn, bool keeps_tree,
                         bool counts_best, int64_t num_abreast) {
  if (num_simulations < 0 || num_drawn < 0) throw nb::value_error("simulations and drawn decisions are 0 or more");
  if (num_abreast < 1) throw nb::value_error("at least one game is played at a time");
  if (rule < 0 || rule > 1) throw nb::value_error("rules are 0 and 1");
  if (!(exploration >= 0.0)) throw nb::value_error("exploration must be 0 or more");
  return {num_simulations, static_cast<SearchRule>(rule), exploration, num_drawn, keeps_tree, counts_best, num_abreast};
}

// What the engine looks at while games are under way.
struct KeptValues {
  Array<const float> value, prior;
  Array<const uint8_t> is_known;
  std::optional<Array<const float>> visits;
  std::optional<Array<const double>> total;
};

// A world, and the search in it.
template <typename World>
struct WorldSearch {
  template <typename... Arguments>
  explicit WorldSearch(Arguments&&... arguments)
      : world(std::forward<Arguments>(arguments)...),
        search(world, world.num_infosets(), world.num_slots(), world.most_actions()) {}

  World world;
  Search<World> search;
  std::optional<KeptValues> values;
};

using TreeSearch = WorldSearch<TreeWorld>;
using PokerSearch = WorldSearch<PokerWorld>;

template <typename World>
void start(WorldSearch<World>& self, int64_t num_simulations, int rule, double exploration, int64_t num_drawn,
           bool keeps_tree, bool counts_best, int64_t num_abreast, Array<const float> value, Array<const float> prior,
           Array<const uint8_t> is_known, std::optional<Array<const float>> visits,
           std::optional<Array<const double>> total, uint64_t seed, uint64_t first, int64_t number) {
  const SearchOptions options =
      options_of(num_simulations, rule, exploration, num_drawn, keeps_tree, counts_best, num_abreast);
  const int64_t num_infosets = self.world.num_infosets(), num_slots = self.world.num_slots();
  require_size(value, num_infosets, "value");
  require_size(prior, num_slots, "prior");
  require_size(is_known, num_infosets, "is_known");
  if (visits.has_value() != total.has_value()) throw nb::value_error("visits and total go together");
  if (visits) require_size(*visits, num_slots, "visits");
  if (total) require_size(*total, num_slots, "total");
  if (number < 0) throw nb::value_error("games are 0 or more");
  const SearchValues values{value.data(), prior.data(), is_known.data(), visits ? visits->data() : nullptr,
                            total ? total->data() : nullptr};
  self.values = KeptValues{value, prior, is_known, visits, total};
  self.search.start(options, values, seed, first, number);
}

template <typename World>
bool advance(WorldSearch<World>& self) {
  if (!self.values) throw nb::value_error("no games were started");
  nb::gil_scoped_release release;
  return self.search.advance();
}

template <typename World>
nb::tuple take(WorldSearch<World>& self) {
  if (!self.values) throw nb::value_error("no games were started");
  Episodes told = self.search.take();
  self.values.reset();
  return nb::make_tuple(array_of(std::move(told.payoff)), array_of(std::move(told.decision_end)),
                        array_of(std::move(told.infoset)), array_of(std::move(told.value)),
                        array_of(std::move(told.share), static_cast<size_t>(self.world.most_actions())),
                        told.num_simulations, array_of(std::move(told.counted_slot)),
                        array_of(std::move(told.counted_visits)), array_of(std::move(told.counted_total)));
}

template <typename World>
void bind_games(nb::class_<WorldSearch<World>>& searching) {
  searching
      .def("start", &start<World>, "num_simulations"_a, "rule"_a, "exploration"_a, "num_drawn"_a, "keeps_tree"_a,
           "counts_best"_a, "num_abreast"_a, "value"_a.noconvert(), "prior"_a.noconvert(), "is_known"_a.noconvert(),
           "visits"_a.noconvert().none(), "total"_a.noconvert().none(), "seed"_a, "first"_a, "number"_a)
      .def("advance", &advance<World>)  // whether all games are finished; else answers are missing
      .def("take", &take<World>);       // what they told
}

void require_own(const TreeWorld& world, int64_t infoset) {
  if (infoset < 0 || infoset >= world.tree().num_infosets || world.belief(infoset).number == 0)
    throw nb::value_error("an information set of the player is needed");
}

void bind_tree_search(nb::module_& m) {
  nb::class_<TreeSearch> searching(m, "TreeSearch");
  bind_games(searching);
  searching
      .def(
          "__init__",
          [](TreeSearch* self, const TreeHandle& handle, int player, Array<const double> strategy,
             std::optional<Array<const double>> belief) {
            const Tree& tree = handle.tree;
            if (tree.num_players != 2) throw nb::value_error("a game of two players is needed");
            if (player < 0 || player > 1) throw nb::value_error("players are 0 and 1");
            require_size(strategy, tree.num_slots, "strategy");
            if (belief) {
              require_size(*belief, tree.num_nodes, "belief");
              if (!std::all_of(belief->data(), belief->data() + tree.num_nodes,
                               [](double each) { return each >= 0.0; }))
                throw nb::value_error("a belief is of chances, 0 or more");
            }
            nb::gil_scoped_release release;
            new (self) TreeSearch(tree, player, strategy.data(), belief ? belief->data() : nullptr);
          },
          nb::keep_alive<1, 2>(), "tree"_a, "player"_a, "strategy"_a.noconvert(), "belief"_a.noconvert() = nb::none())
      .def(
          "belief",
          [](const TreeSearch& self, int64_t infoset) {
            require_own(self.world, infoset);
            const TreeWorld::Belief belief = self.world.belief(infoset);
            std::vector<int64_t> nodes;
            std::vector<double> weights;
            for (int64_t place = 0; place < belief.number; ++place) {
              const TreeWorld::History& each = belief.histories[place];
              nodes.push_back(self.world.tree().block_start[each.block] + each.lane);
              weights.push_back(belief.cumulative[place] - (place == 0 ? 0.0 : belief.cumulative[place - 1]));
            }
            return nb::make_tuple(array_of(std::move(nodes)), array_of(std::move(weights)));
          },
          "infoset"_a)
      .def(
          "draw",
          [](const TreeSearch& self, int64_t infoset, uint64_t seed, int64_t number) {
            require_own(self.world, infoset);
            require_within(number, 0, kMaxDrawn, "number");
            if (!(self.world.belief(infoset).total() > 0.0)) throw nb::value_error("play never comes there");
            Philox random(seed, 0, static_cast<uint64_t>(infoset), 0);
            std::vector<int64_t> nodes;
            for (int64_t place = 0; place < number; ++place) {
              const TreeWorld::History drawn = self.world.draw_from(infoset, random);
              nodes.push_back(self.world.tree().block_start[drawn.block] + drawn.lane);
            }
            return array_of(std::move(nodes));
          },
          "infoset"_a, "seed"_a, "number"_a);
}

void require_turn(const PokerWorld& world, const PublicState& state, const std::vector<uint8_t>& hole_cards) {
  const Rules& rules = world.game().rules();
  std::vector<uint8_t> deck = rules.deck();
  const auto is_taken = [&](uint8_t card) { return std::erase(deck, card) == 1; };
  require_same_game(rules, state.rules(), "the state");
  if (state.betting().seat() != world.seat() || state.num_missing_cards() > 0)
    throw nb::value_error("the responder's seat must be to act");
  if (static_cast<int>(hole_cards.size()) != rules.num_hole_cards || !std::ranges::all_of(state.board(), is_taken) ||
      !std::ranges::all_of(hole_cards, is_taken))
    throw nb::value_error("hole cards of the deck that are not on the board are needed");
}

void bind_poker_search(nb::module_& m) {
  nb::class_<PokerSearch> searching(m, "PokerSearch");
  bind_games(searching);
  searching
      .def(
          "__init__",
          [](PokerSearch* self, std::shared_ptr<AbstractGame> game, int seat, std::shared_ptr<RangedOpponent> opponent,
             std::shared_ptr<PreflopChances> preflop, double unit_chips, int num_levels, bool has_exact_beliefs) {
            if (game->rules().num_seats != 2) throw nb::value_error("a game for two is needed");
            if (game->rules().num_hole_cards > 2) throw nb::value_error("hands of 1 or 2 hole cards are needed");
            require_within(seat, 0, 1, "seat");
            require_within(num_levels, 1, kMaxLevels, "num_levels");
            if (!(unit_chips > 0.0)) throw nb::value_error("unit_chips is above 0");
            if (!game->tree().prefix.empty()) throw nb::value_error("the betting tree of a whole game is needed");
            opponent->require_game(game->rules());
            nb::gil_scoped_release release;
            new (self) PokerSearch(std::move(game), seat, std::move(opponent), std::move(preflop),
                                   PokerWorld::Options{unit_chips, num_levels, has_exact_beliefs});
          },
          "game"_a, "seat"_a, "opponent"_a, "preflop"_a.none(), "unit_chips"_a, "num_levels"_a, "has_exact_beliefs"_a)
      .def_prop_ro("num_infosets", [](const PokerSearch& self) { return self.world.num_infosets(); })
      .def(
          "belief",  // [hands] weights of what the opponent may hold, when the responder is to act
          [](PokerSearch& self, const PublicState& state, const std::vector<uint8_t>& hole_cards) {
            require_turn(self.world, state, hole_cards);
            return array_of(std::move(self.world.episode_at(state, hole_cards.data()).real.belief.weights));
          },
          "state"_a, "hole_cards"_a)
      .def(
          "draw",  // [number, all cards of a deal]: the responder's, the opponent's, the board
          [](PokerSearch& self, const PublicState& state, const std::vector<uint8_t>& hole_cards, uint64_t seed,
             int64_t number) {
            require_turn(self.world, state, hole_cards);
            require_within(number, 0, kMaxDrawn, "number");
            const PokerWorld::Episode episode = self.world.episode_at(state, hole_cards.data());
            PokerWorld::History drawn = self.world.real(episode);
            Philox random(seed, 0, 0, 0);
            const auto num_cards = static_cast<size_t>(self.world.num_cards());
            std::vector<uint8_t> cards;
            for (int64_t i = 0; i < number; ++i) {
              self.world.draw(episode, random, drawn);
              cards.insert(cards.end(), drawn.cards.begin(), drawn.cards.begin() + num_cards);
            }
            return array_of(std::move(cards), num_cards);
          },
          "state"_a, "hole_cards"_a, "seed"_a, "number"_a);
}

}  // namespace

void bind_search(nb::module_& m) {
  bind_tree_search(m);
  bind_poker_search(m);
}

}  // namespace nashgap
