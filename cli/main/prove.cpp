// libexec/bankproof/bankproof-prove: the command prove.
#include "../prove.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "../program.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  constexpr std::array held = {HeldCommand{"prove", add_prove}};
  return run_program(std::span(argv, static_cast<std::size_t>(argc)), held);
}
