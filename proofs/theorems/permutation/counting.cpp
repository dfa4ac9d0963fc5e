// Proves by counting edges that the elements of a color fill a warp (rows R3 and R4). An injection
// of 0 … h − 1 into itself is onto, by induction on h. So each bank has an element of each color.
#include "../../builder/parameters.hpp"
#include "../../builder/ranges.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

Truth within(const IntTerm& x, const IntTerm& end) { return x >= 0 && x < end; }

/// Assumes, for the arguments x and z, that f is an injection into 0 … end − 1.
void is_injective(Query& q, const Function& f, const IntTerm& end, const IntTerm& x,
                  const IntTerm& z) {
  q.assume(implies(within(x, end), within(f(x), end)));
  q.assume(implies(within(x, end) && within(z, end) && f(x) == f(z), x == z));
}

/// The step from h to h + 1. Take f without its last argument, and replace the value h by f(h). The
/// result is an injection g of 0 … h − 1, and so g is onto. In the false twin, g does not replace
/// the value h.
struct PigeonholeStep {
  Query& q;
  IntTerm h;
  IntTerm end;
  Function f;
  Function g;

  PigeonholeStep(Query& query, bool replaces)
      : q(query),
        h(query.number("h", 0, 3)),
        end(h + 1),
        f(query.function("f")),
        g(query.function("g")),
        replaces_(replaces) {
    is_injective(q, f, end, h, h);
  }
  void know(const IntTerm& x) {
    is_injective(q, f, end, x, h);
    is_injective(q, f, end, h, x);
    const Truth last = f(x) == h;
    q.assume(implies(last, g(x) == (replaces_ ? f(h) : f(x))));
    q.assume(implies(!last, g(x) == f(x)));
  }
  Truth stays_in_range(const IntTerm& x) {
    know(x);
    return implies(within(x, h), within(g(x), h));
  }

 private:
  bool replaces_;
};

Theorem pigeonhole() {
  return Theorem{.id = "R4.pigeonhole",
                 .source = "THS theorem 4.2.1",
                 .statement = "an injection of 0 … h − 1 into itself is onto",
                 .domain = "all h; base and step of an induction"}
      .proof([](Query& q) {
        {
          const Query::Scope scope(q);
          const Function f = q.function("f");
          const IntTerm y = below(q, "value", 1, 0);
          is_injective(q, f, 1, 0, 0);
          q.claim("one number", f(0) == y);
        }
        PigeonholeStep step(q, true);
        const auto [x, z] = q.numbers({{"x", 0, 1}, {"z", 0, 2}});
        q.claim("g stays in range", step.stays_in_range(x));
        step.know(z);
        is_injective(q, step.f, step.end, x, z);
        q.claim("g is an injection",
                implies(within(x, step.h) && within(z, step.h) && step.g(x) == step.g(z), x == z));
        // So g takes every value below h. Where g differs from f, its value is f(h), which f
        // takes at h.
        const IntTerm y = below(q, "y", step.end, 2);
        const auto reached = [&](const IntTerm& value, const std::string& name) {
          IntTerm at = q.unknown(name);
          step.know(at);
          q.assume(implies(within(value, step.h), within(at, step.h) && step.g(at) == value));
          return at;
        };
        const IntTerm first = reached(y, "first");
        const IntTerm second = reached(step.f(step.h), "second");
        const auto hits = [&](const IntTerm& at) {
          return within(at, step.end) && step.f(at) == y;
        };
        q.claim("f has every value", hits(step.h) || hits(first) || hits(second));
      })
      .false_twin([](Query& q) {
        PigeonholeStep step(q, false);
        q.claim("g stays in range", step.stays_in_range(q.number("x", 0, 1)));
      });
}

/// Whether two elements of one color are in different banks, and go to different banks. In the
/// false twin, they have different colors.
Truth banks_differ(Query& q, bool of_one_color) {
  const IntTerm w = width(q);
  const Function to = q.function("P");
  const Function color = q.function("color");
  const IntTerm x = q.number("x", 0, 5);
  const IntTerm y = q.number("y", 0, of_one_color ? 2 : 1);
  const Truth alike = color(x) == color(y);
  q.assume(x != y && (of_one_color ? alike : !alike));
  q.assume(implies(x % w == y % w || to(x) % w == to(y) % w, color(x) != color(y)));
  return x % w != y % w && to(x) % w != to(y) % w && within(x % w, w) && within(to(x) % w, w);
}

Theorem banks() {
  return Theorem{.id = "R4.banks",
                 .source = "THS lemma 4.2.2",
                 .statement =
                     "elements of one color of a proper coloring are in different ones of the w "
                     "banks, and go to different ones",
                 .domain = "all w, permutations and proper colorings"}
      .claim_both("different banks", banks_differ);
}

/// All h colors together have hw elements, and each color has at most w elements. So color c has w
/// elements. In the false twin one element is missing.
struct Colors {
  IntTerm w;
  IntTerm h;
  IntTerm c;
  RangeSum elements;  ///< of the colors from … to − 1

  Colors(Query& q, std::uint64_t missing)
      : w(width(q)), h(q.number("h", 1, 3)), c(below(q, "c", h, 1)), elements(q, "elements") {
    q.assume(elements(0, h) == h * w - missing);
    q.assume(elements.item(c) <= w);
    elements.split(0, c, h);
    elements.split(c, c + 1, h);
  }
  Truth is_full() const { return elements.item(c) == w; }
};

Theorem colors_are_full() {
  return Theorem{
      .id = "R4.colors",
      .source = "THS theorem 4.2.1",
      .statement = "if hw elements have h colors, each of at most w, each color has exactly w",
      .domain = "all w and h, by induction over colors"}
      .proof([](Query& q) {
        const Colors of(q, 0);
        const auto few = [&](const IntTerm& begin, const IntTerm& end) {
          q.induct(
              begin, end,
              [&](const IntTerm& k) { return of.elements(begin, k) <= (k - begin) * of.w; },
              [&](const IntTerm& k) {
                of.elements.split(begin, k, k + 1);
                q.assume(of.elements.item(k) <= of.w);
              });
        };
        of.elements.empty(0);
        of.elements.empty(of.c + 1);
        few(0, of.c);
        few(of.c + 1, of.h);
        q.claim("as many as there are banks", of.is_full());
      })
      .false_twin([](Query& q) { q.claim("as many", Colors(q, 1).is_full()); });
}

}  // namespace

std::vector<Theorem> theorems_on_counting() { return {pigeonhole(), banks(), colors_are_full()}; }

}  // namespace bankproof::proofs
