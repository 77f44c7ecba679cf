// Vectors: which the processor has, and what compilers call the same operation on them.
#pragma once

namespace nashgap {

// Whether code that is compiled for AVX2 may run here.
bool has_avx2();

}  // namespace nashgap

// The lanes of two vectors at these places, those of the second counted after those of the first. No function, because
// files that are compiled for newer machines must not share one with others.
#ifdef __clang__
#define NASHGAP_SHUFFLE(one, other, ...) __builtin_shufflevector(one, other, __VA_ARGS__)
#else
#define NASHGAP_SHUFFLE(one, other, ...) __builtin_shuffle(one, other, decltype((one) < (other)){__VA_ARGS__})
#endif
