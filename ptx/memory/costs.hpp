// The cost of a warp's access on the machine, by the rules of model/gpu/chips.hpp.
//
// The rules price any access lane by lane. Most accesses equal the last access of their
// instruction, shifted by whole lines or banks, and then cost the same. So the counter remembers
// the last access of each instruction.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "../../model/gpu/chips.hpp"
#include "footprint.hpp"
#include "lane_bits.hpp"
#include "zeroed_array.hpp"

namespace bankproof::ptx {

/// The rules for elements of one size.
struct ElementRules {
  AccessRule shared, lines, sectors;
  std::uint32_t shared_turns, lines_turns;
  // The ideals, indexed by the number of distinct elements. ideal_shared is set only if the ideal
  // in shared memory depends on this number alone.
  std::array<std::uint32_t, warp_lanes + 1> ideal_shared{}, ideal_lines{}, ideal_sectors{};
  bool banks_of_words;  // one element per bank and turn; ideal_shared is set
};

/// The rules of one machine, each made on first use. Thread-safe.
class RuleTable {
 public:
  explicit RuleTable(const std::optional<Chip>& chip) : chip_(chip) {}

  /// `bytes` is 1, 2, 4, 8 or 16.
  const ElementRules& of(std::uint32_t bytes);

 private:
  struct Entry {
    std::once_flag made;
    std::optional<ElementRules> rules;
  };
  std::optional<Chip> chip_;
  std::array<Entry, 5> entries_;
};

/// The machine that prices the accesses: a chip or, without a chip, the pure HMM of width 32 with
/// words of 4 bytes.
struct MachineRules {
  std::optional<Chip> chip;
  /// The rules, which all launches share. If null, each counter makes its own.
  std::shared_ptr<RuleTable> table = chip ? nullptr : of_hmm();

  /// `name` is "hmm" or a chip of model/gpu/chips.hpp. Throws std::invalid_argument, which lists
  /// these names.
  static MachineRules of(std::string_view name);
  static std::shared_ptr<RuleTable> of_hmm();
};

/// In shared memory, stages are wavefronts. In global memory, stages are lines (address groups),
/// and the cost also counts sectors.
struct Cost {
  std::uint32_t stages = 0;
  std::uint32_t ideal = 0;
  std::uint32_t sectors = 0;
  std::uint32_t ideal_sectors = 0;
  std::uint32_t turns = 1;     // the access consists of this many accesses of equal cost
  std::uint32_t distinct = 0;  // distinct elements
  bool operator==(const Cost&) const = default;
};

/// How many different parts of global memory an access touches.
struct TouchedParts {
  std::uint32_t elements = 0;
  std::uint32_t sectors = 0;
  std::uint32_t lines = 0;
};

/// The widest element that is priced in one turn, in bytes.
inline constexpr std::uint32_t widest_element = 16;

/// Not thread-safe.
class CostCounter {
 public:
  CostCounter(const MachineRules& rules, std::size_t sites);

  /// `addresses` are offsets in shared memory or in a buffer, and multiples of `bytes`. `bytes` is
  /// 1, 2, 4, 8, 16 or 32; an access of 32 bytes takes two turns of 16 bytes. `lanes` has at least
  /// one lane; every lane outside of `lanes` has the address of the first lane in `lanes`. The
  /// counter remembers one access of each site, in shared or in global memory, since a generic
  /// access may go to either.
  const Cost& shared(std::uint32_t site, const LaneAddresses& addresses, LaneMask lanes,
                     std::uint32_t bytes) {
    return priced(site, addresses, lanes, bytes, true);
  }
  const Cost& global(std::uint32_t site, const LaneAddresses& addresses, LaneMask lanes,
                     std::uint32_t bytes) {
    return priced(site, addresses, lanes, bytes, false);
  }

