// Guesses sizes; see guesses.hpp.
#include "guesses.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "../execution/substitute.hpp"
#include "../terms/evaluate.hpp"

namespace bankproof::symbolic {

namespace {

constexpr unsigned size_ms = 100;
constexpr unsigned threads_ms = 200;
constexpr std::size_t draws = 32;  // of numbers for one guess
constexpr std::size_t first_of_launch = 4 * draws;

class Guesses {
 public:
  Guesses(Subject& subject, const std::set<Term>& bases, const std::vector<Term>& statements)
      : subject_(subject), pool_(subject.pool), bases_(bases), statements_(statements) {
    std::unordered_map<Term, bool> met;
    for (const Term one : statements) {
      each_unknown(pool_, one, met, [&](Term unknown) {
        if (is_size(unknown)) sizes_.insert(unknown);
      });
      if (is_about_sizes(one)) premises_.push_back(one);
    }
    for (const Term premise : premises_) add_definitions(premise);
    // The machine has no empty buffers.
    for (const auto& [object, bytes] : subject.bytes) {
      const Term has_any = pool_.negation(pool_.equal(bytes, pool_.constant(0, 64)));
      if (is_about_sizes(has_any)) premises_.push_back(has_any);
    }
  }

  std::optional<Model> first(std::size_t guesses, const IsWanted& is_wanted) {
    std::optional<Model> any;
    if (sizes_.empty()) return any;
    for (std::size_t guess = 0; guess < guesses; ++guess) {
      const std::optional<Model> launch = sizes(guess);
      if (!launch) continue;
      auto found = threads(*launch);
      if (!found) continue;
      if (!is_wanted || is_wanted(*found)) return found;
      if (!any) any = std::move(found);
    }
    return any;
  }

 private:
  bool is_size(Term unknown) const {
    return subject_.inputs().scope(unknown) == Scope::launch && bases_.count(unknown) == 0;
  }
  bool is_about_sizes(Term statement) const {
    bool all = true;
    std::unordered_map<Term, bool> met;
    each_unknown(pool_, statement, met, [&](Term unknown) { all = all && is_size(unknown); });
    return all;
  }

  /// A premise as `columns == width / 2` says what a size is.
  void add_definitions(Term premise) {
    const Node& node = pool_.node(premise);
    if (node.op == Operator::bits_and) {
      for (const Term part : node.operands) add_definitions(part);
    }
    if (node.op != Operator::equal) return;
    for (const std::size_t side : {0U, 1U}) {
      Term size = node.operands[side];
      const auto is_extended = [&] {
        const Operator op = pool_.node(size).op;
        return op == Operator::zero_extended || op == Operator::sign_extended;
      };
      while (is_extended()) size = pool_.node(size).operands[0];
      if (pool_.node(size).op != Operator::unknown || !is_size(size)) continue;
      bool is_of_others = true;
      std::unordered_map<Term, bool> met;
      each_unknown(pool_, node.operands[1 - side], met,
                   [&](Term unknown) { is_of_others = is_of_others && unknown != size; });
      if (is_of_others) definitions_.emplace_back(size, node.operands[1 - side]);
    }
  }

  /// The number of this draw for the k-th size: any of a few, the same in each run.
  std::uint64_t number(Term size, std::size_t draw, std::size_t k) const {
    static constexpr std::uint64_t numbers[] = {1, 2, 7, 32, 33, 64, 100, 256};
    static constexpr std::uint64_t grids[] = {1, 2, 3, 4};
    static constexpr std::uint64_t blocks[] = {1, 2, 32, 33, 64, 512};
    static constexpr std::uint64_t rows[] = {1, 2, 3, 4};  // of a block, and its layers
    const std::uint64_t any = std::mt19937_64(64 * draw + k)();
    const std::string& name = pool_.name(size);
    if (name.rfind("nctaid", 0) == 0) return grids[any % std::size(grids)];
    if (name == "ntid.y" || name == "ntid.z") return rows[any % std::size(rows)];
    if (name.rfind("ntid", 0) == 0) return blocks[any % std::size(blocks)];
    return numbers[any % std::size(numbers)];
  }

