// Is (S, D) a conflict-free plan for P? The verifier decides it from the definition alone. It takes
// one pass over a right plan, and another pass to find the defect of a wrong plan. It does not know
// how plans are made, and includes nothing that makes them.
//
// A plan has ⌈n/w⌉ warps of w lanes. Lane j moves element S(j) to D(j), or is idle, −1 in both. The
// plan is right if every element moves once, to where P says, and no two lanes of a warp read from
// the same bank or write to the same bank (THS 4.1).
//
// Example: for w = 2 and P = (0, 2, 1, 3), S = D = (0, 1, 2, 3) is wrong: lane 1 of warp 0 moves
// element 1 to 1, and P says 2.
//
// Cost: O(n) time; n bits.
#pragma once

#include <algorithm>
#include <bit>
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
    target,            ///< D(j) = value is no place: expected below `expected`
    overwritten,       ///< place `value` was written before
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

/// Remembers which lane of a warp uses each bank.
class BanksInUse {
 public:
  explicit BanksInUse(Width width) : used_in_(width), lane_(width) {}

  /// The lane of this warp that already uses the bank. Nothing if no lane does; from now on `lane`
  /// uses it.
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

namespace detail {

template <class P, class Index>
class PlanVerifier {
 public:
  PlanVerifier(std::span<const P> permutation, std::span<const Index> s, std::span<const Index> d,
               Width width)
      : permutation_(permutation), s_(s), d_(d), width_(width) {}

  std::optional<PlanDefect> first_defect() {
    const std::uint64_t n = permutation_.size();
    const std::uint64_t lanes = (n / width_ + (n % width_ != 0 ? 1 : 0)) * width_;
    for (const std::uint64_t length : {s_.size(), d_.size()}) {
      if (length != lanes) {
        return PlanDefect{.kind = Kind::length, .value = length, .expected = lanes};
      }
    }
    return surely_right() ? std::nullopt : search_defect();
  }

 private:
  using Kind = PlanDefect::Kind;
  static constexpr auto idle_lane = static_cast<Index>(-1);

  /// If the result is true, the plan has no defect. Up to width 64, if it is false, the plan has a
  /// defect. Checks that n lanes move elements to the right places, that these are all n elements,
  /// and that the lanes of a warp use different banks.
  bool surely_right() {
    if (width_ > 64) return false;
    if (!std::has_single_bit(width_)) return surely_right([w = width_](auto i) { return i % w; });
    return surely_right([mask = width_ - 1](auto i) { return i & mask; });
  }

  template <class BankOf>
  bool surely_right(BankOf bank_of) {
    const std::uint64_t n = permutation_.size();
    std::vector<std::uint64_t> moved(n / 64 + 1);
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - width_);
    std::uint64_t moves = 0;
    for (std::uint64_t begin = 0; begin < s_.size(); begin += width_) {
      std::uint64_t read = 0;  // sets of banks
      std::uint64_t written = 0;
      std::uint64_t busy = 0;
      std::uint64_t misplaced = 0;
      for (std::uint64_t j = begin; j < begin + width_; ++j) {
        if (s_[j] == idle_lane && d_[j] == idle_lane) continue;
        const auto source = static_cast<std::uint64_t>(s_[j]);
        if (source >= n || s_[j] == idle_lane || d_[j] == idle_lane) return false;
        const auto target = static_cast<std::uint64_t>(permutation_[source]);
        misplaced |= target ^ static_cast<std::uint64_t>(d_[j]);
        moved[source / 64] |= std::uint64_t{1} << source % 64;
        read |= std::uint64_t{1} << bank_of(source);
        written |= std::uint64_t{1} << bank_of(target);
        ++busy;
      }
      if (misplaced != 0) return false;
      if ((read & written) != all) {  // a bank used twice, or an idle lane
        const auto banks = std::min(std::popcount(read), std::popcount(written));
        if (static_cast<std::uint64_t>(banks) != busy) return false;
      }
      moves += busy;
    }
    std::uint64_t elements = 0;
    for (const std::uint64_t bits : moved) {
      elements += static_cast<std::uint64_t>(std::popcount(bits));
    }
    return moves == n && elements == n;
  }

  /// The first defect, lane by lane.
  std::optional<PlanDefect> search_defect() {
    const std::uint64_t n = permutation_.size();
    moved_.assign(n, false);
    reading_ = BanksInUse(width_);
    writing_ = BanksInUse(width_);
    for (std::uint64_t warp = 0; warp < s_.size() / width_; ++warp) {
      if (const auto defect = defect_of(warp)) return defect;
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      if (!moved_[i]) return PlanDefect{.kind = Kind::missing, .value = i};
    }
    return std::nullopt;
  }

  /// The first defect among the lanes of a warp.
  std::optional<PlanDefect> defect_of(std::uint64_t warp) {
    for (Width lane = 0; lane < width_; ++lane) {
      const Index from = s_[warp * width_ + lane];
      const Index to = d_[warp * width_ + lane];
      PlanDefect defect{.kind = Kind::source,
                        .warp = warp,
                        .lane = lane,
                        .value = static_cast<std::uint64_t>(from),
                        .expected = permutation_.size()};
      const auto found = [&](Kind kind) {
        defect.kind = kind;
        return defect;
      };
      if (from == idle_lane && to == idle_lane) continue;
      if (from == idle_lane || to == idle_lane) return found(Kind::half_idle);
      const auto source = static_cast<std::uint64_t>(from);
      if (source >= permutation_.size()) return defect;
      const auto target = static_cast<std::uint64_t>(permutation_[source]);
      if (static_cast<std::uint64_t>(to) != target) {
        defect.value = static_cast<std::uint64_t>(to);
        defect.expected = target;
        return found(Kind::destination);
      }
      if (moved_[source]) return found(Kind::repeated);
      moved_[source] = true;
      const auto conflict = [&](Kind kind, Bank bank, Width other_lane) {
        return PlanDefect{
            .kind = kind, .warp = warp, .lane = lane, .other_lane = other_lane, .bank = bank};
      };
      const auto read = static_cast<Bank>(source % width_);
      if (const auto other = reading_.use(read, warp, lane)) {
        return conflict(Kind::reading_conflict, read, *other);
      }
      const auto written = static_cast<Bank>(target % width_);
      if (const auto other = writing_.use(written, warp, lane)) {
        return conflict(Kind::writing_conflict, written, *other);
      }
    }
    return std::nullopt;
  }

  std::span<const P> permutation_;
  std::span<const Index> s_;
  std::span<const Index> d_;
  Width width_;
  std::vector<bool> moved_;
  BanksInUse reading_{1};
  BanksInUse writing_{1};
};

}  // namespace detail

/// The first defect, if any. Requires that P is a permutation of 0 … n−1 and 1 ≤ width.
template <class P, class Index>
std::optional<PlanDefect> verify_plan(std::span<const P> permutation, std::span<const Index> s,
                                      std::span<const Index> d, Width width) {
  return detail::PlanVerifier<P, Index>(permutation, s, d, width).first_defect();
}

/// A text for people: "warp 3, lane 5: reads from bank 2, as lane 1 does".
inline std::string describe(const PlanDefect& defect) {
  using Kind = PlanDefect::Kind;
  // Files have signed integers, and values may be negative.
  const std::string value = std::to_string(static_cast<std::int64_t>(defect.value));
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
    case Kind::target:
      return where + "D is " + value + ", expected a place below " + expected;
    case Kind::overwritten:
      return where + "place " + value + " is written a second time";
    case Kind::reading_conflict:
      return where + "reads from " + bank;
    default:
      return where + "writes to " + bank;
  }
}

}  // namespace bankproof
