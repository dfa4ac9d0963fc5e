// A question about a layout, and its answer.
//
// Threads 0 … size−1 form warps of the machine's width; the last warp may be partial. Variables
// have ranges. All threads of an access see the same values of the variables.
//
// Example: the columns of a tile with a pitch of 33 words are the access 33·i + column of 32
// threads, for column = 0 … 31.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "../../model/gpu/chips.hpp"
#include "../solvers/verdict.hpp"
#include "formula.hpp"

namespace bankproof::formulas {

/// Values first … last.
struct Variable {
  std::string name;
  std::uint32_t first = 0;
  std::uint32_t last = 0;

  std::uint64_t count() const { return std::uint64_t{last} - first + 1; }
};

/// Thread i touches the element formula(i, variables).
struct Access {
  std::string name;  ///< "source", "destination" or "address"
  Formula formula;
};

/// The largest number of threads for which all thread numbers have 32 bits.
inline constexpr std::uint64_t most_threads = std::uint64_t{1} << 32;

struct Question {
  std::uint64_t size = 0;  ///< 1 … most_threads
  std::vector<Variable> variables;
  std::vector<Access> accesses;        ///< at least one
  bool permutations = false;           ///< whether the accesses must be permutations
  std::optional<Formula> permutation;  ///< P, if `accesses` are a source and a destination
  AccessRule rule = dmm_rule(32);
  std::uint64_t max_stages = 1;  ///< limit for each warp

  Width width() const { return width_of(rule); }
  std::uint64_t warps() const { return ceil_div(size, width()); }
  std::uint64_t lanes_of(std::uint64_t warp) const {
    return std::min<std::uint64_t>(width(), size - warp * width());
  }
  /// Number of combinations of the variables' values. std::nullopt if it does not fit 64 bits.
  std::optional<std::uint64_t> combinations() const {
    std::uint64_t count = 1;
    for (const Variable& variable : variables) {
      if (variable.count() > unlimited / count) return std::nullopt;
      count *= variable.count();
    }
    return count;
  }
};

enum class Kind : std::uint8_t { defined, permutation, conflict_free, composition };

/// A property of one access, or of all accesses, that the question asks about.
struct Property {
  Kind kind = Kind::defined;
  std::size_t access = 0;  ///< for permutation and conflict_free

  std::string name(const Question& question) const {
    switch (kind) {
      case Kind::defined:
        return "undefined";
      case Kind::permutation:
        return question.accesses[access].name + "-permutation";
      case Kind::conflict_free:
        return question.accesses[access].name + "-conflict-free";
      case Kind::composition:
        break;
    }
    return "composition";
  }
};

/// All properties of the question. The first property says that every formula has a value, because
/// the other properties are about values.
inline std::vector<Property> properties_of(const Question& question) {
  std::vector<Property> properties = {{Kind::defined}};
  for (const Kind kind : {Kind::permutation, Kind::conflict_free}) {
    if (kind == Kind::permutation && !question.permutations) continue;
    for (std::size_t access = 0; access < question.accesses.size(); ++access) {
      properties.push_back({kind, access});
    }
  }
  if (question.permutation) properties.push_back({Kind::composition});
  return properties;
}

/// Values for which a property may fail: values of the variables, and threads. If the property is
/// about warps, any thread stands for its warp.
struct Witness {
  std::vector<std::uint32_t> variables;
  std::vector<std::uint64_t> threads;
};

/// A formula has no value.
struct NoValue {
  std::string formula;  ///< "source", …, "permutation"
  std::uint64_t input;  ///< the formula's input
  Undefined where;      ///< the operator that has no value
};

/// A value is not below the size.
struct OutOfRange {
  std::uint64_t thread;
  std::uint32_t value;
};

/// Two threads have the same value.
struct Repeated {
  std::uint64_t first;
  std::uint64_t second;
  std::uint32_t value;
};

/// A warp takes more stages than allowed.
struct Conflict {
  std::uint64_t warp;
  std::uint64_t stages;
  std::vector<Address> elements;  ///< touched by the warp's lanes
};

/// P(s(i)) is not d(i).
struct Mismatch {
  std::uint64_t thread;
  std::uint32_t source;
  std::uint32_t permuted;
  std::uint32_t destination;
};

/// The failure of a property, confirmed by evaluation and by the machine.
struct Counterexample {
  std::vector<std::uint32_t> variables;
  std::variant<NoValue, OutOfRange, Repeated, Conflict, Mismatch> failure;
};

using proofs::Verdict;  // here, an error is an exception

enum class Method : std::uint8_t { words, integers, exhaustive };

constexpr std::string_view name_of(Method method) {
  constexpr std::string_view names[] = {"words", "integers", "exhaustive"};
  return names[static_cast<std::size_t>(method)];
}

/// The decision about a property, and the method and solvers that reached it.
struct Decision {
  Property property;
  Verdict verdict = Verdict::unknown;
  std::optional<Method> method = {};      ///< std::nullopt if unknown
  std::vector<std::string> solvers = {};  ///< solvers that proved it; empty if no solver was needed
  std::string second = {};                ///< why cvc5 is missing in `solvers`
  std::optional<Counterexample> counterexample = {};
  std::string why = {};  ///< why the verdict is `unknown`
  double seconds = 0;
};

}  // namespace bankproof::formulas
