#include "poker/betting_tree.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "memory/pages.h"

namespace nashgap {

namespace {

constexpr int64_t kMaxCountedStates = 4'000'000;    // of the betting; about 1 GiB
constexpr int64_t kMaxCountedActions = 10'000'000;  // in these; seconds

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

// Endings, each once; open addressing, at most half full.
class EndingTable {
 public:
  explicit EndingTable(std::vector<Ending>& endings) : endings_(endings), slots_(1024, -1) {}

  int32_t add(const Ending& ending) {
    size_t slot = first_slot(ending);
    for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1))
      if (endings_[slots_[slot]] == ending) return slots_[slot];
    const int32_t number = static_cast<int32_t>(endings_.size());
    slots_[slot] = number;
    endings_.push_back(ending);
    if (2 * endings_.size() > slots_.size()) grow();
    return number;
  }

 private:
  size_t first_slot(const Ending& ending) const {
    uint64_t hash = ending.folded;
    for (const int32_t spent : ending.spent) hash = mix(hash, static_cast<uint32_t>(spent));
    return hash & (slots_.size() - 1);
  }

  void grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (size_t number = 0; number < endings_.size(); ++number) {
      size_t slot = first_slot(endings_[number]);
      while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<int32_t>(number);
    }
  }

  std::vector<Ending>& endings_;
  std::vector<int32_t> slots_;  // -1: free
};

// The actions of the nodes on the path to the one that is expanded. A vector for each depth is kept and used again, and
// stays where it is when more are added.
class ActionStack {
 public:
  std::vector<Action>& at(size_t depth) {
    while (levels_.size() <= depth) levels_.emplace_back();
    return levels_[depth];
  }

 private:
  std::deque<std::vector<Action>> levels_;
};

// Whether the betting ends here, and how.
bool ends(const Rules& rules, const Truncation& truncation, const BettingState& state, Ending& ending) {
  const bool is_cut = !state.is_over() && state.round() >= truncation.num_rounds;
  if (!state.is_over() && !is_cut) return false;
  ending = state.ending();
  for (int round = state.round(); is_cut && truncation.adds_bets && round < rules.num_rounds; ++round)
    for (int seat = 0; seat < rules.num_seats; ++seat)
      if (!state.has_folded(seat))
        ending.spent[seat] = std::min(ending.spent[seat] + rules.raise_sizes[round], rules.stacks[seat]);
  return true;
}

class Counter {
 public:
  Counter(const Rules& rules, const BettingAbstraction& abstraction, const Truncation& truncation)
      : rules_(rules), abstraction_(abstraction), truncation_(truncation), table_(endings_) {}

  BettingTreeSize count(const BettingState& root) {
    BettingTreeSize size = below(root, 0);
    size.num_endings = static_cast<int64_t>(endings_.size());
    return size;
  }

 private:
  static_assert(std::has_unique_object_representations_v<BettingState>, "states are compared by their bytes");
  static_assert(sizeof(BettingState) % sizeof(uint64_t) == 0);
  using Key = std::array<uint64_t, sizeof(BettingState) / sizeof(uint64_t)>;

  struct KeyHash {
    size_t operator()(const Key& key) const {
      uint64_t hash = 0;
      for (const uint64_t word : key) hash = mix(hash, word);
      return hash;
    }
  };

  static void add(int64_t& total, int64_t number) {
    if (__builtin_add_overflow(total, number, &total)) throw std::overflow_error("more than 2^63 nodes or edges");
  }

  // States that the abstraction cannot tell apart have the same key.
  Key key_of(BettingState state) const {
    if (!abstraction_.has_multiples) state.forget_bet();
    if (!abstraction_.has_donks) state.forget_raisers();
    return std::bit_cast<Key>(state);
  }

