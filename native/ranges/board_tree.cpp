#include "ranges/board_tree.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "cards/evaluator.h"

namespace nashgap {
namespace {

uint64_t bit_of(uint8_t card) { return 1ULL << card; }

uint8_t renamed(uint8_t card, const SuitRenaming& renaming) {
  return static_cast<uint8_t>(make_card(rank_of(card), renaming[suit_of(card)]));
}

uint64_t renamed_set(uint64_t cards, const SuitRenaming& renaming) {
  uint64_t image = 0;
  for (uint64_t rest = cards; rest != 0; rest &= rest - 1)
    image |= bit_of(renamed(static_cast<uint8_t>(std::countr_zero(rest)), renaming));
  return image;
}

uint64_t set_of(const std::vector<uint8_t>& cards) {
  uint64_t set = 0;
  for (const uint8_t card : cards) set |= bit_of(card);
  return set;
}

double choose(int from, int number) {
  double ways = 1.0;
  for (int i = 0; i < number; ++i) ways = ways * (from - i) / (i + 1);
  return ways;
}

// Calls `found` for every set of so many of the cards.
template <typename Found>
void for_each_subset(const std::vector<uint8_t>& cards, int number, size_t from, uint64_t chosen, Found&& found) {
  if (number == 0) return found(chosen);
  for (size_t i = from; i + number <= cards.size(); ++i)
    for_each_subset(cards, number - 1, i + 1, chosen | bit_of(cards[i]), found);
}

template <typename T>
void reorder(std::vector<T>& values, const std::vector<int32_t>& order) {
  std::vector<T> sorted(values.size());
  for (size_t i = 0; i < order.size(); ++i) sorted[i] = values[order[i]];
  values.swap(sorted);
}

}  // namespace

BoardTree::BoardTree(const Rules& rules, int first_round, const std::vector<uint8_t>& board,
                     const std::array<const float*, 2>& ranges, const std::vector<std::vector<float>>& told_apart)
    : rules_(rules), first_round_(first_round), deck_(rules.deck()) {
  for (int round = 0; round <= first_round; ++round) round_start_[round] = 0;
  add_root(board, ranges);
  std::vector<const float*> numbers(ranges.begin(), ranges.end());
  for (const std::vector<float>& each : told_apart) numbers.push_back(each.data());
  renamings_.push_back(renamings_of(board, numbers));
  finish_hands(boards_[0], first_round);
  for (int round = first_round; round < rules.num_rounds; ++round) {
    const int64_t begin = round_start_[round], end = size();
    round_start_[round + 1] = end;
    if (round + 1 == rules.num_rounds) break;
    for (int64_t parent = begin; parent < end; ++parent) add_children(parent, round + 1);
  }
  renamings_.clear();
}

void BoardTree::add_root(const std::vector<uint8_t>& board, const std::array<const float*, 2>& ranges) {
  RangeBoard root;
  root.cards = board;
  const uint64_t dead = set_of(board);
  for (int player = 0; player < 2; ++player) {
    RangeHands& hands = root.hands[player];
    const auto add = [&](uint8_t first, uint8_t second) {
      const uint8_t cards[2] = {first, second};
      const int place = rules_.hand_place(cards);
      if (!(ranges[player][place] > 0.0f)) return;
      hands.cards.push_back({first, second});
      hands.place.push_back(place);
    };
    for (size_t i = 0; i < deck_.size(); ++i) {
      if (dead & bit_of(deck_[i])) continue;
      if (rules_.num_hole_cards == 1) add(deck_[i], kNoCard);
      for (size_t j = 0; rules_.num_hole_cards == 2 && j < i; ++j)
        if (!(dead & bit_of(deck_[j]))) add(deck_[i], deck_[j]);
    }
  }
  boards_.push_back(std::move(root));
}

BoardTree::Renamings BoardTree::renamings_of(const std::vector<uint8_t>& board,
                                             const std::vector<const float*>& numbers) const {
  const uint64_t lying = set_of(board);
  const int first_suit = kNumSuits - rules_.num_suits;
  std::array<int, kNumSuits> order;
  std::iota(order.begin(), order.end(), 0);
  Renamings found;
  do {
    SuitRenaming renaming;
    for (int suit = 0; suit < kNumSuits; ++suit) renaming[suit] = static_cast<uint8_t>(order[suit]);
    bool is_kept = renamed_set(lying, renaming) == lying;
    for (int suit = 0; suit < first_suit; ++suit) is_kept = is_kept && renaming[suit] == suit;
    for (size_t each = 0; each < numbers.size() && is_kept; ++each)
      for (const uint8_t high : deck_)
        for (const uint8_t low : deck_) {
          if (rules_.num_hole_cards == 2 && low >= high) break;
          const uint8_t hand[2] = {high, rules_.num_hole_cards == 2 ? low : high};
          const uint8_t image[2] = {renamed(hand[0], renaming), renamed(hand[1], renaming)};
          is_kept = is_kept && numbers[each][rules_.hand_place(hand)] == numbers[each][rules_.hand_place(image)];
          if (rules_.num_hole_cards == 1) break;
        }
    if (is_kept) found.push_back(renaming);
  } while (std::next_permutation(order.begin(), order.end()));
  return found;  // the first leaves all as it is
}

void BoardTree::add_children(int64_t parent, int round) {
  const int num_dealt = rules_.num_board_cards[round];
  std::vector<uint8_t> left;
  const uint64_t lying = set_of(boards_[parent].cards);
  for (const uint8_t card : deck_)
    if (!(lying & bit_of(card))) left.push_back(card);
  const double num_deals = choose(static_cast<int>(left.size()) - 2 * rules_.num_hole_cards, num_dealt);
  boards_[parent].first_child = static_cast<int32_t>(boards_.size());
  for_each_subset(left, num_dealt, 0, 0, [&](uint64_t dealt) {
    Renamings images, kept;
    std::vector<uint64_t> sets;
    for (const SuitRenaming& renaming : renamings_[parent]) {
      const uint64_t image = renamed_set(dealt, renaming);
      if (image < dealt) return;  // the least of the images stands for all
      if (image == dealt) kept.push_back(renaming);
      if (std::find(sets.begin(), sets.end(), image) != sets.end()) continue;
      sets.push_back(image);
      images.push_back(renaming);
    }
    RangeBoard board;
    board.cards = boards_[parent].cards;
    board.parent = parent;
    for (uint64_t rest = dealt; rest != 0; rest &= rest - 1)
      board.cards.push_back(static_cast<uint8_t>(std::countr_zero(rest)));
    board.deal_chance = static_cast<float>(1.0 / num_deals);
    for (int player = 0; player < 2; ++player) {
      const RangeHands& before = boards_[parent].hands[player];
      RangeHands& hands = board.hands[player];
      std::vector<int32_t> at(rules_.num_private_hands(), -1);
      for (int i = 0; i < before.size(); ++i) at[before.place[i]] = i;
      for (int i = 0; i < before.size(); ++i) {
        const auto& cards = before.cards[i];
        if (dealt & (bit_of(cards[0]) | (cards[1] == kNoCard ? 0 : bit_of(cards[1])))) continue;
        hands.cards.push_back(cards);
        hands.place.push_back(before.place[i]);
      }
      if (round + 1 == rules_.num_rounds) sort_by_strength(board, hands);
      for (const SuitRenaming& renaming : images)
        for (const auto& cards : hands.cards) {
          const uint8_t image[2] = {renamed(cards[0], renaming),
                                    cards[1] == kNoCard ? kNoCard : renamed(cards[1], renaming)};
          hands.image.push_back(at[rules_.hand_place(image)]);
        }
    }
    finish_hands(board, round);
    board.images = std::move(images);
    boards_.push_back(std::move(board));
    renamings_.push_back(std::move(kept));
  });
  boards_[parent].num_children = static_cast<int32_t>(boards_.size()) - boards_[parent].first_child;
}

TreeBoard BoardTree::find(const std::vector<uint8_t>& cards) const {
  constexpr SuitRenaming kAsItIs = {0, 1, 2, 3};
  const size_t num_root_cards = boards_[0].cards.size();
  if (cards.size() < num_root_cards ||
      !std::is_permutation(cards.begin(), cards.begin() + num_root_cards, boards_[0].cards.begin()))
    return {-1, kAsItIs};
  TreeBoard place{0, kAsItIs};
  size_t num_found = num_root_cards;
  for (int round = first_round_ + 1; num_found < cards.size(); ++round) {
    const size_t num_dealt = round < rules_.num_rounds ? rules_.num_board_cards[round] : 0;
    if (num_dealt == 0 || num_found + num_dealt > cards.size()) return {-1, kAsItIs};
    const std::vector<uint8_t> dealt(cards.begin() + num_found, cards.begin() + num_found + num_dealt);
    place = find_child(place, renamed_set(set_of(dealt), place.renaming));
    if (place.board < 0) return place;
    num_found += num_dealt;
  }
  return place;
}

// dealt: in the suits of the tree's board.
TreeBoard BoardTree::find_child(const TreeBoard& parent, uint64_t dealt) const {
  const RangeBoard& board = boards_[parent.board];
  const uint64_t lying = set_of(board.cards);
  for (int64_t child = board.first_child; child < board.first_child + board.num_children; ++child)
    for (const SuitRenaming& image : boards_[child].images) {
      if (renamed_set(set_of(boards_[child].cards) & ~lying, image) != dealt) continue;
      TreeBoard place{child, {}};
      for (int suit = 0; suit < kNumSuits; ++suit)  // back through the image, after the parent's renaming
        place.renaming[suit] =
            static_cast<uint8_t>(std::find(image.begin(), image.end(), parent.renaming[suit]) - image.begin());
      return place;
    }
  return {-1, parent.renaming};
}

void BoardTree::sort_by_strength(RangeBoard& board, RangeHands& hands) const {
  std::array<uint8_t, kMaxHandCards> cards{};
  std::copy(board.cards.begin(), board.cards.end(), cards.begin() + rules_.num_hole_cards);
  const int num_cards = rules_.num_hole_cards + static_cast<int>(board.cards.size());
  for (const auto& own : hands.cards) {
    std::copy_n(own.begin(), rules_.num_hole_cards, cards.begin());
    hands.strength.push_back(hand_rank(cards.data(), num_cards));
  }
  std::vector<int32_t> order(hands.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t one, int32_t other) { return hands.strength[one] < hands.strength[other]; });
  reorder(hands.cards, order);
  reorder(hands.place, order);
  reorder(hands.strength, order);
}

void BoardTree::finish_hands(RangeBoard& board, int round) const {
  const bool is_complete = round + 1 == rules_.num_rounds;
  if (is_complete && board.hands[0].strength.empty())
    for (RangeHands& hands : board.hands) sort_by_strength(board, hands);
  for (int player = 0; player < 2; ++player) {
    RangeHands& own = board.hands[player];
    const RangeHands& other = board.hands[1 - player];
    std::vector<int32_t> at(rules_.num_private_hands(), -1);
    for (int i = 0; i < other.size(); ++i) at[other.place[i]] = i;
    for (int i = 0; i < own.size(); ++i) own.same.push_back(rules_.num_hole_cards == 2 ? at[own.place[i]] : -1);
    if (!is_complete) continue;
    int weaker = 0;
    for (int begin = 0, end; begin < own.size(); begin = end) {
      for (end = begin; end < own.size() && own.strength[end] == own.strength[begin];) ++end;
      while (weaker < other.size() && other.strength[weaker] < own.strength[begin]) ++weaker;
      int equal = weaker;
      while (equal < other.size() && other.strength[equal] == own.strength[begin]) ++equal;
      board.classes[player].push_back({end, weaker, equal});
    }
  }
}

}  // namespace nashgap
