// A set of small integers that finds the next member from a given integer on, cyclically, in
// O(log₆₄ n). It holds the warps that wait for a memory's port.
//
// Level 0 has a bit for each integer, level k+1 a bit for each word of level k that is not zero.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bankproof {

class ReadySet {
 public:
  /// The empty set, with room for 0 … size−1.
  explicit ReadySet(std::size_t size) {
    do {
      size = (size + 63) / 64;
      levels_.emplace_back(size, 0);
    } while (size > 1);
  }

  bool empty() const { return count_ == 0; }
  bool has(std::size_t member) const { return (levels_[0][member / 64] & bit(member)) != 0; }

  /// Requires a non-member.
  void insert(std::size_t member) {
    ++count_;
    for (auto& level : levels_) {
      const bool known = level[member / 64] != 0;  // to the levels above
      level[member / 64] |= bit(member);
      if (known) break;
      member /= 64;
    }
  }

  /// Requires a member.
  void erase(std::size_t member) {
    --count_;
    for (auto& level : levels_) {
      level[member / 64] &= ~bit(member);
      if (level[member / 64] != 0) break;
      member /= 64;
    }
  }

  /// The least member ≥ from, or the least member of all if there is none. Requires a non-empty
  /// set.
  std::size_t next_cyclic(std::size_t from) const {
    assert(!empty());
    const std::size_t found = next(from);
    return found != none ? found : next(0);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  static std::uint64_t bit(std::size_t member) { return std::uint64_t{1} << (member % 64); }

  /// The least member ≥ from, or none.
  std::size_t next(std::size_t from) const {
    // Climb until a word has a bit at or above `from`, then descend along the lowest bits.
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const std::size_t word = from / 64;
      if (word >= levels_[k].size()) return none;
      const std::uint64_t rest = levels_[k][word] & (~std::uint64_t{0} << (from % 64));
      if (rest != 0) {
        std::size_t member = word * 64 + static_cast<std::size_t>(std::countr_zero(rest));
        while (k-- > 0) {
          member = member * 64 + static_cast<std::size_t>(std::countr_zero(levels_[k][member]));
        }
        return member;
      }
      from = word + 1;
    }
    return none;
  }

  std::vector<std::vector<std::uint64_t>> levels_;
  std::size_t count_ = 0;
};

}  // namespace bankproof
