// libexec/bankproof/bankproof-run: the command run.
#include "../run.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "../program.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  constexpr std::array held = {HeldCommand{"run", add_run}};
  return run_program(std::span(argv, static_cast<std::size_t>(argc)), held);
}
