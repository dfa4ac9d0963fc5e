// libexec/bankproof/bankproof-kernel: the command kernel.
#include "../kernel.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "../program.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  constexpr std::array held = {HeldCommand{"kernel", add_kernel}};
  return run_program(std::span(argv, static_cast<std::size_t>(argc)), held);
}
