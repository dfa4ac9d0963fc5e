// Any access of up to eight threads takes no more stages on the DMM than on the UMM (row M9). Any
// of the threads may take part.
#include "../../builder/parameters.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

constexpr std::size_t threads = 8;

/// An access of `threads` threads, each of which may take part or not. A word is given by its
/// address group and its bank.
struct AnyAccess {
  std::vector<IntTerm> groups;
  std::vector<IntTerm> banks;
  std::vector<Truth> active;
  IntTerm bank;                  ///< an arbitrary bank
  std::vector<IntTerm> counted;  ///< 1 for the first thread of each word of this bank
  std::vector<IntTerm> begins;   ///< 1 for the first thread of each group

  explicit AnyAccess(Query& q) {
    for (std::size_t i = 0; i < threads; ++i) {
      const std::string thread = std::to_string(i);
      groups.push_back(q.number("group" + thread, 0, i / 2));
      banks.push_back(q.number("bank" + thread, 0, i % 3));
      active.push_back(below(q, "active" + thread, 2, i == 4 ? 0 : 1) == 1);
    }
    bank = q.number("bank", 0, 1);
    for (std::size_t i = 0; i < threads; ++i) {
      counted.push_back(select(banks[i] == bank, is_first(i, true), 0));
      begins.push_back(is_first(i, false));
    }
  }

  Truth same_group(std::size_t i, std::size_t k) const { return groups[i] == groups[k]; }
  /// 1 if thread i takes part and no earlier thread accesses the same group or, if `of_word`, the
  /// same word.
  IntTerm is_first(std::size_t i, bool of_word) const {
    Truth first = active[i];
    for (std::size_t k = 0; k < i; ++k) {
      const Truth same = of_word ? same_group(i, k) && banks[i] == banks[k] : same_group(i, k);
      first = first && !(active[k] && same);
    }
    return select(first, 1, 0);
  }
};

IntTerm sum_of(const std::vector<IntTerm>& numbers) {
  IntTerm sum(0);
  for (const IntTerm& number : numbers) sum += number;
  return sum;
}
/// Proves that each thread's group begins with this thread, or with an earlier thread of the same
/// group.
void prove_groups_begin(Query& q, const AnyAccess& access) {
  for (std::size_t i = 0; i < threads; ++i) {
    Truth begins = access.begins[i] == 1;
    for (std::size_t k = 0; k < i; ++k) {
      begins = begins || (access.begins[k] == 1 && access.same_group(i, k));
    }
    q.claim("its group begins", implies(access.active[i], begins));
  }
}

/// Proves that the number of counted words is at most the number of groups that begin, because
/// different words of one bank are in different groups.
void prove_stages(Query& q, const AnyAccess& access) {
  // 1 in row i and column k if thread i is counted and its group begins with thread k.
  std::vector<std::vector<IntTerm>> begins_with(threads);
  for (std::size_t i = 0; i < threads; ++i) {
    Truth not_negative = access.counted[i] >= 0;
    for (std::size_t k = 0; k <= i; ++k) {
      const Truth both = access.counted[i] + access.begins[k] == 2;
      begins_with[i].push_back(select(both && access.same_group(i, k), 1, 0));
      not_negative = not_negative && begins_with[i][k] >= 0;
    }
    q.claim("no negative numbers", not_negative);
    q.claim("it is counted there", access.counted[i] <= sum_of(begins_with[i]));
  }
  for (std::size_t k = 0; k < threads; ++k) {
    IntTerm words(0);
    for (std::size_t i = k; i < threads; ++i) words += begins_with[i][k];
    q.claim("one word of a group", words <= access.begins[k]);
  }
  q.claim("stages", sum_of(access.counted) <= sum_of(access.begins));
}

}  // namespace

Theorem fewest_stages_on_banks() {
  return Theorem{.id = "M9.stages",
                 .source = "THS 5.1",
                 .statement =
                     "any access of up to 8 threads has at most as many different words in a bank "
                     "as it has address groups: it takes no more stages on the DMM than on the UMM",
                 .domain = "all w, words and banks, up to 8 threads, any of which take part",
                 .unbounded = false}
      .proof([](Query& q) {
        {
          const Query::Scope scope(q);
          const IntTerm w = width(q);
          const auto [a, b] = q.numbers({{"a", 0, 4}, {"b", 0, 6}});
          q.claim("a word has its group and bank to itself",
                  implies(a / w == b / w && a % w == b % w, a == b));
        }
        const AnyAccess access(q);
        prove_groups_begin(q, access);
        prove_stages(q, access);
      })
      .false_twin([](Query& q) {
        // The converse: bank 1 has words of groups 0, 2 and 3, and there are four groups.
        const AnyAccess access(q);
        q.claim("stages", sum_of(access.begins) <= sum_of(access.counted));
      });
}

}  // namespace bankproof::proofs
