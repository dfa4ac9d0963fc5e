// The functions of programs whose default streams are per thread. cuda.h gives every function for
// which the default stream matters another name then: cuMemcpyHtoD is cuMemcpyHtoD_v2_ptds. They do
// the same, but the stream 0 is that of the calling thread (per_thread.def).
//
// A program that has the machine linked into it calls these names; they jump to the functions of
// the table.
#include <iterator>

#include "../headers/parts/driver_functions.h"
#include "../headers/parts/driver_graphs.h"
#include "../headers/parts/driver_textures.h"
#include "../runtime/default_stream.hpp"
#include "calls.hpp"
#include "jump.hpp"

namespace bankproof::cuda::driver {

/// The function with the calling thread's default stream.
template <auto function>
struct OfThread;
template <class... Parameters, CUresult (*function)(Parameters...)>
struct OfThread<function> {
  static CUresult call(Parameters... parameters) {
    const PerThreadDefaultStream mine;
    return function(parameters...);
  }
};

}  // namespace bankproof::cuda::driver

extern "C" {
// The arguments of functions that are accepted or refused do not matter.
#define per_thread(name, ending)
#define same(name, ending) int bankproof_##name() __asm__(#name);
#include "per_thread.def"
#undef per_thread
#undef same

// NOLINTBEGIN(readability-identifier-naming): see table.hpp.
#define per_thread(name, ending) \
  {#name #ending, reinterpret_cast<void (*)()>(&bankproof::cuda::driver::OfThread<&(name)>::call)},
#define same(name, ending) {#name #ending, reinterpret_cast<void (*)()>(&bankproof_##name)},
const bankproof::cuda::driver::DriverFunction bankproof_driver_functions_of_threads[] = {
#include "per_thread.def"
};
#undef per_thread
#undef same
const unsigned bankproof_driver_function_of_threads_count =
    static_cast<unsigned>(std::size(bankproof_driver_functions_of_threads));
// NOLINTEND(readability-identifier-naming)
}

#define per_thread(name, ending) \
  BANKPROOF_JUMP(#name #ending, "bankproof_driver_functions_of_threads")
#define same(name, ending) per_thread(name, ending)
__asm__(BANKPROOF_FIRST_JUMP
#include "per_thread.def"
);
#undef per_thread
#undef same
