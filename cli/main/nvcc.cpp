// libexec/bankproof/bankproof-nvcc, which bin/bankproof-nvcc is a link to: the command nvcc.
//
// nvcc's options are not those of the other commands, so it has its own parser; the other program's
// parser describes the command to the manual.
#include "../nvcc.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "../program.hpp"

int main(int argc, char** argv) {
  using namespace bankproof::cli;
  constexpr std::array held = {HeldCommand{"nvcc", add_nvcc}};
  const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
  const auto is = [&](std::size_t k, std::string_view text) {
    return k < words.size() && text == words[k];
  };
  if (is(1, "--reference")) return run_program(words, held);
  // As bin/bankproof calls it, the first word is the command's name.
  const bool is_called = !words.empty() && std::string_view(words[0]).ends_with("bankproof-nvcc")
                             ? false
                             : is(1, "nvcc");
  return run_apart(words.subspan(is_called ? 2 : words.empty() ? 0 : 1), run_nvcc);
}