  BettingTreeSize below(const BettingState& state, size_t depth) {
    const Key key = key_of(state);
    const auto known = sizes_.find(key);
    if (known != sizes_.end()) return known->second;
    std::vector<Action>& actions = stack_.at(depth);
    abstract_actions(rules_, abstraction_, state, actions);
    if (++num_states_ > kMaxCountedStates || (num_actions_ += actions.size()) > kMaxCountedActions)
      throw std::overflow_error("more than " + std::to_string(kMaxCountedStates) + " states of the betting or " +
                                std::to_string(kMaxCountedActions) + " actions in these, too many to count");
    BettingTreeSize size;
    size.nodes[state.round()] = 1;
    size.edges[state.round()] = static_cast<int64_t>(actions.size());
    for (const Action action : actions) {
      BettingState next = state;
      next.act(rules_, action);
      Ending ending;
      if (ends(rules_, truncation_, next, ending)) {
        table_.add(ending);
        continue;
      }
      const BettingTreeSize more = below(next, depth + 1);
      for (int round = 0; round < rules_.num_rounds; ++round) {
        add(size.nodes[round], more.nodes[round]);
        add(size.edges[round], more.edges[round]);
      }
    }
    sizes_.emplace(key, size);
    return size;
  }

  const Rules& rules_;
  const BettingAbstraction& abstraction_;
  const Truncation& truncation_;
  std::vector<Ending> endings_;
  EndingTable table_;
  ActionStack stack_;
  int64_t num_states_ = 0;
  int64_t num_actions_ = 0;
  std::unordered_map<Key, BettingTreeSize, KeyHash> sizes_;
};

class Builder {
 public:
  Builder(const Rules& rules, const BettingAbstraction& abstraction, const Truncation& truncation,
          const BettingTreeSize& size)
      : rules_(rules), abstraction_(abstraction), table_(tree_.endings) {
    tree_.truncation = truncation;
    int64_t num_nodes = 0;
    int64_t num_edges = 0;
    for (int round = 0; round < rules.num_rounds; ++round) {
      num_nodes += size.nodes[round];
      num_edges += size.edges[round];
    }
    tree_.num_seats = rules.num_seats;
    tree_.num_rounds = rules.num_rounds;
    tree_.first_edge.reserve(num_nodes + 1);
    tree_.seat.reserve(num_nodes);
    tree_.num_active.reserve(num_nodes);
    tree_.num_folds.reserve(num_nodes);
    tree_.first_raise.reserve(num_nodes);
    tree_.child.reserve(num_edges);
    advise_huge_pages(tree_.child.data(), tree_.child.capacity() * sizeof(int32_t));
    tree_.endings.reserve(size.num_endings);
  }

  BettingTree build(const BettingState& root) {
    starts_[root.round()].push_back({root, kNoEdge});
    for (int round = 0; round < rules_.num_rounds; ++round) {
      tree_.round_start.push_back(tree_.num_nodes());
      for (const Start& start : starts_[round]) {
        const int32_t node = expand(start.state, 0);
        if (start.edge != kNoEdge) tree_.child[start.edge] = node;
      }
      std::vector<Start>().swap(starts_[round]);
    }
    tree_.round_start.push_back(tree_.num_nodes());
    tree_.first_edge.push_back(tree_.num_edges());
    return std::move(tree_);
  }

 private:
  static constexpr int64_t kNoEdge = -1;

  // A round that begins, and the edge that leads to it.
  struct Start {
    BettingState state;
    int64_t edge;
  };

  int32_t expand(const BettingState& state, size_t depth) {
    std::vector<Action>& actions = stack_.at(depth);
    abstract_actions(rules_, abstraction_, state, actions);
    const int32_t node = static_cast<int32_t>(tree_.num_nodes());
    int64_t edge = tree_.num_edges();
    tree_.seat.push_back(static_cast<uint8_t>(state.seat()));
    tree_.num_active.push_back(static_cast<uint8_t>(state.num_active()));
    tree_.num_folds.push_back(static_cast<uint8_t>(std::count(actions.begin(), actions.end(), kFold)));
    const auto is_no_raise = [](Action action) { return action == kFold || action == kCall; };
    tree_.first_raise.push_back(static_cast<uint8_t>(std::count_if(actions.begin(), actions.end(), is_no_raise)));
    tree_.first_edge.push_back(edge);
    tree_.child.resize(edge + actions.size());
    for (const Action action : actions) {
      BettingState next = state;
      next.act(rules_, action);
      Ending ending;
      if (ends(rules_, tree_.truncation, next, ending)) {
        tree_.child[edge] = -1 - table_.add(ending);
      } else if (next.round() == state.round()) {
        const int32_t child = expand(next, depth + 1);
        tree_.child[edge] = child;
      } else {
        starts_[next.round()].push_back({next, edge});
      }
      ++edge;
    }
    return node;
  }

