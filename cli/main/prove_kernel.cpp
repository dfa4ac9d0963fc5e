// libexec/bankproof/bankproof-prove-kernel: the command prove, for `prove --kernel`.
#include "../prove_kernel.hpp"

#include <malloc.h>

#include <array>
#include <cstddef>
#include <span>

#include "../program.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  // Solvers take and free much memory for each question: it is not given back in between.
  constexpr int keep = 1 << 30;
  mallopt(M_TRIM_THRESHOLD, keep);
  mallopt(M_MMAP_THRESHOLD, keep);
  constexpr std::array held = {HeldCommand{"prove", add_prove_with_kernels}};
  return run_program(std::span(argv, static_cast<std::size_t>(argc)), held);
}
