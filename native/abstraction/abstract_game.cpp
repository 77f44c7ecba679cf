#include "abstraction/abstract_game.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "memory/pages.h"

namespace nashgap {

AbstractGame::AbstractGame(std::shared_ptr<const Rules> rules, std::shared_ptr<const BettingAbstraction> betting,
                           std::shared_ptr<const BettingTree> tree, const CardsBySeat& cards, Ranges ranges)
    : rules_(std::move(rules)),
      betting_(std::move(betting)),
      tree_(std::move(tree)),
      dealer_(*rules_, std::move(ranges)) {
  if (tree_->num_edges() > UINT32_MAX) throw std::invalid_argument("the betting tree has more than 2^32 edges");
  add_lenses(cards);
  place_entries(cards);
}

bool AbstractGame::decides(int seat) const {
  return std::any_of(lenses_.begin(), lenses_.end(), [&](const Lens& lens) { return lens.seat == seat; });
}

// A seat that has the same abstraction for several numbers of players has one lens for them.
void AbstractGame::add_lenses(const CardsBySeat& cards) {
  std::vector<std::vector<bool>> is_used(rules_->num_seats, std::vector<bool>(rules_->num_seats + 1));
  for (int64_t n = 0; n < tree_->num_nodes(); ++n) is_used[tree_->seat[n]][tree_->num_active[n]] = true;
  for (int seat = 0; seat < rules_->num_seats; ++seat)
    for (int num_active = 2; num_active <= rules_->num_seats; ++num_active) {
      if (!is_used[seat][num_active]) continue;
      const auto& seen = cards[seat][num_active];
      const bool is_known = std::any_of(lenses_.begin(), lenses_.end(),
                                        [&](const Lens& lens) { return lens.seat == seat && lens.cards == seen; });
      if (!is_known) lenses_.push_back({seat, seen});
    }
}

void AbstractGame::place_entries(const CardsBySeat& cards) {
  const BettingTree& tree = *tree_;
  nodes_.reserve(tree.num_nodes());
  advise_huge_pages(nodes_.data(), nodes_.capacity() * sizeof(Node));
  for (int64_t n = 0; n < tree.num_nodes(); ++n) {
    const int num_actions = tree.num_actions(n);
    if (num_actions > kMaxActions) throw std::invalid_argument("a node of the betting tree has too many actions");
    const int seat = tree.seat[n];
    const auto lens = std::find_if(lenses_.begin(), lenses_.end(), [&](const Lens& candidate) {
      return candidate.seat == seat && candidate.cards == cards[seat][tree.num_active[n]];
    });
    const auto next_round = std::upper_bound(tree.round_start.begin(), tree.round_start.end(), n);
    const int round = static_cast<int>(next_round - tree.round_start.begin()) - 1;
    nodes_.push_back({0, static_cast<uint32_t>(tree.first_edge[n]), 0, tree.seat[n], static_cast<uint8_t>(num_actions),
                      static_cast<uint8_t>(round), static_cast<uint8_t>(lens - lenses_.begin()), tree.num_folds[n],
                      tree.first_raise[n]});
  }
  std::vector<bool> is_start(tree.num_nodes(), true);  // nobody has acted in the round
  for (const Node& node : nodes_)
    for (int a = 0; a < node.num_actions; ++a) {
      const int32_t child = tree.child[node.first_edge + a];
      if (child >= 0 && nodes_[child].round == node.round) is_start[child] = false;
    }
  int64_t next = 0;
  for (int round = 0; round < tree.num_rounds; ++round) {
    entry_start_[round] = next;
    for (int64_t begin = tree.round_start[round], end; begin < tree.round_start[round + 1]; begin = end) {
      for (end = begin + 1; end < tree.round_start[round + 1] && !is_start[end];) ++end;
      for (size_t lens = 0; lens < lenses_.size(); ++lens) {
        uint32_t stride = 0;
        for (int64_t n = begin; n < end; ++n) {
          if (nodes_[n].lens != lens) continue;
          nodes_[n].offset = next + stride;
          stride += nodes_[n].num_actions;
        }
        const int64_t num_buckets = lenses_[lens].cards->num_buckets(round);
        for (int64_t n = begin; n < end; ++n) {
          if (nodes_[n].lens != lens) continue;
          nodes_[n].stride = stride;
          num_infosets_ += num_buckets;
        }
        next += num_buckets * stride;
      }
    }
  }
  entry_start_[tree.num_rounds] = next;
}

void deal_buckets(const AbstractGame& game, const uint8_t* hole_cards, const uint8_t* board, DealBuckets& buckets) {
  const int num_hole = game.rules().num_hole_cards, last_round = game.tree().num_rounds - 1;
  const std::vector<Lens>& lenses = game.lenses();
  buckets.resize(lenses.size());
  // All abstractions of one game find the same of a board.
  const DealtBoard dealt = lenses[0].cards->deal_board(board, last_round);
  for (const Lens& lens : lenses) lens.cards->prefetch(hole_cards + lens.seat * num_hole, dealt, last_round);
  for (size_t lens = 0; lens < lenses.size(); ++lens)
    lenses[lens].cards->hand_buckets(hole_cards + lenses[lens].seat * num_hole, dealt, last_round,
                                     buckets[lens].data());
}

}  // namespace nashgap
