// Hides where blocks begin; see hidden_places.hpp.
#include "hidden_places.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::uint64_t most_threads = std::uint64_t{1} << 30;

/// The size of blocks along an axis times the index of a block, or the number of blocks.
struct Begin {
  Term size{};
  Term block{};
  auto operator<=>(const Begin&) const = default;
};

/// In place of a begin: a number, or where its only thread is, without the thread's index.
struct Number {
  Term place{};
  std::optional<Term> thread{};
};

class Hiding {
 public:
  Hiding(Pool& pool, const std::vector<Term>& statements) : pool_(pool), statements_(statements) {
    each_term(pool, statements, [&](Term term, const Node& node) {
      if (node.op == Operator::product) see_product(term);
      if (node.op == Operator::sum) sums_.push_back(term);
    });
  }

  std::vector<Term> hidden() {
    if (std::none_of(products_.begin(), products_.end(),
                     [&](const auto& one) { return is(one.second.block, "ctaid."); })) {
      return statements_;
    }
    for (const auto& [product, begin] : products_) begins_.try_emplace(begin);
    for (auto& [begin, number] : begins_) number = number_of(begin);
    Substitution by(pool_);
    for (const auto& [product, begin] : products_) {
      by.put(product, pool_.multiply(rest_of(product, begin),
                                     as_term(begins_.at(begin), pool_.width(product))));
    }
    std::vector<Term> all;
    for (const Term statement : statements_) {
      // The more it says of the launch by products, the harder it is, and the less it helps.
      if (!is_about_grid(statement)) all.push_back(by(statement));
    }
    add_facts(all);
    return all;
  }

 private:
  bool is(Term term, const std::string& name) const {
    return pool_.node(term).op == Operator::unknown && pool_.name(term).rfind(name, 0) == 0;
  }
  /// "x" of ntid.x and of ctaid.x'
  char axis(Term special) const {
    const std::string& name = pool_.name(special);
    return name[name.find('.') + 1];
  }
  /// Indices and sizes have no sign.
  Term narrow(Term factor) const {
    const Node& node = pool_.node(factor);
    const bool is_wide = node.op == Operator::zero_extended || node.op == Operator::sign_extended;
    return is_wide ? node.operands[0] : factor;
  }

  void see_product(Term product) {
    const Node& node = pool_.node(product);
    for (const Term size : node.operands) {
      if (!is(narrow(size), "ntid.")) continue;
      for (const Term block : node.operands) {
        const Term index = narrow(block);
        if (!is(index, "ctaid.") && !is(index, "nctaid.")) continue;
        if (axis(index) != axis(narrow(size)) || pool_.width(index) != 32) continue;
        products_.emplace(product, Begin{narrow(size), index});
        return;
      }
    }
  }

  /// The other factors of a product.
  Term rest_of(Term product, const Begin& begin) {
    Term rest = pool_.constant(1, pool_.width(product));
    bool has_size = false;
    bool has_block = false;
    const std::vector<Term> operands = pool_.node(product).operands;
    for (const Term factor : operands) {
      const Term index = narrow(factor);
      if (!has_size && index == begin.size) {
        has_size = true;
      } else if (!has_block && index == begin.block) {
        has_block = true;
      } else {
        rest = pool_.multiply(rest, factor);
      }
    }
    return rest;
  }

  /// The thread that is always added to this begin; none if there are several.
  std::optional<Term> only_thread(const Begin& begin) const {
    std::set<Term> found;
    for (const Term sum : sums_) {
      const Node& node = pool_.node(sum);
      const bool has_begin = std::any_of(node.operands.begin(), node.operands.end(), [&](Term one) {
        const auto product = products_.find(one);
        return product != products_.end() && product->second == begin;
      });
      if (!has_begin) continue;
      for (const Term one : node.operands) {
        const Node& part = pool_.node(one);
        const auto see = [&](Term term) {
          const Term thread = narrow(term);
          if (is(thread, "tid.") && axis(thread) == axis(begin.block)) found.insert(thread);
        };
        see(one);
        if (part.op == Operator::product) {
          std::for_each(part.operands.begin(), part.operands.end(), see);
        }
      }
    }
    return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
  }

