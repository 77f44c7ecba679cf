// A strategy of an abstract game at the real table: tables, what is done where they are silent, and the buckets of the
// boards that it was asked about last. See nashgap/strategies/abstract.py.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <variant>
#include <vector>

#include "abstraction/abstract_game.h"
#include "poker/state.h"
#include "random/philox.h"
#include "strategies/betting_walk.h"

namespace nashgap {

// What is done in an information set that training never reached.
enum class Fallback : uint8_t { kUniform = 0, kCall = 1 };
// What is done once somebody has raised more often than the tree does, until the round is over; nobody folds for free.
enum class OffTree : uint8_t { kCall = 0, kFold = 1 };

struct PlayOptions {
  Fallback fallback = Fallback::kUniform;
  OffTree off_tree = OffTree::kCall;
  Translation translation = Translation::kPseudoHarmonic;
  double threshold = 0.0;  // smaller probabilities become 0
  bool purify = false;     // only the most likely action, or each of several equally
};

// The entries of one round, in the order of the abstract game; they must outlive the strategy.
using StrategyTable = std::variant<const float*, const uint8_t*>;

// The buckets of all hands on the boards that were asked for last.
class BucketCache {
 public:
  using Buckets = std::shared_ptr<const std::vector<int32_t>>;

  // num_hands: as many as all_buckets writes.
  Buckets find(const CardAbstraction& cards, const std::vector<uint8_t>& board, int round, int num_hands);

 private:
  static constexpr size_t kMaxBoards = 64;
  static constexpr int kMaxBoardCards = 10;

  struct Key {
    const CardAbstraction* cards;
    int round;
    std::array<uint8_t, kMaxBoardCards> board;
    bool operator==(const Key&) const = default;
  };
  struct Known {
    Key key;
    Buckets buckets;
    uint64_t last_use;
  };

  std::mutex mutex_;
  std::vector<Known> boards_;
  uint64_t num_uses_ = 0;
};

// What the seat to act does with every hand. probabilities: [num_hands, actions], 0 for hands that share a card with
// the board or are not of the deck.
struct AllHandsPolicy {
  std::vector<Action> actions;  // fold, call, raises ascending; real ones
  std::vector<double> probabilities;
};

// An abstract game and its tables, one a round; played behind the prefix of the game's tree.
struct Segment {
  std::shared_ptr<const AbstractGame> game;
  std::vector<StrategyTable> tables;
};

class AbstractStrategy {
 public:
  // segments: at least one, of the same rules.
  AbstractStrategy(std::vector<Segment> segments, PlayOptions options);

  const Rules& rules() const { return segments_.front().game->rules(); }
  const AbstractGame& game(int segment) const { return *segments_[segment].game; }
  int num_segments() const { return static_cast<int>(segments_.size()); }
  // At the start of a hand.
  BettingWalk walk() const;
  const PlayOptions& options() const { return options_; }
  int num_hands() const;  // 1326 for two hole cards, the deck for one

  // The probabilities of the edges of a segment's node in a bucket, as they are played.
  void row(int segment, const AbstractGame::Node& node, int32_t bucket, double* probabilities) const {
    rows(segment, node, {&bucket, 1}, probabilities);
  }
  // Those of several buckets; in ascending order they are read fastest. probabilities: [buckets, actions].
  void rows(int segment, const AbstractGame::Node& node, std::span<const int32_t> buckets, double* probabilities) const;
  // What a path that is not at a node does.
  Action rule_action(const TreePlace& place, bool can_fold) const {
    const bool folds = place.node == TreePlace::kOffTree && options_.off_tree == OffTree::kFold && can_fold;
    return folds ? kFold : kCall;
  }
  // The paths to a state in which a seat is to act, in one segment: -1 where none has begun.
  struct Paths {
    int segment;
    std::vector<TreePlace> places;
  };
  Paths paths(const PublicState& state) const;
  AllHandsPolicy policy(const PublicState& state) const;
  // That of one path, drawn by its weight.
  AllHandsPolicy sample_policy(const PublicState& state, Philox& random) const;

 private:
  AllHandsPolicy policy_of(const PublicState& state, const Paths& paths) const;
  void add_place(int segment, const TreePlace& place, const std::vector<int32_t>& buckets, AllHandsPolicy& policy,
                 bool can_fold) const;

  std::vector<Segment> segments_;
  PlayOptions options_;
  mutable BucketCache bucket_cache_;
};

// The probabilities as bytes that add up to 255 in each row; rows of zeros stay so. Rounded by largest remainders, so
// that none is off by more than 1/255.
void quantise(const AbstractGame& game, int round, const float* probabilities, uint8_t* bytes);

struct TableCheck {
  double largest_error = 0.0;  // of a row's sum, of those that are not all zeros
  int64_t num_unreached = 0;   // rows of zeros
  int64_t num_wrong = 0;       // entries that are negative, above 1 or no number
};
TableCheck check_table(const AbstractGame& game, int round, StrategyTable table);

}  // namespace nashgap
