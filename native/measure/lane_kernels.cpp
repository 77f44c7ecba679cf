#include "measure/lane_kernels.h"

#include "measure/lane_kernels_inl.h"
#include "memory/vectors.h"

namespace nashgap {

const LaneKernels kNarrowKernels = kKernels;

const LaneKernels& lane_kernels() { return has_avx2() ? kWideKernels : kNarrowKernels; }

}  // namespace nashgap