  Number number_of(const Begin& begin) {
    if (!is(begin.block, "ctaid.")) return {pool_.unknown("size", 32), {}};
    const auto thread = only_thread(begin);
    return {pool_.unknown(thread ? "place" : "begin", 32), thread};
  }

  Term as_term(const Number& number, unsigned width) {
    const Term place = pool_.zero_extended(number.place, width);
    return number.thread ? pool_.subtract(place, pool_.zero_extended(*number.thread, width))
                         : place;
  }

  /// Whether it says nothing but how many threads the grid has.
  bool is_about_grid(Term statement) const {
    bool is_of_blocks = false;
    bool has_product = false;
    bool has_others = false;
    each_term(pool_, {statement}, [&](Term term, const Node& node) {
      has_product = has_product || node.op == Operator::product;
      if (node.op != Operator::unknown) return;
      is_of_blocks = is_of_blocks || is(term, "nctaid.");
      has_others = has_others || !(is(term, "nctaid.") || is(term, "ntid."));
    });
    return is_of_blocks && has_product && !has_others;
  }

  Term if_then(Term condition, Term then) { return pool_.either(pool_.negation(condition), then); }
  Term index_of(const Number& number) {
    return number.thread ? *number.thread : pool_.constant(0, 32);
  }
  /// a's begin and a size are at most b's begin. Nothing wraps around.
  Term at_most(const Number& a, Term size, const Number& b) {
    return pool_.at_most(pool_.add(pool_.add(a.place, size), index_of(b)),
                         pool_.add(b.place, index_of(a)), false);
  }

  void add_facts(std::vector<Term>& all) {
    const Term most = pool_.constant(most_threads, 32);
    for (const auto& [begin, number] : begins_) {
      all.push_back(pool_.at_most(number.place, most, false));
      if (!is(begin.block, "ctaid.")) continue;
      if (number.thread) all.push_back(pool_.at_most(*number.thread, number.place, false));
      all.push_back(at_most(number, begin.size, {most, {}}));
      // No size is 0.
      all.push_back(at_most({begin.block, {}}, pool_.constant(0, 32), number));
      for (const auto& [other, other_number] : begins_) {
        if (other.size != begin.size || other.block == begin.block) continue;
        // The number of blocks is more than each of their indices.
        const bool is_block = is(other.block, "ctaid.");
        if (is_block && axis(other.block) != axis(begin.block)) continue;
        const Term is_before = pool_.below(begin.block, other.block, false);
        const Term ends_before = at_most(number, begin.size, other_number);
        all.push_back(is_block ? if_then(is_before, ends_before) : ends_before);
        if (is_block && begin < other) tell_apart(all, begin, number, other, other_number);
      }
    }
  }

  void tell_apart(std::vector<Term>& all, const Begin& a, const Number& of_a, const Begin& b,
                  const Number& of_b) {
    const Term same_block = pool_.equal(a.block, b.block);
    all.push_back(if_then(same_block, pool_.equal(pool_.add(of_a.place, index_of(of_b)),
                                                  pool_.add(of_b.place, index_of(of_a)))));
    if (!of_a.thread || !of_b.thread) return;
    // Solvers decide quickly which of two places is the larger one, if a statement asks it.
    all.push_back(pool_.either(pool_.either(pool_.below(of_a.place, of_b.place, false),
                                            pool_.below(of_b.place, of_a.place, false)),
                               pool_.both(same_block, pool_.equal(*of_a.thread, *of_b.thread))));
  }

  Pool& pool_;
  const std::vector<Term>& statements_;
  std::map<Term, Begin> products_;
  std::vector<Term> sums_;
  std::map<Begin, Number> begins_;
};

}  // namespace

std::vector<Term> with_places_hidden(Pool& pool, const std::vector<Term>& statements) {
  return Hiding(pool, statements).hidden();
}

}  // namespace bankproof::symbolic