  /// Numbers that fulfill the premises. If no draw does, those of the first draw where the premises
  /// let them be, and others where not.
  std::optional<Model> sizes(std::size_t guess) {
    for (std::size_t draw = draws * guess; draw < draws * (guess + 1); ++draw) {
      Model model = drawn(draw);
      // A premise may be about a parameter that is in no statement.
      Values values = values_of(model);
      const bool hold = std::all_of(premises_.begin(), premises_.end(),
                                    [&](Term one) { return values(one) == 1; });
      if (hold) return model;
    }
    Model model = drawn(draws * guess);
    std::vector<Term> fixed = premises_;
    for (const Term size : sizes_) {
      fixed.push_back(pool_.equal(size, pool_.constant(model[size], pool_.width(size))));
      if (!model_of(pool_, fixed, {{}}, size_ms)) fixed.pop_back();
    }
    return model_of(pool_, fixed, {{}}, size_ms);
  }
  /// How many threads a launch has along an axis, 'x' to 'z'.
  std::uint64_t extent(const Model& model, char axis) const {
    const auto length = [&](const std::string& name) {
      const auto drawn = std::find_if(model.begin(), model.end(), [&](const auto& one) {
        return pool_.name(one.first) == name.substr(1) + axis;
      });
      if (drawn != model.end()) return drawn->second;
      return std::uint64_t{subject_.inputs().stated(name, axis).value_or(1)};
    };
    return length("%ntid.") * length("%nctaid.");
  }
  /// Rows are often as long as the launch, or have one element less.
  void make_as_large_as_launch(Model& model, std::size_t turn) const {
    const auto is = [&](Term size, const char* name) {
      return pool_.name(size).rfind(name, 0) == 0;
    };
    for (const Term size : sizes_) {
      if (is(size, "nctaid.")) model[size] = std::max<std::uint64_t>(model[size], 2);
    }
    std::size_t k = turn;
    for (const Term size : sizes_) {
      if (is(size, "ntid.") || is(size, "nctaid.")) continue;
      const std::uint64_t threads = extent(model, "xyz"[k++ % 3]);
      if (threads > 1) model[size] = threads - turn / 3 % 2;
    }
  }
  Model drawn(std::size_t draw) const {
    Model model;
    std::size_t k = 0;
    for (const Term size : sizes_) model[size] = number(size, draw, k++);
    if (draw >= first_of_launch) make_as_large_as_launch(model, draw / draws);
    // A definition may be of sizes that another one defines.
    constexpr std::size_t turns = 2;
    for (std::size_t turn = 0; turn < turns; ++turn) {
      for (const auto& [size, definition] : definitions_) {
        const std::uint64_t value = values_of(model)(definition);
        model[size] = pool_.node(pool_.constant(value, pool_.width(size))).value;
      }
    }
    return model;
  }
  Values values_of(const Model& model) const {
    return {pool_, [&model](Term unknown) {
              const auto found = model.find(unknown);
              return found == model.end() ? std::uint64_t{0} : found->second;
            }};
  }

  std::optional<Model> threads(const Model& launch) {
    Substitution known(pool_);
    const auto value = [&](Term size) {
      const auto found = launch.find(size);
      return found == launch.end() ? 0 : found->second;
    };
    for (const Term size : sizes_) known.put(size, pool_.constant(value(size), pool_.width(size)));
    std::vector<Term> rest;
    for (const Term statement : statements_) {
      const Term one = known(statement);
      if (pool_.is_constant(one, 0)) return std::nullopt;
      if (!pool_.is_constant(one, 1)) rest.push_back(one);
    }
    auto found = model_of(pool_, rest, {{}}, threads_ms);
    if (!found) return std::nullopt;
    for (const Term size : sizes_) (*found)[size] = value(size);
    return found;
  }

  Subject& subject_;
  Pool& pool_;
  const std::set<Term>& bases_;
  const std::vector<Term>& statements_;
  std::set<Term> sizes_;
  std::vector<Term> premises_;
  std::vector<std::pair<Term, Term>> definitions_;  // a size, and what it is
};

}  // namespace

std::optional<Model> guessed(Subject& subject, const std::set<Term>& bases,
                             const std::vector<Term>& statements, std::size_t guesses,
                             const IsWanted& is_wanted) {
  return Guesses(subject, bases, statements).first(guesses, is_wanted);
}

}  // namespace bankproof::symbolic
