// libexec/bankproof/bankproof-kernel: the command kernel.
#include <array>
#include <cstddef>
#include <span>

#include "../kernel.hpp"
#include "../program.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  constexpr std::array held = {HeldCommand{"kernel", add_kernel}};
  return run_program(std::span(argv, static_cast<std::size_t>(argc)), held);
}
