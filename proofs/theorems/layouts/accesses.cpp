// The banks and address groups of a warp's accesses (rows C1, M9), for every width.
#include "../../builder/parameters.hpp"
#include "../lists.hpp"
#include "replay.hpp"

namespace bankproof::proofs {
namespace {

/// The words of two threads of a warp. Each thread's word is `step` words after the word of the
/// thread before it.
struct TwoThreads {
  IntTerm w;
  IntTerm one;
  IntTerm other;

  TwoThreads(Query& q, std::uint64_t step) : w(width(q)), one(q.number("first", 0, 7)), other(one) {
    const IntTerm i = below(q, "i", w, 1);
    const IntTerm k = below(q, "k", w, 3);
    q.assume(i != k);
    one += i * step;
    other += k * step;
  }
  Truth in_different_banks() const { return one % w != other % w; }
};

Theorem contiguous_banks() {
  return Theorem{.id = "C1.banks",
                 .source = "HMM IV",
                 .statement = "a warp's access to consecutive words takes one stage on the DMM",
                 .domain = "all w and first words"}
      .proof([](Query& q) { q.claim("different banks", TwoThreads(q, 1).in_different_banks()); })
      // The threads access every second word.
      .false_twin(
          [](Query& q) { q.claim("different banks", TwoThreads(q, 2).in_different_banks()); })
      .replay([](const Values& values) {
        return replay_bank_conflict(values, "i", "k",
                                    [&](std::uint64_t lane) { return values.at("first") + lane; });
      });
}

Theorem contiguous_groups() {
  const auto group_of = [](Query& q, const IntTerm& w, const IntTerm& first) {
    IntTerm group = (first + below(q, "i", w, 2)) / w;
    q.compare_multiples(w, group, first / w + 1);
    return group;
  };
  return Theorem{
      .id = "C1.groups",
      .source = "HMM IV",
      .statement = "a warp's access to consecutive words is in at most two address groups",
      .domain = "all w and first words"}
      .proof([=](Query& q) {
        const IntTerm w = width(q);
        const IntTerm first = q.number("first", 0, 7);
        const IntTerm group = group_of(q, w, first);
        q.claim("this one or the next", group == first / w || group == first / w + 1);
      })
      .false_twin([=](Query& q) {
        // A single group is not enough.
        const IntTerm w = width(q);
        const IntTerm first = q.number("first", 0, 7);
        q.claim("this one", group_of(q, w, first) == first / w);
      });
}

Theorem aligned_groups() {
  /// Whether the first and the last of w − `fewer` threads access words of one group.
  const auto in_one = [](Query& q, const IntTerm& w, const IntTerm& first, std::uint64_t fewer) {
    const IntTerm last = first + w - (1 + fewer);
    q.compare_multiples(w, last / w, first / w + 1);
    return last / w == first / w;
  };
  const auto iff = [](const Truth& a, const Truth& b) { return implies(a, b) && implies(b, a); };
  return Theorem{.id = "C1.aligned",
                 .source = "HMM IV",
                 .statement =
                     "a full warp's access to consecutive words takes one stage on the UMM if the "
                     "first is a multiple of w, and two stages elsewhere",
                 .domain = "all w and first words"}
      .proof([=](Query& q) {
        const IntTerm w = width(q);
        const IntTerm first = q.number("first", 0, 7);
        q.claim("one group", iff(in_one(q, w, first, 0), first % w == 0));
      })
      .false_twin([=](Query& q) {
        // One thread less: w = 4, and the three words from word 5 on are in one group.
        const IntTerm w = width(q);
        const IntTerm first = q.number("first", 0, 5);
        q.claim("one group", iff(in_one(q, w, first, 1), first % w == 0));
      });
}

Theorem coalesced_is_conflict_free() {
  const auto words = [](Query& q, std::uint64_t example) {
    const IntTerm w = width(q);
    const IntTerm a = q.number("a", 0, 4);
    const IntTerm b = q.number("b", 0, example);
    q.assume(a != b);
    return std::tuple(a / w, b / w, a % w != b % w);
  };
  return Theorem{.id = "M9.pair",
                 .source = "THS 5.1",
                 .statement =
                     "different words of one address group are in different banks: a coalesced "
                     "access is conflict-free",
                 .domain = "all w and words"}
      .proof([=](Query& q) {
        const auto [group, other, differ] = words(q, 6);
        q.assume(group == other);
        q.claim("different banks", differ);
      })
      .false_twin([=](Query& q) {
        // The words are in two groups.
        const auto [group, other, differ] = words(q, 8);
        q.assume(other == group + 1);
        q.claim("different banks", differ);
      });
}

}  // namespace

std::vector<Theorem> theorems_on_accesses() {
  return {contiguous_banks(), contiguous_groups(), aligned_groups(), coalesced_is_conflict_free(),
          fewest_stages_on_banks()};
}

}  // namespace bankproof::proofs
