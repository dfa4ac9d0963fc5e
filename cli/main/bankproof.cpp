// bin/bankproof: the commands that make and check plans; the other commands are separate programs.
#include <array>
#include <cstddef>
#include <span>

#include "../check.hpp"
#include "../list.hpp"
#include "../program.hpp"
#include "../schedule.hpp"
#include "../verify.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  constexpr std::array held = {HeldCommand{"check", add_check}, HeldCommand{"list", add_list},
                               HeldCommand{"schedule", add_schedule},
                               HeldCommand{"verify", add_verify}};
  return run_program(std::span(argv, static_cast<std::size_t>(argc)), held);
}
