// Memory from the system in whole pages, huge ones where it has them.
#pragma once

#include <cstddef>

namespace nashgap {

// Zeros, taken from the system page by page as they are touched; std::bad_alloc where there is no room.
void* take_pages(size_t num_bytes);
void give_back_pages(void* memory, size_t num_bytes);

// Asks for huge pages for large memory that is read at random places; only what has not been touched yet comes in them.
void advise_huge_pages(void* memory, size_t num_bytes);

}  // namespace nashgap
