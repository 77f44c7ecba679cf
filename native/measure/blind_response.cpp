#include "measure/blind_response.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "abstraction/strength_tables.h"
#include "ranges/blocks.h"

namespace nashgap {
namespace {

constexpr int kNumLevels = kRiverUnit + 1;
constexpr int kNumTurnRivers = kNumCards - 6;  // that may come, of who sees the board and two cards of its own
constexpr int kNumFlopTurns = kNumCards - 5;

// The renamings of suits that leave a flop as it is, as codes of hand_map.
std::vector<uint32_t> renamings_that_keep(const std::array<uint8_t, 3>& flop) {
  std::array<int, kNumSuits> suits = {0, 1, 2, 3};
  uint64_t lying = 0;
  for (const uint8_t card : flop) lying |= 1ULL << card;
  std::vector<uint32_t> codes;
  do {
    uint64_t image = 0;
    for (const uint8_t card : flop) image |= 1ULL << make_card(rank_of(card), suits[suit_of(card)]);
    if (image == lying)
      codes.push_back(static_cast<uint32_t>(suits[0] | suits[1] << 2 | suits[2] << 4 | suits[3] << 6));
  } while (std::next_permutation(suits.begin(), suits.end()));
  return codes;
}

int renamed(int card, uint32_t code) { return (card & ~3) | (code >> 2 * (card & 3) & 3); }

}  // namespace

BlindResponse::BlindResponse(std::shared_ptr<const Rules> rules, const BettingTree& tree,
                             std::vector<double> probabilities, const uint16_t* river_levels)
    : rules_(std::move(rules)),
      streets_(cut_into_streets(*rules_, tree, Rake{})),
      probabilities_(std::move(probabilities)),
      first_edge_(tree.first_edge),
      river_levels_(river_levels) {
  for (const Street& street : streets_)
    for (const StreetEnd& end : street.showdowns)
      for (int player = 0; player < 2; ++player)
        if (end.tie[player] != 0.0f || end.win[player] != -end.lose[player])
          throw std::invalid_argument("showdowns are for equal stakes");
  merge_streets();
  fill_river();
}

// Streets of equal keys are worth the same on all boards.
std::vector<double> BlindResponse::key_of(const Street& street) const {
  std::vector<double> key;
  for (const StreetNode& node : street.nodes) {
    key.insert(key.end(), {static_cast<double>(node.player), static_cast<double>(node.num_actions)});
    for (int action = 0; action < node.num_actions; ++action) {
      const StreetChild& child = street.children[node.first_child + action];
      key.insert(key.end(), {probability(node, action), static_cast<double>(child.kind)});
      if (child.kind == StreetChild::kFold)
        key.insert(key.end(), {street.folds[child.index].win[0], street.folds[child.index].win[1]});
      if (child.kind == StreetChild::kShowdown) key.push_back(street.showdowns[child.index].win[0]);
      if (child.kind == StreetChild::kNode) key.push_back(child.index);
      if (child.kind == StreetChild::kNextStreet) key.push_back(class_of_[street.exits[child.index].street]);
    }
  }
  return key;
}

void BlindResponse::merge_streets() {
  class_of_.resize(streets_.size());
  std::array<std::map<std::vector<double>, int32_t>, kMaxRounds> known;
  for (size_t number = streets_.size(); number-- > 0;) {  // what a street leads to stands behind it
    const Street& street = streets_[number];
    std::vector<int32_t>& different = different_[street.round];
    const auto [found, is_new] =
        known[street.round].try_emplace(key_of(street), static_cast<int32_t>(different.size()));
    if (is_new) different.push_back(static_cast<int32_t>(number));
    class_of_[number] = found->second;
  }
}

std::vector<float> BlindResponse::values_of(const Street& street, int player, const std::vector<float>& chances,
                                            const Lanes& next) const {
  const size_t size = chances.size();
  std::vector<std::vector<float>> at(street.nodes.size());
  std::vector<float> worth(size);
  for (size_t number = street.nodes.size(); number-- > 0;) {
    const StreetNode& node = street.nodes[number];
    std::vector<float>& value = at[number];
    value.assign(size, 0.0f);
    for (int action = 0; action < node.num_actions; ++action) {
      const StreetChild& child = street.children[node.first_child + action];
      const float* from = worth.data();
      switch (child.kind) {
        case StreetChild::kNode: from = at[child.index].data(); break;
        case StreetChild::kFold: std::fill(worth.begin(), worth.end(), street.folds[child.index].win[player]); break;
        case StreetChild::kShowdown: {
          const float stake = street.showdowns[child.index].win[player];
          for (size_t i = 0; i < size; ++i) worth[i] = stake * chances[i];
          break;
        }
        default: from = next[lane_of(street.exits[child.index].street, player)].data();
      }
      if (node.player != player) {
        const float share = static_cast<float>(probability(node, action));
        for (size_t i = 0; i < size; ++i) value[i] += share * from[i];
      } else if (action == 0) {
        std::copy_n(from, size, value.begin());
      } else {
        for (size_t i = 0; i < size; ++i) value[i] = std::max(value[i], from[i]);
      }
    }
  }
  return std::move(at[0]);
}

BlindResponse::Lanes BlindResponse::lanes_of_round(int round, const std::vector<float>& chances,
                                                   const Lanes& next) const {
  Lanes lanes = {chances};
  for (const int32_t street : different_[round])
    for (int player = 0; player < 2; ++player) lanes.push_back(values_of(streets_[street], player, chances, next));
  return lanes;
}

void BlindResponse::fill_river() {
  std::vector<float> chances(kNumLevels);
  for (int level = 0; level < kNumLevels; ++level) chances[level] = static_cast<float>(2.0 * level / kRiverUnit - 1.0);
  const Lanes lanes = lanes_of_round(3, chances, {});
  river_stride_ = padded(static_cast<int>(lanes.size()));
  river_.assign(size_t{kNumLevels} * river_stride_, 0.0f);
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (int level = 0; level < kNumLevels; ++level) river_[size_t(level) * river_stride_ + lane] = lanes[lane][level];
}

BlindResponse::Lanes BlindResponse::over_rivers(const std::array<uint8_t, 4>& board) const {
  std::vector<float> sums(size_t{kNumHands} * river_stride_, 0.0f);
  uint8_t cards[5];
  std::copy(board.begin(), board.end(), cards);
  for (int river = 0; river < kNumCards; ++river) {
    if (std::ranges::find(board, river) != board.end()) continue;
    cards[4] = static_cast<uint8_t>(river);
    const BoardPlace place = place_board(cards, 3).places[3];
    const uint16_t* levels = river_levels_ + place.board() * kNumHands;
    const auto& map = hand_map(place.suit_code());
    for (int hand = 0; hand < kNumHands; ++hand) {
      const uint16_t level = levels[map[hand]];
      if (level == kNoLevel) continue;
      const float* from = &river_[size_t{level} * river_stride_];
      float* sum = &sums[size_t(hand) * river_stride_];
      for (int lane = 0; lane < river_stride_; ++lane) sum[lane] += from[lane];
    }
  }
  Lanes lanes(num_lanes(3), std::vector<float>(kNumHands));
  for (size_t lane = 0; lane < lanes.size(); ++lane)
    for (int hand = 0; hand < kNumHands; ++hand)
      lanes[lane][hand] = sums[size_t(hand) * river_stride_ + lane] * (1.0f / kNumTurnRivers);
  return lanes;
}

BlindResponse::Lanes BlindResponse::over_turns(const std::array<uint8_t, 3>& flop) const {
  const std::vector<uint32_t> renamings = renamings_that_keep(flop);
  Lanes sums(num_lanes(2), std::vector<float>(kNumHands, 0.0f));
  for (int turn = 0; turn < kNumCards; ++turn) {
    if (std::ranges::find(flop, turn) != flop.end()) continue;
    std::map<int, uint32_t> images;  // a renaming for each card that the turn may become
    for (const uint32_t code : renamings) images.try_emplace(renamed(turn, code), code);
    if (images.begin()->first < turn) continue;  // the least of the images stands for all
    const Lanes next = over_rivers({flop[0], flop[1], flop[2], static_cast<uint8_t>(turn)});
    const Lanes lanes = lanes_of_round(2, next[0], next);
    for (const auto& [image, code] : images) {
      const auto& map = hand_map(code);
      for (size_t lane = 0; lane < lanes.size(); ++lane)
        for (int hand = 0; hand < kNumHands; ++hand) {
          const auto& [first, second] = cards_of_hands()[hand];
          if (first == turn || second == turn) continue;
          sums[lane][map[hand]] += lanes[lane][hand] * (1.0f / kNumFlopTurns);
        }
    }
  }
  return sums;
}

// [sequences] how likely a player is to come to the end of each in the first street.
std::vector<double> BlindResponse::reach_of(int player) const {
  const Street& street = streets_[0];
  std::vector<double> reach(street.num_slots[player] + 1, 1.0);
  for (const StreetNode& node : street.nodes)
    for (int action = 0; action < node.num_actions && node.player == player; ++action)
      reach[1 + node.first_slot + action] = reach[node.sequence] * probability(node, action);
  return reach;
}

BoardResponse BlindResponse::respond(const std::array<uint8_t, 3>& flop) const {
  const Lanes turns = over_turns(flop);
  const Lanes lanes = lanes_of_round(1, turns[0], turns);
  uint64_t lying = 0;
  for (const uint8_t card : flop) lying |= 1ULL << card;
  constexpr double kNumOthers = (kNumCards - 5) * (kNumCards - 6) / 2;  // hands that each hand can meet
  const Street& trunk = streets_[0];
  BoardResponse found;
  for (int player = 0; player < 2; ++player) {
    const std::vector<double> reach = reach_of(1 - player);
    found.payoffs[player].assign(int64_t{trunk.num_slots[player] + 1} * kNumHands, 0.0);
    const auto add = [&](const auto& end, auto&& value_of) {
      double* payoffs = &found.payoffs[player][int64_t{end.sequence[player]} * kNumHands];
      for (int hand = 0; hand < kNumHands; ++hand) {
        const auto& [first, second] = cards_of_hands()[hand];
        if (lying >> first & 1 || lying >> second & 1) continue;
        payoffs[hand] += kNumOthers * reach[end.sequence[1 - player]] * value_of(hand);
      }
    };
    for (const StreetEnd& end : trunk.folds) add(end, [&](int) { return end.win[player]; });
    for (const StreetEnd& end : trunk.showdowns) add(end, [&](int hand) { return end.win[player] * lanes[0][hand]; });
    for (const StreetExit& exit : trunk.exits)
      add(exit, [&](int hand) { return lanes[lane_of(exit.street, player)][hand]; });
  }
  return found;
}

}  // namespace nashgap
