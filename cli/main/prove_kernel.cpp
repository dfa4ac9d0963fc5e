// libexec/bankproof/bankproof-prove-kernel: the command prove, for `prove --kernel`.
#include "../prove_kernel.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "../program.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  constexpr std::array held = {HeldCommand{"prove", add_prove_with_kernels}};
  return run_program(std::span(argv, static_cast<std::size_t>(argc)), held);
}
