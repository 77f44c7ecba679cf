#include "measure/lane_kernels.h"

#include "measure/lane_kernels_inl.h"

namespace nashgap {

const LaneKernels kNarrowKernels = kKernels;

const LaneKernels& lane_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return kWideKernels;
#endif
  return kNarrowKernels;
}

}  // namespace nashgap
