// Counts how often threads raise a counter; see draw_ranges.hpp.
#include "draw_ranges.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "../execution/objects.hpp"
#include "../execution/substitute.hpp"
#include "subject.hpp"
#include "threads.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::uint64_t most_raised = std::uint64_t{1} << 31U;

class Ranges {
 public:
  explicit Ranges(Subject& subject)
      : subject_(subject), pool_(subject.pool), threads_(subject, Which::of_one_block, 1) {}

  std::vector<DrawRange> all() {
    std::vector<DrawRange> all;
    for (const Draw& draw : subject_.draws.in_launch) {
      const auto places = places_of(pool_, subject_.inputs(), draw.address);
      if (!places || places->size() != 1 || !is_stated(places->front().object)) continue;
      const Place& place = places->front();
      const auto [known, is_new] =
          first_.try_emplace({place.object, place.offset, pool_.width(draw.drawn)});
      if (is_new) {
        known->second = subject_.inputs().unknown("first", pool_.width(draw.drawn), Scope::launch);
        // Who draws says that there is one: Threads::elements.
        subject_.elements.loaded[known->second] = {known->second, place.object, place.offset,
                                                   pool_.truth(false)};
      }
      all.push_back(
          {draw.drawn, draw.guard, known->second, ends(place.object, pool_.width(draw.drawn))});
    }
    return all;
  }

 private:
  bool is_stated(Term object) const {
    const auto& stated = subject_.elements.stated;
    return std::any_of(stated.begin(), stated.end(), [&](const ElementStatement& one) {
      return std::any_of(one.uses.begin(), one.uses.end(),
                         [&](const ElementStatement::Use& use) { return use.object == object; });
    });
  }

  /// All that is added to the counters of an array, counted in several ways.
  std::vector<Term> ends(Term object, unsigned width) {
    std::vector<const Access*> raising;
    for (const Access& access : subject_.trace().accesses) {
      if (may_write(subject_, access, object)) raising.push_back(&access);
    }
    std::vector<Term> ends{pool_.constant(most_raised, 64)};
    const bool is_counted = std::all_of(raising.begin(), raising.end(), [&](const Access* one) {
      return !one->loop && one->bytes * 8 == width;
    });
    if (!is_counted) return ends;
    Term sum = pool_.constant(0, 64);
    for (const Access* const one : raising) {
      const std::vector<Term> times = times_of(*one);
      sum = pool_.add(sum, pool_.scale(times.front(), one->adds));
      if (raising.size() > 1) continue;
      for (std::size_t k = 1; k < times.size(); ++k) {
        ends.push_back(pool_.scale(times[k], one->adds));
      }
    }
    ends.push_back(sum);
    return ends;
  }

  /// How many threads make the access at most. The smallest number comes first, as a rule.
  std::vector<Term> times_of(const Access& access) {
    std::vector<Term> all;
    for (const Term part : access.guard.parts()) {
      if (const auto most = threads_below(part)) all.push_back(*most);
    }
    const Term blocks = volume("%nctaid.");
    if (is_of_one_thread_of_block(access.guard)) {
      all.push_back(blocks);
    } else {
      all.push_back(pool_.multiply(blocks, volume("%ntid.")));
    }
    return all;
  }

  Term special(const char* base, char axis) {
    return *subject_.inputs().special(std::string(base) + axis);
  }

  Term volume(const std::string& size) {
    Term product = pool_.constant(1, 64);
    for (const char axis : {'x', 'y', 'z'}) {
      if (!has_axis(size, axis)) continue;
      product = pool_.multiply(product, pool_.resized(special(size.c_str(), axis), 64, false));
    }
    return product;
  }

  bool has_axis(const std::string& size, char axis) const {
    return size == "%ntid." ? threads_.has_axis(axis) : threads_.has_axis_of_grid(axis);
  }

  /// n, if the part is i < n, i is the number of the thread in the launch, and n is of the launch.
  std::optional<Term> threads_below(Term part) {
    const bool is_line = !threads_.has_axis('y') && !threads_.has_axis('z') &&
                         !threads_.has_axis_of_grid('y') && !threads_.has_axis_of_grid('z');
    const Node& node = pool_.node(part);
    const bool is_signed = node.op == Operator::below_signed;
    if (!is_line || (node.op != Operator::below && !is_signed)) return std::nullopt;
    const Term index = node.operands[0];
    const Term end = node.operands[1];
    const unsigned width = pool_.width(index);
    if (width < 32 || index != number_in_launch(width) || !is_of_launch(end)) return std::nullopt;
    const Term zero = pool_.constant(0, width);
    const Term most = is_signed ? pool_.choice(pool_.below(end, zero, true), zero, end) : end;
    return pool_.resized(most, 64, false);
  }

  Term number_in_launch(unsigned width) {
    const Term block = pool_.multiply(special("%ctaid.", 'x'), special("%ntid.", 'x'));
    return pool_.resized(pool_.add(block, special("%tid.", 'x')), width, false);
  }

  bool is_of_launch(Term term) const {
    bool is = true;
    std::unordered_map<Term, bool> met;
    each_unknown(pool_, term, met, [&](Term unknown) {
      is = is && subject_.inputs().scope(unknown) == Scope::launch;
    });
    return is;
  }

  /// Whether the guard says all indices of the thread: threadIdx.x == 0.
  bool is_of_one_thread_of_block(const Guard& guard) {
    for (const char axis : {'x', 'y', 'z'}) {
      if (!threads_.has_axis(axis)) continue;
      const Term index = special("%tid.", axis);
      const bool is_said = std::any_of(guard.parts().begin(), guard.parts().end(), [&](Term part) {
        const Node& node = pool_.node(part);
        if (node.op != Operator::equal) return false;
        const Term a = node.operands[0];
        const Term b = node.operands[1];
        const bool is_constant = pool_.is_constant(a) || pool_.is_constant(b);
        return is_constant && (is_or_extends(index, a) || is_or_extends(index, b));
      });
      if (!is_said) return false;
    }
    return true;
  }

  /// Whether the term is the index, or the index of fewer bits that it extends.
  bool is_or_extends(Term index, Term term) const {
    const Node& node = pool_.node(index);
    return term == index || (node.op == Operator::zero_extended && node.operands[0] == term);
  }

  Subject& subject_;
  Pool& pool_;
  Threads threads_;
  std::map<std::tuple<Term, Term, unsigned>, Term> first_;  // by array, offset and width
};

}  // namespace

bool is_only_raised(const Subject& subject, Term object) {
  bool is_raised = false;
  for (const Access& access : subject.trace().accesses) {
    if (!may_write(subject, access, object)) continue;
    const bool is_known = places_of(subject.pool, subject.inputs(), access.address).has_value();
    if (!is_known || access.adds == 0) return false;
    is_raised = true;
  }
  return is_raised;
}

std::vector<DrawRange> draw_ranges(Subject& subject) { return Ranges(subject).all(); }

}  // namespace bankproof::symbolic