  const Rules& rules_;
  const BettingAbstraction& abstraction_;
  BettingTree tree_;
  EndingTable table_;
  ActionStack stack_;
  std::array<std::vector<Start>, kMaxRounds> starts_;
};

void require_legal(const Rules& rules, const BettingState& state, const std::vector<Action>& actions, size_t index) {
  if (state.is_over() || !state.is_legal(rules, actions[index]))
    throw std::invalid_argument("action " + std::to_string(index + 1) + " of " + std::to_string(actions.size()) +
                                " is not legal");
}

template <typename T>
int64_t bytes_of(const std::vector<T>& values) {
  return static_cast<int64_t>(values.size() * sizeof(T));
}

}  // namespace

int64_t BettingTree::num_bytes() const {
  return bytes_of(round_start) + bytes_of(first_edge) + bytes_of(seat) + bytes_of(num_active) + bytes_of(num_folds) +
         bytes_of(first_raise) + bytes_of(child) + bytes_of(endings);
}

BettingState prefix_state(const Rules& rules, const BettingAbstraction& abstraction,
                          const std::vector<Action>& prefix) {
  BettingState state(rules);
  std::vector<Action> options;
  for (size_t i = 0; i < prefix.size(); ++i) {
    require_legal(rules, state, prefix, i);
    abstract_actions(rules, abstraction, state, options);
    if (std::find(options.begin(), options.end(), prefix[i]) == options.end())
      throw std::invalid_argument("action " + std::to_string(i + 1) + " of " + std::to_string(prefix.size()) +
                                  " is not in the betting abstraction");
    state.act(rules, prefix[i]);
  }
  if (state.is_over()) throw std::invalid_argument("nobody has anything to decide");
  return state;
}

BettingTreeSize count_betting_tree(const Rules& rules, const BettingAbstraction& abstraction,
                                   const std::vector<Action>& prefix, const Truncation& truncation) {
  const BettingState root = prefix_state(rules, abstraction, prefix);
  if (root.round() >= truncation.num_rounds) throw std::invalid_argument("nobody has anything to decide");
  return Counter(rules, abstraction, truncation).count(root);
}

BettingTree build_betting_tree(const Rules& rules, std::shared_ptr<const BettingAbstraction> abstraction,
                               const std::vector<Action>& prefix, const Truncation& truncation, int64_t max_nodes) {
  const BettingTreeSize size = count_betting_tree(rules, *abstraction, prefix, truncation);
  max_nodes = std::min<int64_t>(max_nodes, std::numeric_limits<int32_t>::max());
  int64_t num_nodes = 0;
  for (const int64_t number : size.nodes) {
    if (number > max_nodes - num_nodes)
      throw std::overflow_error("more than " + std::to_string(max_nodes) + " decision nodes");
    num_nodes += number;
  }
  BettingTree tree = Builder(rules, *abstraction, truncation, size).build(prefix_state(rules, *abstraction, prefix));
  tree.rules = rules;
  tree.abstraction = std::move(abstraction);
  tree.prefix = prefix;
  return tree;
}

BettingPlace find_place(const Rules& rules, const BettingAbstraction& abstraction, const BettingTree& tree,
                        const std::vector<Action>& actions) {
  BettingState state(rules);
  const size_t num_before = tree.prefix.size();
  bool is_in_tree = actions.size() >= num_before && std::equal(tree.prefix.begin(), tree.prefix.end(), actions.begin());
  BettingPlace place{tree.root, is_in_tree ? static_cast<int>(num_before) : 0};
  std::vector<Action> options;
  for (size_t i = 0; i < actions.size(); ++i) {
    require_legal(rules, state, actions, i);
    is_in_tree = is_in_tree && (i < num_before || place.target >= 0);  // a truncated tree ends before the hand
    if (is_in_tree && i >= num_before) {
      abstract_actions(rules, abstraction, state, options);
      const auto found = std::find(options.begin(), options.end(), actions[i]);
      is_in_tree = found != options.end();
      if (is_in_tree) {
        place.target = tree.child[tree.first_edge[place.target] + (found - options.begin())];
        ++place.num_followed;
      }
    }
    state.act(rules, actions[i]);
  }
  return place;
}

}  // namespace nashgap
