// Mutates PTX by its structure: removes, copies and swaps instructions, and replaces parts of an
// instruction by parts of another, so that most results parse again. Some inputs are still mutated
// as bytes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../syntax/parser.hpp"
#include "../../syntax/printer.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace bankproof::ptx {
namespace {

constexpr std::array<std::uint64_t, 10> numbers{
    0, 1, 2, 31, 32, 255, 4096, 0x7fffffff, 0xffffffff, 0x8000000000000000};

class Mutation {
 public:
  Mutation(Module& module, unsigned seed) : random_(seed) {
    std::vector<Function*> defined;
    for (Function& function : module.functions) {
      if (!function.body.empty()) defined.push_back(&function);
    }
    if (!defined.empty()) body_ = &defined[below(defined.size())]->body;
  }

  void run() {
    if (body_ == nullptr) return;
    for (std::size_t times = 1 + below(3); times > 0; --times) mutate_once();
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  void mutate_once() {
    std::vector<std::size_t> places;
    for (std::size_t s = 0; s < body_->size(); ++s) {
      if (std::holds_alternative<Instruction>((*body_)[s])) places.push_back(s);
    }
    if (places.empty()) return;
    const std::size_t at = places[below(places.size())];
    const std::size_t other_at = places[below(places.size())];
    auto& one = std::get<Instruction>((*body_)[at]);
    const Instruction other = std::get<Instruction>((*body_)[other_at]);
    switch (below(8)) {
      case 0:
        body_->erase(body_->begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:
        body_->insert(body_->begin() + static_cast<std::ptrdiff_t>(at), other);
        break;
      case 2:
        std::swap((*body_)[at], (*body_)[other_at]);
        break;
      case 3:
        if (one.operands.empty() || other.operands.empty()) break;
        one.operands[below(one.operands.size())] = other.operands[below(other.operands.size())];
        break;
      case 4:
        one.base = other.base;
        one.modifiers = other.modifiers;
        break;
      case 5:
        one.guard = other.guard;
        if (one.guard) one.guard->negated = below(2) == 0;
        break;
      case 6:
        if (one.operands.empty()) break;
        one.operands[below(one.operands.size())].value =
            Scalar(Immediate{Immediate::Kind::integer, numbers[below(numbers.size())]});
        break;
      default:
        if (one.modifiers.empty() || other.modifiers.empty()) break;
        one.modifiers[below(one.modifiers.size())] = other.modifiers[below(other.modifiers.size())];
    }
  }

  std::mt19937 random_;
  std::vector<Statement>* body_ = nullptr;
};

/// The mutated text; empty if the text is no PTX.
std::string mutated(std::string_view text, unsigned seed) {
  try {
    Module module = parse(text);
    Mutation(module, seed).run();
    return print(module);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace
}  // namespace bankproof::ptx

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text =
      bankproof::ptx::mutated({reinterpret_cast<const char*>(data), size}, seed);
  if (text.empty() || text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
