#include "measure/value_table.h"

#include <algorithm>
#include <bit>

namespace nashgap {

namespace {

uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
  return x ^ x >> 31;
}

// Of chips beside a pot.
int size_class(double chips, double pot) {
  constexpr std::array<double, 5> kSizes = {0.3, 0.7, 1.3, 2.5, 5.0};
  return static_cast<int>(std::ranges::count_if(kSizes, [&](double size) { return size * pot <= chips; }));
}

}  // namespace

void BettingKey::act(const Rules& rules, const BettingState& before, Action action) {
  int kind = action == kFold ? 0 : action == kCall ? 1 : 2;
  if (action > kCall && rules.betting != Betting::kLimit) {
    const double pot = static_cast<double>(before.pot(rules)) + before.to_call(rules);
    kind = action >= rules.stacks[before.seat()] ? 3 : 4 + size_class(action - before.max_spent(), pot);
  }
  path_ = mix(path_ ^ mix(static_cast<uint64_t>(kind) + 16ULL * before.round()));
}

uint64_t BettingKey::fine(int num_board_cards) const { return mix(path_ + static_cast<uint64_t>(num_board_cards)); }

uint64_t BettingKey::coarse(const Rules& rules, const BettingState& state, int num_board_cards) {
  uint64_t key = static_cast<uint64_t>(num_board_cards);
  for (int seat = 0; seat < rules.num_seats; ++seat) key = key << 1 | state.has_folded(seat);
  key = key << 4 | static_cast<uint64_t>(state.seat() + 1);
  key = key << 2 | static_cast<uint64_t>(std::min(state.num_raises(), 3));
  int to_call = 0;
  if (!state.is_over()) {
    const int32_t chips = state.to_call(rules);
    to_call = chips == 0 ? 0 : 1 + size_class(chips, static_cast<double>(state.pot(rules)));
  }
  return mix(key << 3 | static_cast<uint64_t>(to_call));
}

void NodeValues::shares(const ClassMass* mass, uint32_t folded, double* shares) const {
  if (num_seats == 2) {
    double share = 0.0;
    for (int first = 0; first < kNumHandClasses; ++first) {
      if (mass[0][first] == 0.0) continue;
      double row = 0.0;
      for (int second = 0; second < kNumHandClasses; ++second)
        row += mass[1][second] * cells[first * kNumHandClasses + second];
      share += mass[0][first] * row;
    }
    shares[0] = share;
    shares[1] = 1.0 - share;
    return;
  }
  std::copy_n(mean.begin(), num_seats, shares);
  for (int seat = 0; seat < num_seats; ++seat) {
    if (folded >> seat & 1) continue;
    for (int number = 0; number < kNumHandClasses; ++number) {
      if (mass[seat][number] == 0.0) continue;
      const double* cell = cells.data() + (seat * kNumHandClasses + number) * num_seats;
      for (int winner = 0; winner < num_seats; ++winner)
        shares[winner] += mass[seat][number] * (cell[winner] - mean[winner]);
    }
  }
}

int32_t ValueTable::node(std::unordered_map<uint64_t, int32_t>& numbers, std::vector<Cells>& nodes, uint64_t key) {
  const auto found = numbers.find(key);
  if (found != numbers.end()) return found->second;
  if (nodes.size() == kMaxNodes) return -1;
  const auto number = static_cast<int32_t>(nodes.size());
  numbers.emplace(key, number);
  Cells& cells = nodes.emplace_back();
  cells.count.resize(num_cells());
  cells.sums.resize(static_cast<size_t>(num_cells()) * num_shares());
  return number;
}

void ValueTable::note(const BettingKey& key, const BettingState& state, int num_board_cards, const uint8_t* cards) {
  const uint8_t* board = cards + rules_->num_seats * rules_->num_hole_cards;
  visited_.push_back({node(fine_, fine_cells_, key.fine(num_board_cards)),
                      node(coarse_, coarse_cells_, BettingKey::coarse(*rules_, state, num_board_cards))});
  folded_.push_back(state.ending().folded);
  for (int seat = 0; seat < rules_->num_seats; ++seat) {
    spent_.push_back(state.spent(seat));
    seat_classes_.push_back(classes_->one(cards + seat * rules_->num_hole_cards, board, num_board_cards));
  }
}

