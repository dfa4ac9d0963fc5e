// Answers questions with the C++ code, one line per question and answer. proofs/coq/driver.ml
// answers the same questions with the definitions that Coq's theorems are about. ci/coq compiles
// this program and compares the answers on random inputs.
//
// In addition, `make W N P…` answers with S and D of a plan that plan_banks() makes, and
// `schedule-for W N P…` with the shape and the passes of a schedule.
//
// Example: `stages 4 7 5 15 0` is answered by `2 3`.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iostream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../algorithms/layout.hpp"
#include "../algorithms/permutation/permute.hpp"
#include "../algorithms/permutation/plan.hpp"
#include "../algorithms/permutation/schedule.hpp"
#include "../algorithms/permutation/verify.hpp"
#include "../algorithms/permutation/verify_schedule.hpp"
#include "../model/cost.hpp"

namespace {

using namespace bankproof;
using Numbers = std::vector<std::int64_t>;

/// The numbers of a line, read from left to right.
class Line {
 public:
  explicit Line(Numbers numbers) : numbers_(std::move(numbers)) {}

  std::uint64_t number() { return static_cast<std::uint64_t>(take(1).front()); }
  Numbers rest() { return take(numbers_.size() - used_); }
  Numbers take(std::uint64_t count) {
    if (count > numbers_.size() - used_) throw std::runtime_error("a line is too short");
    const auto begin = numbers_.begin() + static_cast<std::ptrdiff_t>(used_);
    used_ += count;
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

 private:
  Numbers numbers_;
  std::size_t used_ = 0;
};

template <class Range>
void print(const Range& values) {
  const char* separator = "";
  for (const auto value : values) {
    std::cout << separator << static_cast<std::int64_t>(value);
    separator = " ";
  }
}

std::vector<std::uint64_t> elements(Line& line, std::uint64_t count) {
  const Numbers numbers = line.take(count);
  return {numbers.begin(), numbers.end()};
}

void print_stages(Line line) {
  StageCounter counter(static_cast<Width>(line.number()));
  std::vector<Address> addresses;
  for (const std::int64_t address : line.rest()) {
    if (address >= 0) addresses.push_back(static_cast<Address>(address));
  }
  print(std::array{counter.bank_stages(addresses), counter.group_stages(addresses)});
}

void print_layouts(Line line) {
  const std::uint64_t w = line.number();
  const std::uint64_t i = line.number();
  const std::uint64_t j = line.number();
  const std::uint64_t k = static_cast<std::uint64_t>(std::bit_width(w)) - 1;
  print(std::array{diagonal(i, j, w), row_major(i, j, w + 1),
                   std::has_single_bit(w) ? swizzled(i, j, k) : std::uint64_t{0}});
}

void print_verdict(bool right) { std::cout << (right ? "right" : "wrong"); }

void judge_plan(Line line) {
  const auto w = static_cast<Width>(line.number());
  const std::uint64_t n = line.number();
  const std::uint64_t lanes = line.number();
  const auto permutation = elements(line, n);
  const Numbers s = line.take(lanes);
  const Numbers d = line.take(lanes);
  print_verdict(!verify_plan(std::span<const std::uint64_t>(permutation),
                             std::span<const std::int64_t>(s), std::span<const std::int64_t>(d),
                             w));
}

void judge_schedule(Line line) {
  const auto w = static_cast<Width>(line.number());
  const std::uint64_t rows = line.number();
  const std::uint64_t columns = line.number();
  const std::uint64_t n = line.number();
  const auto permutation = elements(line, n);
  std::array<Numbers, 6> lanes;
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const bool by_columns = k / 2 == 1;
    lanes.at(k) =
        line.take(by_columns ? columns * lanes_of_plan(rows, w) : rows * lanes_of_plan(columns, w));
  }
  const auto pass = [&](std::size_t k) {
    return PassToVerify<std::int64_t>{lanes.at(2 * k), lanes.at(2 * k + 1)};
  };
  print_verdict(!verify_schedule(std::span<const std::uint64_t>(permutation), rows, columns, w,
                                 std::array{pass(0), pass(1), pass(2)}));
}

void print_time(Line line) {
  const std::uint64_t w = line.number();
  const std::uint64_t l = line.number();
  const std::uint64_t n = line.number();
  const std::uint64_t p = line.number() * w;
  std::cout << Permuting{n, p, w, l}.rounds_of_plan().time(l);
}

void make_plan(Line line) {
  const auto w = static_cast<Width>(line.number());
  const auto permutation = elements(line, line.number());
  const auto plan = plan_banks(std::span<const std::uint64_t>(permutation), w);
  print(plan.s);
  std::cout << ' ';
  print(plan.d);
}

void make_schedule(Line line) {
  const auto w = static_cast<Width>(line.number());
  const auto permutation = elements(line, line.number());
  const MatrixShape shape = shape_for(permutation.size(), w);
  const auto made = schedule<std::uint64_t>(std::span<const std::uint64_t>(permutation), shape, w);
  print(std::array{shape.rows, shape.columns});
  for (const auto& pass : made.passes) {
    for (const auto* lanes : {&pass.s, &pass.d}) {
      std::cout << ' ';
      print(*lanes);
    }
  }
}

void answer(const std::string& question, Line line) {
  if (question == "stages") return print_stages(std::move(line));
  if (question == "layout") return print_layouts(std::move(line));
  if (question == "plan") return judge_plan(std::move(line));
  if (question == "schedule") return judge_schedule(std::move(line));
  if (question == "time") return print_time(std::move(line));
  if (question == "make") return make_plan(std::move(line));
  if (question == "schedule-for") return make_schedule(std::move(line));
  throw std::runtime_error("no such question: " + question);
}

}  // namespace

int main() {
  try {
    for (std::string text; std::getline(std::cin, text);) {
      std::istringstream words(text);
      std::string question;
      words >> question;
      Numbers numbers;
      for (std::int64_t number = 0; words >> number;) numbers.push_back(number);
      answer(question, Line(std::move(numbers)));
      std::cout << '\n';
    }
  } catch (const std::exception& error) {
    std::cerr << "compared: " << error.what() << '\n';
    return 3;
  }
}
