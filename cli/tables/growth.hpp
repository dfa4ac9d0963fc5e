// Terms such as n²v²/(dw) or l log n: their value for a task, and whether a measured quantity grows
// with each letter as the term does.
//
// The exponent of a letter says how many times a quantity doubles when the letter doubles. If a
// whole number is within a tenth of the exponent, the exponent is rounded to it. The exponent of a
// logarithm comes from measurements at x, x² and x⁴: the quantity's increment from x² to x⁴ is
// compared with its increment from x to x². So `measured` returns mn/(dw) for a time that the term
// mn/(dw) dominates, and another text for a time with another growth.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "../../algorithms/algorithm.hpp"

namespace bankproof::cli {

/// The task with these letters changed. A letter is a size of that name, or a letter of the
/// machine; if there is no size n, the letter n means the side of an image or matrix.
Task with(Task task, std::initializer_list<std::pair<char, std::uint64_t>> letters);

/// The value of a letter.
std::uint64_t letter_of(const Task& task, char letter);

class Growth {
 public:
  /// Parses a text such as "n²v²/(dw)", "l log n", "1".
  explicit Growth(std::string_view text);

  double value(const Task& task) const;
  /// The letter whose logarithm is a factor; 0 if there is none.
  char log() const { return log_; }
  std::string text() const;

  using Quantity = std::function<double(const Task&)>;
  /// How a quantity grows, near a task, with each of these letters. With the letter `log`, if it is
  /// not 0, it measures the growth as a power of the letter's logarithm.
  static Growth measured(const Quantity& quantity, const Task& task, std::string_view letters,
                         char log);

 private:
  Growth() = default;

  std::map<char, double> powers_;
  char log_ = 0;
  double log_power_ = 0;
};

}  // namespace bankproof::cli
