// What searches of one player have counted, by information set: the tree of Timbers et al. (2020), Algorithm 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace nashgap {

enum class SearchRule : uint8_t { kUct = 0, kPuct = 1 };

struct SearchOptions {
  int64_t num_simulations = 800;  // before each decision; 0: act by the priors alone
  SearchRule rule = SearchRule::kUct;
  double exploration = 2.6;  // of values from -1 to 1
  int64_t num_drawn = 0;     // first decisions of a game whose action is drawn by visits; later the most visited one
  bool keeps_tree = false;   // a game goes on with the tree of the game before
  // Above an action that was only tried counts what the best one there is worth, not what came of trying: else a
  // decision would be blamed for what was explored after it.
  bool counts_best = false;
  // Games that are played side by side. In a kept tree each simulates once before any of them counts; else it does
  // not matter to what is found.
  int64_t num_abreast = 1;
};

// What was learned of information sets beforehand.
struct SearchValues {
  const float* value;       // [information sets] in the unit of the payoffs
  const float* prior;       // [slots]
  const uint8_t* is_known;  // [information sets]; where not, a simulation is played out to the end
  // What earlier searches have counted, with which the tree begins; null: it begins empty.
  const float* visits;  // [slots]
  const double* total;  // [slots] of what was won
};

// A decision of the player; -1 stands for the end. Action a has slot first_slot + a * stride.
struct SearchPlace {
  int64_t infoset = -1;
  int64_t first_slot = 0, stride = 1;
  int num_actions = 0;

  bool is_end() const { return infoset < 0; }
  int64_t slot(int action) const { return first_slot + action * stride; }
};

// Decisions of a simulation, and the slots that were taken.
using SearchPath = std::vector<std::pair<SearchPlace, int64_t>>;

// Values of a search are scaled to -1 to 1, over what can still be won where it begins.
struct SearchScale {
  double middle = 0.0, factor = 1.0;

  SearchScale() = default;
  SearchScale(double least, double most)
      : middle(0.5 * (least + most)), factor(most > least ? 2.0 / (most - least) : 0.0) {}
};

class SearchTree {
 public:
  SearchTree(int64_t num_infosets, int64_t num_slots) : stamp_(num_infosets), visits_(num_slots), total_(num_slots) {}

  static int64_t num_bytes(int64_t num_infosets, int64_t num_slots) {
    return num_infosets * static_cast<int64_t>(sizeof(uint32_t)) +
           num_slots * static_cast<int64_t>(sizeof(float) + sizeof(double));
  }

  void forget() {
    entered_.clear();
    if (++epoch_ == 0) {
      std::fill(stamp_.begin(), stamp_.end(), 0);
      epoch_ = 1;
    }
  }

  // Whether the information set is in the tree; it is where earlier searches have been there.
  bool has(const SearchValues& values, const SearchPlace& place) {
    if (stamp_[place.infoset] == epoch_) return true;
    if (values.visits == nullptr) return false;
    for (int action = 0; action < place.num_actions; ++action)
      if (values.visits[place.slot(action)] > 0.0f) {
        enter(values, place);
        return true;
      }
    return false;
  }

  void enter(const SearchValues& values, const SearchPlace& place) {
    if (stamp_[place.infoset] == epoch_) return;
    stamp_[place.infoset] = epoch_;
    for (int action = 0; action < place.num_actions; ++action) {
      const int64_t slot = place.slot(action);
      visits_[slot] = values.visits == nullptr ? 0.0f : values.visits[slot];
      total_[slot] = values.visits == nullptr ? 0.0 : values.total[slot];
    }
    entered_.push_back(place);
  }

  // From the end of the path to its beginning.
  void count(const SearchPath& path, double won, bool counts_best) {
    for (size_t step = path.size(); step-- > 0;) {
      const auto& [place, taken] = path[step];
      visits_[taken] += 1.0f;
      total_[taken] += won;
      if (!counts_best) continue;
      const double own = mean(taken);
      double most = own;
      for (int action = 0; action < place.num_actions; ++action)
        if (const int64_t slot = place.slot(action); visits_[slot] > 0.0f) most = std::max(most, mean(slot));
      if (most > own) won = most;
    }
  }

  int select(const SearchOptions& options, const SearchValues& values, const SearchPlace& place,
             const SearchScale& scale) const {
    const double visited = num_visits(place);
    const bool is_puct = options.rule == SearchRule::kPuct;
    const double bonus = options.exploration * std::sqrt(is_puct ? visited : std::log(std::max(visited, 1.0)));
    int best = 0;
    double best_score = -std::numeric_limits<double>::infinity();
    for (int action = 0; action < place.num_actions; ++action) {
      const int64_t slot = place.slot(action);
      const double count = visits_[slot];
      if (!is_puct && count == 0.0) return action;
      const double mean = count > 0.0 ? (total_[slot] / count - scale.middle) * scale.factor : 0.0;
      const double score =
          mean + bonus * (is_puct ? static_cast<double>(values.prior[slot]) / (1.0 + count) : 1.0 / std::sqrt(count));
      if (score > best_score) {
        best_score = score;
        best = action;
      }
    }
    return best;
  }

  // The most visited action; of those the one that was worth more.
  int most_visited(const SearchPlace& place) const {
    int best = 0;
    for (int action = 1; action < place.num_actions; ++action) {
      const int64_t slot = place.slot(action), best_slot = place.slot(best);
      if (visits_[slot] > visits_[best_slot] ||
          (visits_[slot] == visits_[best_slot] && total_[slot] > total_[best_slot]))
        best = action;
    }
    return best;
  }

  double num_visits(const SearchPlace& place) const {
    double number = 0.0;
    for (int action = 0; action < place.num_actions; ++action) number += visits_[place.slot(action)];
    return number;
  }

  double visits(int64_t slot) const { return visits_[slot]; }
  double mean(int64_t slot) const { return total_[slot] / visits_[slot]; }

  // tell(slot, visits, total) of all that was counted since the tree was forgotten.
  template <typename Tell>
  void tell_counts(const SearchValues& values, Tell tell) {
    std::ranges::sort(entered_, {}, &SearchPlace::first_slot);  // games that wait for answers enter when they come
    for (const SearchPlace& place : entered_)
      for (int action = 0; action < place.num_actions; ++action) {
        const int64_t slot = place.slot(action);
        const float visits = visits_[slot] - (values.visits == nullptr ? 0.0f : values.visits[slot]);
        if (visits != 0.0f) tell(slot, visits, total_[slot] - (values.visits == nullptr ? 0.0 : values.total[slot]));
      }
  }

 private:
  uint32_t epoch_ = 0;
  std::vector<uint32_t> stamp_;       // [information sets] since when it is in the tree
  std::vector<float> visits_;         // [slots]
  std::vector<double> total_;         // [slots] of what was won
  std::vector<SearchPlace> entered_;  // since the tree was forgotten
};

}  // namespace nashgap