ValueTable::Visit ValueTable::visit(int64_t number) const {
  const int64_t first = number * rules_->num_seats;
  return {visited_[number][0], visited_[number][1], folded_[number], spent_.data() + first,
          seat_classes_.data() + first};
}

void ValueTable::note_hand(const PublicState& hand, const uint8_t* cards, uint64_t arrangement) {
  const int num_seats = rules_->num_seats;
  const uint8_t* board = cards + num_seats * rules_->num_hole_cards;
  std::array<uint16_t, kMaxSeats> strength{};
  std::array<int64_t, kMaxSeats> won{};
  showdown_strength(*rules_, cards, board, rules_->total_board_cards(), strength.data());
  payoffs(*rules_, hand.betting().ending(), strength.data(), won.data());
  for (int seat = 0; seat < num_seats; ++seat) worth_.push_back(static_cast<double>(won[seat]) / kChipShares);
  BettingKey key(arrangement);
  BettingState state(*rules_);
  int num_board_cards = 0;
  note(key, state, num_board_cards, cards);
  for (const auto& actions : hand.history())
    for (const Action action : actions) {
      const int dealt = rules_->board_cards_by(state.round());
      if (dealt > num_board_cards) note(key, state, num_board_cards = dealt, cards);
      key.act(*rules_, state, action);
      state.act(*rules_, action);
      if (state.num_active() > 1) note(key, state, num_board_cards, cards);
    }
  first_visit_.push_back(static_cast<int64_t>(visited_.size()));
}

void ValueTable::add(Cells& cells, const Visit& visit, const double* chips) const {
  const int num_seats = rules_->num_seats, width = num_shares();
  double pot = 0.0;
  for (int seat = 0; seat < num_seats; ++seat) pot += visit.spent[seat];
  const auto add_to = [&](int cell) {
    cells.count[cell] += 1.0;
    for (int i = 0; i < width; ++i) cells.sums[cell * width + i] += (chips[i] + visit.spent[i]) / pot;
  };
  if (num_seats == 2) return add_to(visit.classes[0] * kNumHandClasses + visit.classes[1]);
  for (int seat = 0; seat < num_seats; ++seat) add_to(seat * kNumHandClasses + visit.classes[seat]);
}

// What the hand is worth where it came by, by settled values.
void ValueTable::chips_at(const Visit& visit, double* chips) const {
  const Cells& cells = fine_cells_[visit.fine];
  const int num_seats = rules_->num_seats;
  double pot = 0.0;
  for (int seat = 0; seat < num_seats; ++seat) pot += visit.spent[seat];
  if (num_seats == 2) {
    chips[0] = pot * cells.values[visit.classes[0] * kNumHandClasses + visit.classes[1]] - visit.spent[0];
    chips[1] = -chips[0];
    return;
  }
  for (int i = 0; i < num_seats; ++i) {
    double share = cells.mean[i];
    for (int seat = 0; seat < num_seats; ++seat)
      if (!(visit.folded >> seat & 1))
        share += cells.values[(seat * kNumHandClasses + visit.classes[seat]) * num_seats + i] - cells.mean[i];
    chips[i] = pot * share - visit.spent[i];
  }
}

// Nothing is known: the pot is shared by who is in.
void ValueTable::start_even(uint32_t folded, std::vector<double>& values) const {
  const int num_seats = rules_->num_seats, width = num_shares();
  const int num_active = num_seats - std::popcount(folded);
  values.resize(static_cast<size_t>(num_cells()) * width);
  for (size_t i = 0; i < values.size(); ++i) values[i] = folded >> (i % width) & 1 ? 0.0 : 1.0 / num_active;
}

