// Elements of 8 and 16 bytes in the shared memory of a GPU (row M1), by the rule of model/gpu. The
// theorems take from this rule the banks of an element, and which lanes are served together.
#include <fmt/format.h>

#include <stdexcept>

#include "../../../model/gpu/chips.hpp"
#include "../../builder/parameters.hpp"
#include "../lists.hpp"

namespace bankproof::proofs {
namespace {

SharedMemoryRule rule_of(std::uint32_t bytes) { return {*find_chip("sm_90"), bytes}; }

/// Proves that lanes one apart, and lanes two apart, have different elements, so that groups do not
/// merge.
void prove_condition_p_fails(Query& q, const IntTerm& first, const IntTerm& stride) {
  q.claim("lanes 0 and 1 differ", first != first + stride);
  q.claim("lanes 0 and 2 differ", first != first + stride + stride);
}

Truth in_different_banks(std::uint32_t bytes, const IntTerm& a, const IntTerm& b) {
  return rule_of(bytes).first_cell(a).bank != rule_of(bytes).first_cell(b).bank;
}

/// Proves that lanes d apart are in different banks, for each d within a group. distance(d) is the
/// distance of their elements.
template <class Distance>
void prove_groups_are_conflict_free(Query& q, std::uint32_t bytes, const IntTerm& element,
                                    Distance distance) {
  for (std::uint32_t d = 1; d < rule_of(bytes).lanes_per_group(false); ++d) {
    const Query::Scope scope(q);
    q.claim(fmt::format("lanes {} apart", d),
            in_different_banks(bytes, element, element + distance(d)));
  }
}

std::string replay_wide(std::uint32_t bytes, std::uint64_t first, std::uint64_t stride) {
  const SharedMemoryRule rule = rule_of(bytes);
  std::vector<Address> elements;
  for (std::uint64_t lane = 0; lane < rule.width(); ++lane) {
    elements.push_back(first + lane * stride);
  }
  const std::uint32_t stages = rule.stages(elements);
  if (stages == rule.width() / rule.lanes_per_group(false)) {
    throw std::logic_error(fmt::format("the access takes {} wavefronts", stages));
  }
  return fmt::format("elements of {} bytes from {} on, {} apart, take {} wavefronts", bytes, first,
                     stride, stages);
}

Theorem contiguous(std::uint32_t bytes) {
  const std::uint32_t lanes = rule_of(bytes).lanes_per_group(false);
  return Theorem{.id = fmt::format("M1.wide.contiguous_{}", bytes),
                 .source = "bankproof",
                 .statement = fmt::format("a full warp's access to consecutive elements of {} "
                                          "bytes takes {} wavefronts, one for {} lanes",
                                          bytes, 32 / lanes, lanes),
                 .domain = "all first elements"}
      .proof([=](Query& q) {
        const IntTerm first = q.number("first", 0, 7);
        prove_condition_p_fails(q, first, 1);
        prove_groups_are_conflict_free(q, bytes, q.number("element", 0, 9),
                                       [](std::uint32_t d) { return IntTerm(d); });
      })
      .false_twin([=](Query& q) {
        // If groups merged, these two lanes would conflict.
        const IntTerm element = q.number("element", 0, 9);
        q.claim("the same lane of two groups", in_different_banks(bytes, element, element + lanes));
      })
      .replay([=](const Values& values) { return replay_wide(bytes, values.at("element"), 1); });
}

Theorem odd_strides() {
  return Theorem{.id = "M1.wide.odd_strides",
                 .source = "bankproof",
                 .statement =
                     "a full warp's access of an odd stride takes 2 wavefronts for elements of 8 "
                     "bytes, and 4 for those of 16",
                 .domain = "all odd strides and first elements"}
      .proof([](Query& q) {
        const auto [element, half] = q.numbers({{"element", 0, 9}, {"half", 0, 1}});
        const IntTerm stride = 2 * half + 1;
        prove_condition_p_fails(q, element, stride);
        for (const std::uint32_t bytes : {8U, 16U}) {
          prove_groups_are_conflict_free(q, bytes, element,
                                         [&](std::uint32_t d) { return IntTerm(d) * stride; });
        }
      })
      .false_twin([](Query& q) {
        // An even stride.
        const IntTerm element = q.number("element", 0, 9);
        const IntTerm stride = 2 * q.number("half", 0, 1);
        q.claim("lanes 8 apart", in_different_banks(8, element, element + 8 * stride));
      });
}

Theorem even_strides() {
  // Half the number of lanes in a group.
  const auto apart = [](std::uint32_t bytes) {
    return IntTerm(rule_of(bytes).lanes_per_group(false) / 2);
  };
  return Theorem{
      .id = "M1.wide.even_strides",
      .source = "bankproof",
      .statement =
          "a full warp's access of an even stride takes more than 2 wavefronts for elements of 8 "
          "bytes, and more than 4 for those of 16: lanes half a group apart conflict",
      .domain = "all even strides ≥ 2 and first elements"}
      .proof([=](Query& q) {
        const IntTerm element = q.number("element", 0, 9);
        const IntTerm stride = 2 * q.number("half", 1, 1);
        prove_condition_p_fails(q, element, stride);
        for (const std::uint32_t bytes : {8U, 16U}) {
          const auto one = rule_of(bytes).first_cell(element);
          const auto other = rule_of(bytes).first_cell(element + apart(bytes) * stride);
          q.claim("one bank", one.bank == other.bank);
          q.claim("two rows", one.row != other.row);
        }
      })
      .false_twin([=](Query& q) {
        // An odd stride.
        const IntTerm element = q.number("element", 0, 9);
        const IntTerm stride = 2 * q.number("half", 1, 1) + 1;
        q.claim("one bank", rule_of(8).first_cell(element).bank ==
                                rule_of(8).first_cell(element + apart(8) * stride).bank);
      });
}

Theorem all_words() {
  // Whether word `word` of one element and word `other` of another are in different banks. Assumes
  // that the elements' first words are in different banks.
  const auto banks_differ = [](Query& q, std::uint32_t bytes, std::uint64_t more) {
    const IntTerm words(bytes / word_bytes + more);
    const std::string size = std::to_string(bytes);
    const IntTerm a = q.number("element_of_" + size, 0, 9);
    const IntTerm b = q.number("other_of_" + size, 0, 10);
    const IntTerm word = below(q, "word_of_" + size, words, bytes / word_bytes - 1 + more);
    const IntTerm other = below(q, "other_word_of_" + size, words, 0);
    q.assume(in_different_banks(bytes, a, b));
    const auto bank = [&](const IntTerm& element, const IntTerm& k) {
      return (bytes / word_bytes * element + k) % IntTerm(rule_of(bytes).banks());
    };
    return bank(a, word) != bank(b, other);
  };
  return Theorem{.id = "M1.wide.words",
                 .source = "bankproof",
                 .statement =
                     "elements of 8 or 16 bytes whose first words are in different banks have no "
                     "bank in common",
                 .domain = "all elements"}
      .proof([=](Query& q) {
        for (const std::uint32_t bytes : {8U, 16U}) {
          q.claim("all of their words", banks_differ(q, bytes, 0));
        }
      })
      // One word more.
      .false_twin([=](Query& q) { q.claim("all of their words", banks_differ(q, 8, 1)); });
}

}  // namespace

std::vector<Theorem> theorems_on_wide_accesses() {
  return {contiguous(8), contiguous(16), odd_strides(), even_strides(), all_words()};
}

}  // namespace bankproof::proofs
