// Decides properties by evaluating the formulas for every thread, on several cores. Also searches
// for a counterexample among only some threads, since most wrong layouts have counterexamples
// everywhere.
//
// Both functions go through the accesses of warps by number. The numbers run through all warps for
// the first combination of the variables' values, then through all warps for the next combination,
// and so on.
//
// Cost: O(threads · operations of the formulas).
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "replay.hpp"

namespace bankproof::formulas {

/// Numbers the accesses of warps in a question: one for each warp and each combination of the
/// variables' values.
class WarpAccesses {
 public:
  explicit WarpAccesses(const Question& question) : question_(question) {
    const auto combinations = question.combinations();
    const bool fits = combinations && *combinations <= unlimited / question.warps();
    count_ = fits ? *combinations * question.warps() : unlimited;
  }

  /// The number of accesses; `unlimited` if it does not fit 64 bits.
  std::uint64_t count() const { return count_; }

  /// The variables and the first thread of an access.
  Witness operator[](std::uint64_t number) const {
    Witness witness;
    std::uint64_t combination = number / question_.warps();
    for (const Variable& variable : question_.variables) {
      const std::uint64_t digit = combination % variable.count();
      witness.variables.push_back(variable.first + static_cast<std::uint32_t>(digit));
      combination /= variable.count();
    }
    witness.threads = {number % question_.warps() * question_.width()};
    return witness;
  }

 private:
  const Question& question_;
  std::uint64_t count_;
};

namespace detail {

/// The witness of a failure within one access of a warp. This function does not look for repeated
/// values.
inline std::optional<Witness> failure_of(Replay& replay, const Property& property,
                                         Witness witness) {
  const std::uint64_t first = witness.threads.front();
  const Question& question = replay.question();
  const std::uint64_t lanes = property.kind == Kind::conflict_free
                                  ? 1  // any lane stands for the warp
                                  : question.lanes_of(first / question.width());
  for (std::uint64_t lane = 0; lane < lanes; ++lane) {
    witness.threads = {first + lane};
    if (replay.confirm(property, witness)) return witness;
  }
  return std::nullopt;
}

/// The first two among these threads that have the same value.
inline std::optional<Witness> repetition(Replay& replay, const Property& property,
                                         const std::vector<std::uint64_t>& threads) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> values;
  values.reserve(threads.size());
  for (const std::uint64_t thread : threads) {
    values.emplace_back(replay.value(property.access, thread).value, thread);
  }
  std::sort(values.begin(), values.end());
  const auto twice =
      std::adjacent_find(values.begin(), values.end(),
                         [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice == values.end()) return std::nullopt;
  return Witness{{}, {twice->second, (twice + 1)->second}};
}

/// Two threads with the same value, if there are any. Requires that all values are below the size.
/// There are at most 2³² threads.
inline std::optional<Witness> repetition_of_all(const Question& question,
                                                const Property& property) {
  std::vector<std::atomic<std::uint64_t>> seen(ceil_div(question.size, 64));
  std::atomic<bool> is_repeated = false;
  tbb::parallel_for(
      tbb::blocked_range<std::uint64_t>(0, question.size, 1 << 14), [&](const auto& threads) {
        Replay replay(question);
        for (std::uint64_t thread = threads.begin(); thread < threads.end(); ++thread) {
          const std::uint32_t value = replay.value(property.access, thread).value;
          const std::uint64_t bit = std::uint64_t{1} << value % 64;
          if ((seen[value / 64].fetch_or(bit, std::memory_order_relaxed) & bit) == 0) continue;
          is_repeated = true;
          return;
        }
      });
  if (!is_repeated) return std::nullopt;
  // Goes through the threads again in order, so that every run names the same two threads.
  Replay replay(question);
  const auto value_of = [&](std::uint64_t thread) {
    return replay.value(property.access, thread).value;
  };
  std::vector<bool> met(question.size);
  std::uint64_t second = 0;
  for (; !met[value_of(second)]; ++second) met[value_of(second)] = true;
  const std::uint32_t value = value_of(second);
  std::uint64_t first = 0;
  while (value_of(first) != value) ++first;
  return Witness{{}, {first, second}};
}

}  // namespace detail

/// A failure of the property among some accesses: the first ones, the last ones, and random ones.
inline std::optional<Witness> search(const Question& question, const Property& property,
                                     std::uint64_t most_operations) {
  constexpr std::uint64_t most = 2048;
  std::uint64_t operations = question.width();
  for (const Access& access : question.accesses)
    operations += question.width() * access.formula.size();
  const WarpAccesses all(question);
  const std::uint64_t affordable = std::clamp<std::uint64_t>(most_operations / operations, 8, most);
  std::set<std::uint64_t> numbers;
  if (all.count() <= affordable) {
    for (std::uint64_t number = 0; number < all.count(); ++number) numbers.insert(number);
  } else {
    std::mt19937_64 random(1);
    for (std::uint64_t k = 0; k < affordable / 4; ++k) {
      numbers.insert({k, all.count() - 1 - k, random() % all.count(), random() % all.count()});
    }
  }
  Replay replay(question);
  std::vector<std::uint64_t> threads;
  for (const std::uint64_t number : numbers) {
    const Witness access = all[number];
    if (auto found = detail::failure_of(replay, property, access)) return found;
    const std::uint64_t first = access.threads.front();
    const std::uint64_t lanes = question.lanes_of(first / question.width());
    for (std::uint64_t lane = 0; lane < lanes; ++lane) threads.push_back(first + lane);
  }
  if (property.kind != Kind::permutation) return std::nullopt;
  return detail::repetition(replay, property, threads);
}

/// The first failure of the property among all accesses.
inline std::optional<Witness> evaluate_all(const Question& question, const Property& property) {
  const WarpAccesses all(question);
  std::atomic<std::uint64_t> first_failure = all.count();
  tbb::parallel_for(
      tbb::blocked_range<std::uint64_t>(0, all.count(), 1 << 8), [&](const auto& numbers) {
        Replay replay(question);
        for (std::uint64_t number = numbers.begin(); number < numbers.end(); ++number) {
          std::uint64_t before = first_failure;
          if (number >= before) return;
          if (!detail::failure_of(replay, property, all[number])) continue;
          while (number < before && !first_failure.compare_exchange_weak(before, number)) {
          }
          return;
        }
      });
  if (first_failure < all.count()) {
    Replay replay(question);
    return detail::failure_of(replay, property, all[first_failure]);
  }
  if (property.kind != Kind::permutation) return std::nullopt;
  return detail::repetition_of_all(question, property);
}

}  // namespace bankproof::formulas
