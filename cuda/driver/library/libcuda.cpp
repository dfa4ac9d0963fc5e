// libcuda.so.1: the names of the driver API. The functions are in the library that stands in for
// CUDA's runtime, so that both APIs share one state, and each name here jumps to its function.
#include "../jump.hpp"

#define implemented(name) BANKPROOF_JUMP(#name, "bankproof_driver_functions")
#define accepted(name, why) implemented(name)
#define refused(name, why) implemented(name)
__asm__(BANKPROOF_FIRST_JUMP
#include "../functions.def"
);

#define per_thread(name, ending) \
  BANKPROOF_JUMP(#name #ending, "bankproof_driver_functions_of_threads")
#define same(name, ending) per_thread(name, ending)
__asm__(BANKPROOF_FIRST_JUMP
#include "../per_thread.def"
);
