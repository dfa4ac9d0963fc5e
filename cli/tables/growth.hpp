// Terms such as n²v²/(dw) or l log n: their value for a task, and whether a measured quantity grows
// with each letter as they do.
//
// A quantity's exponent of a letter is how often it doubles when the letter does, rounded to a
// whole number when it is that to a tenth. For a logarithm, log x against x, x², x⁴: the growth of
// its increments. So `measured` gives back mn/(dw) for a time that the term mn/(dw) dominates,
// and for another time another text.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "../../algorithms/algorithm.hpp"

namespace bankproof::cli {

/// Sets letters of a task: sizes by their names, where n is the side of an image or matrix if there
/// is no size n, else letters of its machine.
Task with(Task task, std::initializer_list<std::pair<char, std::uint64_t>> letters);

/// The value of a letter.
std::uint64_t letter_of(const Task& task, char letter);

class Growth {
 public:
  /// Of a text such as "n²v²/(dw)", "l log n", "1".
  explicit Growth(std::string_view text);

  double value(const Task& task) const;
  /// The letter whose logarithm is a factor, or 0.
  char log() const { return log_; }
  std::string text() const;

  using Quantity = std::function<double(const Task&)>;
  /// Of a quantity, at a task, with each of these letters; one of them, or none, by its logarithm.
  static Growth measured(const Quantity& quantity, const Task& task, std::string_view letters,
                         char log);

 private:
  Growth() = default;

  std::map<char, double> powers_;
  char log_ = 0;
  double log_power_ = 0;
};

}  // namespace bankproof::cli
