#include "solvers/range_table.h"

#include <algorithm>

namespace nashgap {

const Block* RangeTable::unpacked(int64_t place, int num_slots, Block* room) const {
  const PackedBlock* slots = reinterpret_cast<const PackedBlock*>(packed_.data()) + place;
  for (int line = 0; line < num_slots; line += 2) __builtin_prefetch(slots + 2 * kLinesAhead + line);
  for (int slot = 0; slot < num_slots; ++slot) room[slot] = unpack(slots[slot], exponents_.data()[place + slot]);
  return room;
}

void RangeTable::write_packed(int64_t place, int num_slots, const Block* slots, int64_t iteration) {
  PackedBlock* packed = reinterpret_cast<PackedBlock*>(packed_.data()) + place;
  Rounding rounding(iteration, place);
  for (int slot = 0; slot < num_slots; ++slot)
    pack(slots[slot], rounding, packed[slot], exponents_.data()[place + slot]);
}

void RangeTable::copy_from(const RangeTable& other) {
  std::copy_n(other.floats_.data(), other.floats_.size(), floats_.data());
  std::copy_n(other.packed_.data(), other.packed_.size(), packed_.data());
  std::copy_n(other.exponents_.data(), other.exponents_.size(), exponents_.data());
}

}  // namespace nashgap
