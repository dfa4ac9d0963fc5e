// See growth.hpp.
#include "growth.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace bankproof::cli {
namespace {

constexpr std::string_view superscripts[] = {"²", "³"};

std::uint64_t* machine_letter(MachineParameters& machine, char letter) {
  switch (letter) {
    case 'w':
      return &machine.w;
    case 'l':
      return &machine.l;
    case 'L':
      return &machine.L;
    case 'd':
      return &machine.d;
    case 'p':
      return &machine.p;
    default:
      return nullptr;
  }
}

void set_letter(Task& task, char letter, std::uint64_t value) {
  if (task.sizes.has(std::string_view(&letter, 1))) {
    task.sizes.set(std::string_view(&letter, 1), value);
  } else if (std::uint64_t* const own = machine_letter(task.machine, letter)) {
    *own = value;
  } else {
    for (const std::string_view name : {"rows", "columns", "inner"}) {
      if (task.sizes.has(name)) task.sizes.set(name, value);
    }
  }
}

/// The nearest whole number if it differs from the exponent by at most a tenth, else the exponent
/// itself.
double rounded(double exponent) {
  const double whole = std::round(exponent);
  return std::abs(exponent - whole) <= 0.1 ? whole : exponent;
}

std::string power_text(char letter, double power) {
  if (power == 1) return {letter};
  if (power == 2 || power == 3) {
    return letter + std::string(superscripts[static_cast<int>(power) - 2]);
  }
  return fmt::format("{}^{:.2f}", letter, power);
}

}  // namespace

Task with(Task task, std::initializer_list<std::pair<char, std::uint64_t>> letters) {
  for (const auto& [letter, value] : letters) set_letter(task, letter, value);
  return task;
}

std::uint64_t letter_of(const Task& task, char letter) {
  if (task.sizes.has(std::string_view(&letter, 1))) {
    return task.sizes[std::string_view(&letter, 1)];
  }
  MachineParameters machine = task.machine;
  if (const std::uint64_t* const own = machine_letter(machine, letter)) return *own;
  return task.sizes["rows"];
}

Growth::Growth(std::string_view text) {
  double sign = 1;
  char last = 0;
  while (!text.empty()) {
    if (text.starts_with("log ")) {
      log_ = text[4];
      log_power_ = 1;
      text.remove_prefix(5);
      continue;
    }
    bool was_power = false;
    for (std::size_t k = 0; k < std::size(superscripts); ++k) {
      if (!text.starts_with(superscripts[k])) continue;
      powers_[last] += sign * static_cast<double>(k + 1);
      text.remove_prefix(superscripts[k].size());
      was_power = true;
      break;
    }
    if (was_power) continue;
    if (text.front() == '/') sign = -1;
    if (std::string_view("mnvlLwdp").find(text.front()) != std::string_view::npos) {
      last = text.front();
      powers_[last] += sign;
    } else if (std::string_view("/() 1").find(text.front()) == std::string_view::npos) {
      throw std::invalid_argument("no term: " + std::string(text));
    }
    text.remove_prefix(1);
  }
}

double Growth::value(const Task& task) const {
  double product = 1;
  for (const auto& [letter, power] : powers_) {
    product *= std::pow(static_cast<double>(letter_of(task, letter)), power);
  }
  return log_ == 0 ? product : product * std::log2(static_cast<double>(letter_of(task, log_)));
}

std::string Growth::text() const {
  std::string above;
  std::string below;
  int letters_below = 0;
  for (const char letter : std::string_view("mnvwdplL")) {
    const auto found = powers_.find(letter);
    if (found != powers_.end() && found->second > 0) above += power_text(letter, found->second);
  }
  for (const char letter : std::string_view("mndwplLv")) {
    const auto found = powers_.find(letter);
    if (found == powers_.end() || found->second >= 0) continue;
    below += power_text(letter, -found->second);
    ++letters_below;
  }
  if (log_power_ != 0) {
    above += above.empty() ? "" : " ";
    above += log_power_ == 1 ? "log " : fmt::format("log^{:.2f} ", log_power_);
    above += log_;
  }
  if (above.empty()) above = "1";
  if (below.empty()) return above;
  return above + "/" + (letters_below > 1 ? "(" + below + ")" : below);
}

Growth Growth::measured(const Quantity& quantity, const Task& task, std::string_view letters,
                        char log) {
  Growth growth;
  const double base = quantity(task);
  for (const char letter : letters) {
    const std::uint64_t x = letter_of(task, letter);
    const auto at = [&](std::uint64_t value) { return quantity(with(task, {{letter, value}})); };
    if (letter == log) {
      // From x to x² the logarithm grows by log x, and from x² to x⁴ by 2 log x. So the ratio of
      // these two increments is 2 for log, 4 for log².
      const double before = at(x * x) - base;
      const double after = at(x * x * x * x) - at(x * x);
      growth.log_ = log;
      growth.log_power_ = before <= 0 ? 0 : rounded(std::log2(after / before));
    } else if (const double power = rounded(std::log2(at(2 * x) / base)); power != 0) {
      growth.powers_[letter] = power;
    }
  }
  return growth;
}

}  // namespace bankproof::cli