  /// The cost of a row: all lanes take part, and lane l has the address begin + l * bytes.
  [[gnu::always_inline]] const Cost& row(std::uint64_t begin, std::uint32_t bytes, bool shared) {
    const auto width = static_cast<std::size_t>(std::countr_zero(bytes));
    const RowCosts& costs = rows_[shared ? 1 : 0][width];
    const Cost& cost = costs.of[(begin >> width) & costs.most];
    return cost.distinct != 0 ? cost : new_row(begin, bytes, shared);
  }

  /// The cost of some lanes of a small row in global memory.
  Cost lanes_of_row(const LaneBits& row);

  /// The cost of an access in global memory that touches these parts of it.
  Cost of_parts(const TouchedParts& touched, std::uint32_t bytes);

  /// The cost of an access whose lanes access the same element. Null if it may depend on the lanes
  /// and the place.
  const Cost* element(std::uint32_t bytes, bool shared);

  /// The cost without remembered accesses and short cuts, for tests.
  Cost plain(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes, bool shared);

 private:
  /// The last access of a site. Its addresses are relative to a multiple of a period, since a shift
  /// by whole periods does not change the cost. In global memory the period is a line. In shared
  /// memory the period is a word if elements and banks are one word wide; else it is the widest row
  /// of banks.
  struct Pattern {
    LaneAddresses offsets{};
    LaneMask lanes = 0;  // empty: nothing is remembered
    bool shared = false;
    Cost cost;
  };
  static constexpr std::uint64_t widest_period =
      std::max(GlobalMemoryRule::line_bytes, widest_row_bytes());

  /// Valid until the next call.
  Pattern& pattern_at(std::uint32_t site) {
    std::uint32_t& index = pattern_of_[site];
    if (index == 0) {
      patterns_.emplace_back();
      index = static_cast<std::uint32_t>(patterns_.size());
    }
    return patterns_[index - 1];
  }
  std::uint64_t period_of(std::uint32_t bytes, bool shared);
  const Cost& new_row(std::uint64_t begin, std::uint32_t bytes, bool shared);
  const Cost& priced(std::uint32_t site, const LaneAddresses& addresses, LaneMask lanes,
                     std::uint32_t bytes, bool shared);
  Cost priced_anew(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes,
                   bool shared);
  Cost global_cost(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes);
  const ElementRules& rules_of(std::uint32_t bytes);
  ElementRules& own_rules_of(std::uint32_t bytes);

  /// A mask for each of the numbers of one warp, which are below 2^56; a new stamp empties all.
  class Masks {
   public:
    /// No bits for a number that is new.
    std::uint32_t& of(std::uint64_t number, std::uint32_t stamp);

   private:
    struct Entry {
      std::uint64_t number = 0;
      std::uint32_t stamp = 0;
      std::uint32_t mask = 0;
    };
    std::array<Entry, 256> entries_{};
  };
  std::uint32_t next_stamp();

  // The first is for elements of words or more.
  TouchedParts lines_touched(const LaneAddresses& addresses, LaneMask lanes);
  TouchedParts sectors_touched(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes);

  std::shared_ptr<RuleTable> table_;
  // For 1, 2, 4, 8, 16 bytes, set on first use. Some rules have scratch memory, so plain() uses
  // copies of its own.
  std::array<const ElementRules*, 5> rules_{};
  std::array<std::optional<ElementRules>, 5> own_rules_;
  // Few sites need a pattern, and an array for all of them would be mapped for each launch.
  std::vector<Pattern> patterns_;
  ZeroedArray<std::uint32_t> pattern_of_;  // in patterns_, by site; 0: none, else one more
  /// The costs of rows by their place in a period, counted in elements. A cost without distinct
  /// elements is not known yet.
  struct RowCosts {
    std::size_t most = 0;  // the last place; the number of places is a power of two
    std::vector<Cost> of = std::vector<Cost>(1);
  };
  std::array<std::array<RowCosts, 6>, 2> rows_;  // global, shared; by log2 of the element's bytes
  // The costs of single elements, likewise.
  std::array<std::array<Cost, 6>, 2> elements_{};
  Masks masks_, lines_;
  std::uint32_t stamp_ = 0;
  std::array<std::uint64_t, warp_lanes> indices_{};
};

}  // namespace bankproof::ptx
