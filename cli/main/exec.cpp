// libexec/bankproof/bankproof-exec: the command exec.
#include "../exec.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "../program.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  constexpr std::array held = {HeldCommand{"exec", add_exec}};
  return run_program(std::span(argv, static_cast<std::size_t>(argc)), held);
}
