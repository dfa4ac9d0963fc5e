// Random programs, cut into modules at random, against a plain evaluation of the whole.
//
// Function f3 calls one or two of f0, f1 and f2, and so on; each function is in one module. Every
// module has a variable `own` and a function `local` that returns it, with the number of the
// module, and a weak function that is the same everywhere. A function returns local() + weak() +
// the sum of its calls.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../../ptx/syntax/link.hpp"
#include "../../../testing/property.hpp"
#include "../kernel_run.hpp"
#include "../support.hpp"

namespace bankproof::ptx {
namespace {

struct Piece {
  std::size_t module = 0;
  std::set<std::size_t> calls;
};

std::uint32_t number_of(std::size_t module) { return static_cast<std::uint32_t>(7 * module + 1); }
constexpr std::uint32_t weak_number = 1000;
constexpr std::size_t modules_of_functions = 4;
constexpr std::size_t most_functions = 10;  // the number of calls doubles with each

std::vector<std::uint32_t> evaluated(const std::vector<Piece>& pieces) {
  std::vector<std::uint32_t> values;
  for (const Piece& piece : pieces) {
    std::uint32_t value = number_of(piece.module) + weak_number;
    for (const std::size_t callee : piece.calls) value += values[callee];
    values.push_back(value);
  }
  return values;
}

std::string call_of(const std::string& name) {
  return "{ .param .b32 got; call.uni (got), " + name +
         ", (); ld.param.b32 %v, [got]; } add.u32 %s, %s, %v;\n";
}

std::string head_of(const std::string& name) { return ".func (.param .b32 r) " + name + "()"; }

std::string name_of(std::size_t function) { return "f" + std::to_string(function); }

/// The text of a function that returns the sum of the calls.
std::string text_of(std::size_t function, const Piece& piece) {
  std::string text = ".visible " + head_of(name_of(function)) +
                     " { .reg .b32 %s, %v; mov.u32 %s, 0;\n" + call_of("local") + call_of("weak");
  for (const std::size_t callee : piece.calls) text += call_of(name_of(callee));
  return text + "st.param.b32 [r], %s; ret; }\n";
}

std::string module_text(std::size_t module, const std::vector<Piece>& pieces) {
  std::string text =
      ".global .u32 own = " + std::to_string(number_of(module)) + ";\n" + head_of("local") +
      " { .reg .b32 %v; ld.global.u32 %v, [own]; st.param.b32 [r], %v; ret; }\n" + ".weak " +
      head_of("weak") + " { st.param.b32 [r], " + std::to_string(weak_number) + "; ret; }\n";
  std::set<std::size_t> declared;
  for (std::size_t f = 0; f < pieces.size(); ++f) {
    if (pieces[f].module != module) continue;
    for (const std::size_t callee : pieces[f].calls) {
      if (declared.insert(callee).second) text += ".extern " + head_of(name_of(callee)) + ";\n";
    }
    text += text_of(f, pieces[f]);
    declared.insert(f);
  }
  return text;
}

std::string kernel_text(std::size_t last) {
  return ".extern " + head_of(name_of(last)) +
         ";\n.visible .entry k(.param .u64 p) { .reg .b64 %p; .reg .b32 %s, %v; "
         "ld.param.u64 %p, [p]; mov.u32 %s, 0;\n" +
         call_of(name_of(last)) + "st.global.u32 [%p], %s; ret; }\n";
}

BANKPROOF_PROPERTY(LinkedPrograms, compute_what_the_whole_computes,
                   (const std::vector<std::pair<std::uint8_t, std::uint8_t>>& drawn)) {
  std::vector<Piece> pieces(1);
  for (const auto& [module, calls] : drawn) {
    if (pieces.size() == most_functions) break;
    const std::size_t known = pieces.size();
    pieces.push_back({module % modules_of_functions, {calls % known, calls / 16 % known}});
  }
  std::vector<Module> modules;
  for (std::size_t m = 0; m < modules_of_functions; ++m)
    modules.push_back(parse(with_head(module_text(m, pieces))));
  modules.push_back(parse(with_head(kernel_text(pieces.size() - 1))));
  KernelRun run(link(std::move(modules)), "k");
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>{0});
  run.launch({1, 1, 1}, {1, 1, 1});
  RC_ASSERT(run.faults().empty());
  RC_ASSERT(run.data<std::uint32_t>(out).at(0) == evaluated(pieces).back());
}

}  // namespace
}  // namespace bankproof::ptx
