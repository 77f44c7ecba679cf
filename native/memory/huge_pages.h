// Huge pages for large memory that is read at random places, where the system has them.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace nashgap {

// Asks for them; only what has not been touched yet comes in them.
inline void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] size_t num_bytes) {
#ifdef MADV_HUGEPAGE
  constexpr uintptr_t kHugePage = uintptr_t{1} << 21;
  const uintptr_t address = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t begin = (address + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t end = (address + num_bytes) / kHugePage * kHugePage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace nashgap
