// Is (S, D) a conflict-free plan for P? Decided from the definition alone, in one pass over the
// plan; nothing here knows how plans are made, and it includes nothing that makes them.
//
// A plan has ⌈n/w⌉ warps of w lanes. Lane j moves element S(j) to D(j), or is idle, −1 in both. It
// is right when every element moves once, to where P says, and no two lanes of a warp read from one
// bank, or write to one (THS 4.1).
//
// Example: for w = 2 and P = (0, 2, 1, 3), S = D = (0, 1, 2, 3) is wrong: lane 1 of warp 0 moves
// element 1 to 1, and P says 2.
//
// Cost: O(n) time; n bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../../model/units.hpp"

namespace bankproof {

/// The first thing wrong with a plan, by warp and lane.
struct PlanDefect {
  enum class Kind : std::uint8_t {
    length,            ///< S or D has another number of lanes: `value`, expected `expected`
    source,            ///< S(j) = value is no element: expected below `expected`
    half_idle,         ///< one of S(j) and D(j) is idle, the other is not
    destination,       ///< D(j) = value, and P(S(j)) = expected
    repeated,          ///< element `value` was moved before
    missing,           ///< element `value` is never moved; warp and lane mean nothing
    reading_conflict,  ///< lane and other_lane read from `bank`
    writing_conflict,  ///< lane and other_lane write to `bank`
  };
  Kind kind;
  std::uint64_t warp = 0;
  Width lane = 0;
  std::uint64_t value = 0;
  std::uint64_t expected = 0;
  Width other_lane = 0;
  Bank bank = 0;

  bool operator==(const PlanDefect&) const = default;
};

namespace detail {

/// Which lane of a warp uses each bank.
class BanksInUse {
 public:
  explicit BanksInUse(Width width) : used_in_(width, 0), lane_(width, 0) {}

  /// The lane of this warp that uses the bank already; from now on `lane` does.
  std::optional<Width> use(Bank bank, std::uint64_t warp, Width lane) {
    if (used_in_[bank] == warp + 1) return lane_[bank];
    used_in_[bank] = warp + 1;
    lane_[bank] = lane;
    return std::nullopt;
  }

 private:
  std::vector<std::uint64_t> used_in_;  ///< warp + 1
  std::vector<Width> lane_;
};

}  // namespace detail

/// The first defect, or none. Requires that P is a permutation of 0 … n−1 and 1 ≤ width.
template <class P, class Index>
std::optional<PlanDefect> verify_plan(std::span<const P> permutation, std::span<const Index> s,
                                      std::span<const Index> d, Width width) {
  using Kind = PlanDefect::Kind;
  constexpr auto idle_lane = static_cast<Index>(-1);
  const std::uint64_t n = permutation.size();
  const std::uint64_t lanes = (n / width + (n % width != 0 ? 1 : 0)) * width;
  for (const std::uint64_t length : {s.size(), d.size()}) {
    if (length != lanes)
      return PlanDefect{.kind = Kind::length, .value = length, .expected = lanes};
  }
  std::vector<bool> moved(n);
  detail::BanksInUse reading(width);
  detail::BanksInUse writing(width);
  std::uint64_t count = 0;
  for (std::uint64_t j = 0; j < lanes; ++j) {
    PlanDefect defect{.kind = Kind::source,
                      .warp = j / width,
                      .lane = static_cast<Width>(j % width),
                      .value = static_cast<std::uint64_t>(s[j]),
                      .expected = n};
    if (s[j] == idle_lane || d[j] == idle_lane) {
      if (s[j] == d[j]) continue;
      defect.kind = Kind::half_idle;
      return defect;
    }
    const auto source = static_cast<std::uint64_t>(s[j]);
    if (source >= n) return defect;
    const auto target = static_cast<std::uint64_t>(permutation[source]);
    if (static_cast<std::uint64_t>(d[j]) != target) {
      defect.kind = Kind::destination;
      defect.value = static_cast<std::uint64_t>(d[j]);
      defect.expected = target;
      return defect;
    }
    if (moved[source]) {
      defect.kind = Kind::repeated;
      return defect;
    }
    moved[source] = true;
    ++count;
    defect.bank = static_cast<Bank>(source % width);
    if (const auto other = reading.use(defect.bank, defect.warp, defect.lane)) {
      defect.kind = Kind::reading_conflict;
      defect.other_lane = *other;
      return defect;
    }
    defect.bank = static_cast<Bank>(target % width);
    if (const auto other = writing.use(defect.bank, defect.warp, defect.lane)) {
      defect.kind = Kind::writing_conflict;
      defect.other_lane = *other;
      return defect;
    }
  }
  if (count == n) return std::nullopt;
  std::uint64_t missing = 0;
  while (moved[missing]) ++missing;
  return PlanDefect{.kind = Kind::missing, .value = missing};
}

/// For people: "warp 3, lane 5: reads from bank 2, as lane 1 does".
inline std::string describe(const PlanDefect& defect) {
  using Kind = PlanDefect::Kind;
  const std::string value = std::to_string(defect.value);
  const std::string expected = std::to_string(defect.expected);
  if (defect.kind == Kind::length) return "has " + value + " lanes, expected " + expected;
  if (defect.kind == Kind::missing) return "element " + value + " is never moved";
  const std::string where =
      "warp " + std::to_string(defect.warp) + ", lane " + std::to_string(defect.lane) + ": ";
  const std::string bank = "bank " + std::to_string(defect.bank) + ", as lane " +
                           std::to_string(defect.other_lane) + " does";
  switch (defect.kind) {
    case Kind::source:
      return where + "S is " + value + ", expected an element below " + expected + " or -1";
    case Kind::half_idle:
      return where + "only one of S and D is -1";
    case Kind::destination:
      return where + "D is " + value + ", expected " + expected + ", where the permutation takes S";
    case Kind::repeated:
      return where + "element " + value + " is moved a second time";
    case Kind::reading_conflict:
      return where + "reads from " + bank;
    default:
      return where + "writes to " + bank;
  }
}

}  // namespace bankproof
