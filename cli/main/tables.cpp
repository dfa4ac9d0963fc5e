// libexec/bankproof/bankproof-tables: the command tables.
#include "../tables.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "../program.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  constexpr std::array held = {HeldCommand{"tables", add_tables}};
  return run_program(std::span(argv, static_cast<std::size_t>(argc)), held);
}
