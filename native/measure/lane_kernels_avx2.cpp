// Compiled for machines with AVX2, see CMakeLists.txt.
#include "measure/lane_kernels_inl.h"

namespace nashgap {

const LaneKernels kWideKernels = kKernels;

}  // namespace nashgap
