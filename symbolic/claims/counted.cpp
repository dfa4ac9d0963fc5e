// Counts what threads write; see counted.hpp.
#include "counted.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "../terms/evaluate.hpp"

namespace bankproof::symbolic {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 18;

}  // namespace

std::vector<Term> CountedBlock::indices() const {
  std::vector<Term> all;
  for (const char axis : {'x', 'y', 'z'}) {
    if (!threads_.has_axis(axis)) continue;
    const Term index = index_of(axis);
    if (pool_.node(index).op == Operator::unknown) all.push_back(index);
  }
  return all;
}

Term CountedBlock::index_of(char axis) const {
  const Term index = *subject_.inputs().special(std::string("%tid.") + axis);
  const Node& node = pool_.node(index);
  return node.op == Operator::zero_extended ? node.operands[0] : index;
}

/// The indices of each thread of the block, if its shape is stated.
const std::vector<Model>& CountedBlock::threads() {
  if (all_) return *all_;
  all_.emplace();
  all_->emplace_back();
  for (const char axis : {'x', 'y', 'z'}) {
    if (!threads_.has_axis(axis)) continue;
    const Term size = *subject_.inputs().special(std::string("%ntid.") + axis);
    const std::uint64_t count = pool_.is_constant(size) ? pool_.node(size).value : 0;
    std::vector<Model> more;
    for (const Model& one : *all_) {
      for (std::uint64_t index = 0; index < count; ++index) {
        more.push_back(one);
        more.back()[index_of(axis)] = index;
      }
    }
    *all_ = std::move(more);
  }
  return *all_;
}

bool CountedBlock::is_of_indices(Term term) const {
  const std::vector<Term> known = indices();
  std::unordered_map<Term, bool> met;
  bool all = true;
  each_unknown(pool_, term, met, [&](Term unknown) {
    all = all && std::find(known.begin(), known.end(), unknown) != known.end();
  });
  return all;
}

std::uint64_t CountedBlock::value(const Model& thread, Term term) const {
  Values values(pool_, [&](Term unknown) {
    const auto found = thread.find(unknown);
    return found == thread.end() ? 0 : found->second;
  });
  return values(term);
}

void CountedBlock::add(Term offset, Term guard, std::uint32_t bytes, Covered& covered) {
  if (!is_of_indices(offset) || !is_of_indices(guard)) return;
  for (const Model& thread : threads()) {
    const std::uint64_t begin = value(thread, offset);
    if (begin >= most_bytes || value(thread, guard) == 0) continue;
    const std::uint64_t end = begin + bytes;
    if (covered.size() < end) covered.resize(end);
    std::fill(covered.begin() + static_cast<std::ptrdiff_t>(begin),
              covered.begin() + static_cast<std::ptrdiff_t>(end), true);
  }
}

bool CountedBlock::reads_only(Term offset, std::uint32_t bytes, const Covered& covered) {
  if (covered.empty() || !is_of_indices(offset)) return false;
  return std::all_of(threads().begin(), threads().end(), [&](const Model& thread) {
    const std::uint64_t begin = value(thread, offset);
    if (begin >= covered.size() || begin + bytes > covered.size()) return false;
    const auto first = covered.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::find(first, first + bytes, false) == first + bytes;
  });
}

}  // namespace bankproof::symbolic