void ValueTable::draw_towards(const Cells& cells, bool has_shift, std::vector<double>& values) const {
  const int size = num_cells(), width = num_shares();
  std::array<double, kMaxSeats> shift{};  // how far the node as a whole is from what the coarser cells say of its hands
  if (has_shift) {
    double count = 0.0;
    for (int cell = 0; cell < size; ++cell) {
      count += cells.count[cell];
      for (int i = 0; i < width; ++i)
        shift[i] += cells.sums[cell * width + i] - cells.count[cell] * values[cell * width + i];
    }
    for (int i = 0; i < width; ++i) shift[i] /= count + kPriorHands;
  }
  for (int cell = 0; cell < size; ++cell)
    for (int i = 0; i < width; ++i) {
      double& value = values[cell * width + i];
      value = (cells.sums[cell * width + i] + kPriorHands * (value + shift[i])) / (cells.count[cell] + kPriorHands);
    }
}

void ValueTable::find_mean(const Cells& cells, const std::vector<double>& values, double* mean) const {
  const int width = num_shares();
  double total = 0.0;
  std::fill_n(mean, width, 0.0);
  for (int cell = 0; cell < num_cells(); ++cell) {
    total += cells.count[cell];
    for (int i = 0; i < width; ++i) mean[i] += cells.count[cell] * values[cell * width + i];
  }
  for (int i = 0; i < width; ++i) mean[i] /= total;
}

// From the last visits back: all visits of a node are the same number of steps from the start.
void ValueTable::settle() {
  const auto num_hands = static_cast<int64_t>(first_visit_.size()) - 1;
  int64_t longest = 0;
  for (int64_t hand = 0; hand < num_hands; ++hand)
    longest = std::max(longest, first_visit_[hand + 1] - first_visit_[hand]);
  for (int64_t step = longest - 1; step >= 0; --step) {
    const auto each = [&](auto tell) {
      for (int64_t hand = 0; hand < num_hands; ++hand)
        if (const int64_t place = first_visit_[hand] + step; place < first_visit_[hand + 1])
          tell(visit(place), worth_.data() + hand * rules_->num_seats);
    };
    each([&](const Visit& visit, const double* chips) {
      if (visit.fine >= 0) add(fine_cells_[visit.fine], visit, chips);
      if (visit.coarse >= 0) add(coarse_cells_[visit.coarse], visit, chips);
    });
    each([&](const Visit& visit, double* chips) {
      if (visit.fine < 0) return;
      Cells& cells = fine_cells_[visit.fine];
      if (cells.values.empty()) {
        start_even(visit.folded, cells.values);
        if (visit.coarse >= 0) draw_towards(coarse_cells_[visit.coarse], false, cells.values);
        draw_towards(cells, true, cells.values);
        if (!is_heads_up()) find_mean(cells, cells.values, cells.mean.data());
      }
      if (is_heads_up()) chips_at(visit, chips);
    });
  }
  visited_ = {};
  folded_ = {};
  spent_ = {};
  seat_classes_ = {};
  first_visit_ = {0};
  worth_ = {};
}

void ValueTable::find(const BettingKey& key, const BettingState& state, int num_board_cards, NodeValues& values) const {
  values.num_seats = rules_->num_seats;
  const auto fine = fine_.find(key.fine(num_board_cards));
  if (fine != fine_.end()) {
    values.cells = fine_cells_[fine->second].values;
    values.mean = fine_cells_[fine->second].mean;
    return;
  }
  start_even(state.ending().folded, values.cells);
  values.mean.fill(0.0);
  for (int seat = 0; seat < num_shares(); ++seat) values.mean[seat] = values.cells[seat];
  const auto coarse = coarse_.find(BettingKey::coarse(*rules_, state, num_board_cards));
  if (coarse == coarse_.end()) return;
  draw_towards(coarse_cells_[coarse->second], false, values.cells);
  if (!is_heads_up()) find_mean(coarse_cells_[coarse->second], values.cells, values.mean.data());
}

}  // namespace nashgap
