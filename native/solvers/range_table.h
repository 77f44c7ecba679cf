// A number for each slot and hand of a player, see RangeLayout: as it is, or packed into 16 bits.
#pragma once

#include <cstdint>

#include "solvers/huge_array.h"
#include "solvers/packed_block.h"
#include "solvers/range_layout.h"

namespace nashgap {

// Places are of blocks: an entry's number, less its hand in the block, over sixteen.
class RangeTable {
 public:
  RangeTable(RangeStorage storage, int64_t num_entries)
      : is_packed_(storage == RangeStorage::kInt16),
        floats_(is_packed_ ? 0 : num_entries),
        packed_(is_packed_ ? num_entries : 0),
        exponents_(is_packed_ ? num_entries / kHandsPerBlock : 0) {}

  // [slots] from a place on, to be read: the table's own, or copies in the room where they are packed. Tables are read
  // in order, through boards that follow each other; what comes soon is asked for.
  const Block* read(int64_t place, int num_slots, Block* room) const {
    if (is_packed()) return unpacked(place, num_slots, room);
    const Block* slots = blocks(floats_.data()) + place;
    for (int line = 0; line < num_slots; ++line) __builtin_prefetch(slots + kLinesAhead + line);
    return slots;
  }
  // The same to be changed, which `close` ends. What was not changed stays as it is.
  Block* open(int64_t place, int num_slots, Block* room) { return const_cast<Block*>(read(place, num_slots, room)); }
  void close(int64_t place, int num_slots, const Block* slots, int64_t iteration) {
    if (is_packed()) write_packed(place, num_slots, slots, iteration);
  }
  // Of a table of the same game and storage.
  void copy_from(const RangeTable& other);

  bool is_packed() const { return is_packed_; }
  int64_t num_entries() const { return is_packed() ? packed_.size() : floats_.size(); }
  // What it is kept in; of floats and of packed numbers with their exponents one has nothing.
  HugeArray<float>& floats() { return floats_; }
  HugeArray<int16_t>& integers() { return packed_; }
  HugeArray<uint8_t>& exponents() { return exponents_; }

 private:
  static constexpr int kLinesAhead = 64;  // of the cache; the processor's own guess ends with each page

  const Block* unpacked(int64_t place, int num_slots, Block* room) const;
  void write_packed(int64_t place, int num_slots, const Block* slots, int64_t iteration);

  bool is_packed_;
  HugeArray<float> floats_;
  HugeArray<int16_t> packed_;
  HugeArray<uint8_t> exponents_;  // one for each slot and block of hands
};

}  // namespace nashgap
