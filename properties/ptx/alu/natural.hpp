// Whole numbers of any size, slow and plain; the oracles of floating-point rows compute with them.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bankproof::ptx {

class Natural {
 public:
  Natural() = default;
  explicit Natural(std::uint64_t value) {
    for (; value != 0; value >>= 32U) digits_.push_back(static_cast<std::uint32_t>(value));
  }

  bool is_zero() const { return digits_.empty(); }
  bool is_odd() const { return !digits_.empty() && (digits_[0] & 1U) != 0; }
  /// The number of binary digits; 0 for the number 0.
  int width() const {
    if (digits_.empty()) return 0;
    return static_cast<int>(32 * (digits_.size() - 1)) +
           static_cast<int>(std::bit_width(digits_.back()));
  }
  std::uint64_t low_word() const {
    std::uint64_t word = digits_.empty() ? 0 : digits_[0];
    if (digits_.size() > 1) word |= std::uint64_t{digits_[1]} << 32U;
    return word;
  }

  friend Natural operator+(const Natural& a, const Natural& b) {
    Natural sum;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < std::max(a.digits_.size(), b.digits_.size()) || carry != 0; ++i) {
      carry += std::uint64_t{a.digit(i)} + b.digit(i);
      sum.digits_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32U;
    }
    return sum;
  }
  /// The difference; requires a ≥ b.
  friend Natural operator-(const Natural& a, const Natural& b) {
    Natural difference;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < a.digits_.size(); ++i) {
      const std::uint64_t digit = std::uint64_t{a.digit(i)} - b.digit(i) - borrow;
      difference.digits_.push_back(static_cast<std::uint32_t>(digit));
      borrow = digit >> 63U;
    }
    return difference.trim();
  }
  friend Natural operator*(const Natural& a, const Natural& b) {
    Natural product;
    product.digits_.assign(a.digits_.size() + b.digits_.size(), 0);
    for (std::size_t i = 0; i < a.digits_.size(); ++i) {
      std::uint64_t carry = 0;
      for (std::size_t k = 0; k < b.digits_.size() || carry != 0; ++k) {
        carry += std::uint64_t{a.digits_[i]} * b.digit(k) + product.digits_[i + k];
        product.digits_[i + k] = static_cast<std::uint32_t>(carry);
        carry >>= 32U;
      }
    }
    return product.trim();
  }
  friend Natural operator<<(const Natural& a, int places) {
    if (a.is_zero()) return a;
    Natural moved;
    moved.digits_.assign(static_cast<std::size_t>(places / 32), 0);
    std::uint64_t carry = 0;
    for (const std::uint32_t digit : a.digits_) {
      carry |= std::uint64_t{digit} << static_cast<unsigned>(places % 32);
      moved.digits_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32U;
    }
    moved.digits_.push_back(static_cast<std::uint32_t>(carry));
    return moved.trim();
  }
  friend Natural operator>>(const Natural& a, int places) {
    Natural moved;
    for (auto i = static_cast<std::size_t>(places / 32); i < a.digits_.size(); ++i) {
      const std::uint64_t pair = std::uint64_t{a.digit(i + 1)} << 32U | a.digit(i);
      moved.digits_.push_back(
          static_cast<std::uint32_t>(pair >> static_cast<unsigned>(places % 32)));
    }
    return moved.trim();
  }
  friend std::strong_ordering operator<=>(const Natural& a, const Natural& b) {
    if (a.digits_.size() != b.digits_.size()) return a.digits_.size() <=> b.digits_.size();
    for (std::size_t i = a.digits_.size(); i-- > 0;) {
      if (a.digits_[i] != b.digits_[i]) return a.digits_[i] <=> b.digits_[i];
    }
    return std::strong_ordering::equal;
  }
  friend bool operator==(const Natural&, const Natural&) = default;

 private:
  std::uint32_t digit(std::size_t i) const { return i < digits_.size() ? digits_[i] : 0; }
  Natural& trim() {
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
    return *this;
  }

  std::vector<std::uint32_t> digits_;  // the lowest first; the last is not 0
};

/// The whole part of a / b, computed digit by digit, and whether the division is exact.
struct Quotient {
  Natural whole;
  bool exact = true;
};
inline Quotient divide(const Natural& a, const Natural& b) {
  Natural whole;
  Natural rest = a;
  for (int place = std::max(a.width() - b.width(), 0); place >= 0; --place) {
    const Natural part = b << place;
    whole = whole << 1;
    if (rest < part) continue;
    rest = rest - part;
    whole = whole + Natural(1);
  }
  return {whole, rest.is_zero()};
}

/// The whole part of √a, computed digit by digit.
inline Quotient square_root(const Natural& a) {
  Natural root;
  for (int place = a.width() / 2 + 1; place >= 0; --place) {
    const Natural more = root + (Natural(1) << place);
    if (!(a < more * more)) root = more;
  }
  return {root, root * root == a};
}

}  // namespace bankproof::ptx
