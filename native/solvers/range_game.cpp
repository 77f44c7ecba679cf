#include "solvers/range_game.h"

#include <stdexcept>

namespace nashgap {

RangeGame::RangeGame(const Rules& all_rules, const BettingTree& tree, const std::vector<uint8_t>& board,
                     const std::array<std::vector<float>, 2>& ranges, const Rake& rake,
                     const std::vector<std::vector<float>>& told_apart)
    : rules(all_rules),
      boards(rules, 0, board, {ranges[0].data(), ranges[1].data()}, told_apart),
      streets(cut_into_streets(rules, tree, rake)),
      layout(lay_out(rules, boards, streets)) {}

std::pair<const Street*, int> RangeGame::find_node(int64_t node) const {
  for (const Street& street : streets)
    for (size_t number = 0; number < street.nodes.size(); ++number)
      if (street.nodes[number].node == node) return {&street, static_cast<int>(number)};
  throw std::invalid_argument("no such decision");
}

RangePlace RangeGame::find(int64_t node, const std::vector<uint8_t>& board) const {
  const auto [street, number] = find_node(node);
  const TreeBoard place = boards.find(board);
  const bool lies_there = place.board >= boards.round_start(street->round) &&
                          place.board < boards.round_start(street->round + 1);
  if (!lies_there) throw std::invalid_argument("no such board lies there");
  return {street, number, place};
}

std::vector<int32_t> RangeGame::real_places(const TreeBoard& board, int player) const {
  SuitRenaming back{};
  for (int suit = 0; suit < kNumSuits; ++suit) back[board.renaming[suit]] = static_cast<uint8_t>(suit);
  std::vector<int32_t> places;
  for (const auto& cards : boards[board.board].hands[player].cards) {
    uint8_t real[2] = {cards[0], cards[1]};
    for (uint8_t& card : real)
      if (card != kNoCard) card = static_cast<uint8_t>(make_card(rank_of(card), back[suit_of(card)]));
    places.push_back(rules.hand_place(real));
  }
  return places;
}

std::array<int32_t, 2> sequences_at(const Street& street, int number) {
  std::vector<std::array<int32_t, 2>> found(street.nodes.size());
  for (size_t place = 0; place < street.nodes.size(); ++place) {  // a node before those below it
    const StreetNode& node = street.nodes[place];
    for (int action = 0; action < node.num_actions; ++action) {
      const StreetChild& child = street.children[node.first_child + action];
      if (child.kind != StreetChild::kNode) continue;
      found[child.index] = found[place];
      found[child.index][node.player] = 1 + node.first_slot + action;
    }
  }
  return found[number];
}

bool LockedNodes::add(const RangeGame& game, const Street& street, int number, int64_t board) {
  if (is_locked_.empty()) {
    std::vector<int64_t> num_nodes(game.rules.num_rounds);
    for (const Street& each : game.streets) num_nodes[each.round] += static_cast<int64_t>(each.nodes.size());
    int64_t total = 0;
    for (int round = 0; round < game.rules.num_rounds; ++round)
      for (int64_t each = game.boards.round_start(round); each < game.boards.round_start(round + 1); ++each) {
        first_node_.push_back(total);
        total += num_nodes[round];
      }
    is_locked_.resize(total);
  }
  uint8_t& is_locked = is_locked_[first_node_[board] + street.first_node + number];
  if (is_locked) return false;
  is_locked = 1;
  return true;
}

}  // namespace nashgap
