// Asks solvers whether statements can hold at once.
//
// Z3 is asked about whole numbers first (encodings/integers.hpp), and then about bit-vectors
// (encodings/bits.hpp): each decides quickly what takes the other one long. What Z3 finds to be
// impossible is kept as text, for cvc5.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

/// Values of unknowns. Unknowns that are not here may have any.
using Model = std::unordered_map<Term, std::uint64_t>;

/// What Z3 finds to be impossible, for cvc5.
struct Excluded {
  /// SMT-LIB 2 text that asks the same of whole numbers or of bit-vectors, with the statements that
  /// Z3 needed.
  std::string text;
  bool is_of_integers = false;
  /// All statements, to ask the other way.
  std::vector<Term> statements{};
  bool operator==(const Excluded& other) const { return text == other.text; }
  auto operator<=>(const Excluded& other) const { return text <=> other.text; }
};

struct Decided {
  enum class Kind : std::uint8_t { never, possible, unknown };
  Kind kind = Kind::unknown;
  /// For `never`.
  Excluded excluded{};
  /// For `possible`: the unknowns' values, for which all statements hold.
  Model model{};
};

/// Z3's time for each of the two; of whole numbers it counts steps, some 20,000 a millisecond.
struct Effort {
  unsigned integers_ms = 2000;
  unsigned bits_ms = 3000;
  bool tries_integers = true;
  bool tries_bits = true;
};

Decided decide(const Pool& pool, const std::vector<Term>& statements, const Effort& effort = {});

/// The answers to several questions, which are asked at once.
std::vector<Decided> decide_all(const Pool& pool, const std::vector<std::vector<Term>>& questions,
                                const Effort& effort = {});

/// Values for which all statements hold, and most of `wishes` in their order, if Z3 finds some in
/// the time.
std::optional<Model> model_of(Pool& pool, const std::vector<Term>& statements,
                              const std::vector<std::vector<Term>>& wishes, unsigned ms);

/// cvc5's answers: whether it says, too, that none of these can hold. Throws proofs::SolverError if
/// cvc5 says that one can hold. If `is_stopped` is true, it is asked no more.
struct Confirmed {
  std::size_t count = 0;  // of those before the first one that it does not answer
  std::optional<std::string> why_not{};
};
Confirmed confirm(const Pool& pool, const std::vector<Excluded>& all,
                  const std::function<bool()>& is_stopped = {});

}  // namespace bankproof::symbolic
