// Lanes of addresses in arithmetic progression: first, first + step, first + 2·step, …
//
// Most index expressions of the papers have this form in the thread number (a[i], a[p·t + i], a[2·i
// + 1], the row of a tile), and a progression is cheap to pass and to count. Any expression that
// leaves the form, such as i mod w, becomes Lanes<Address>; a program need not care which type it
// has.
#pragma once

#include "lanes.hpp"

namespace bankproof {

/// `width` addresses; lane j has first + j·step modulo 2⁶⁴.
class Progression {
 public:
  constexpr Progression(Width width, Address first, Address step)
      : first_(first), step_(step), width_(width) {}

  constexpr Width width() const { return width_; }
  constexpr Address step() const { return step_; }
  constexpr Address operator[](Width lane) const { return first_ + lane * step_; }

  /// The same addresses, written out.
  Lanes<Address> lanes() const {
    Lanes<Address> result(width_);
    for (Width lane = 0; lane < width_; ++lane) result[lane] = (*this)[lane];
    return result;
  }
  operator Lanes<Address>() const { return lanes(); }  // NOLINT(google-explicit-constructor)

  Progression& operator+=(Address b) {
    first_ += b;
    return *this;
  }

  friend constexpr Progression operator+(Progression a, Progression b) {
    return {a.width_, a.first_ + b.first_, a.step_ + b.step_};
  }
  friend constexpr Progression operator-(Progression a, Progression b) {
    return {a.width_, a.first_ - b.first_, a.step_ - b.step_};
  }
  friend constexpr Progression operator+(Progression a, Address b) {
    return {a.width_, a.first_ + b, a.step_};
  }
  friend constexpr Progression operator+(Address a, Progression b) { return b + a; }
  friend constexpr Progression operator-(Progression a, Address b) {
    return {a.width_, a.first_ - b, a.step_};
  }
  friend constexpr Progression operator-(Address a, Progression b) {
    return {b.width_, a - b.first_, Address{0} - b.step_};
  }
  friend constexpr Progression operator*(Progression a, Address b) {
    return {a.width_, a.first_ * b, a.step_ * b};
  }
  friend constexpr Progression operator*(Address a, Progression b) { return b * a; }

 private:
  Address first_;
  Address step_;
  Width width_;
};

// Everything else goes through lanes.
inline Lanes<Address> operator*(const Progression& a, const Progression& b) {
  return a.lanes() * b.lanes();
}
#define BANKPROOF_WITH_LANES(op)                                           \
  inline auto operator op(const Progression& a, const Lanes<Address>& b) { \
    return a.lanes() op b;                                                 \
  }                                                                        \
  inline auto operator op(const Lanes<Address>& a, const Progression& b) { return a op b.lanes(); }
#define BANKPROOF_AS_LANES(op)                                                        \
  inline auto operator op(const Progression& a, Address b) { return a.lanes() op b; } \
  inline auto operator op(Address a, const Progression& b) { return a op b.lanes(); } \
  inline auto operator op(const Progression& a, const Progression& b) {               \
    return a.lanes() op b.lanes();                                                    \
  }                                                                                   \
  BANKPROOF_WITH_LANES(op)
BANKPROOF_WITH_LANES(+)
BANKPROOF_WITH_LANES(-)
BANKPROOF_WITH_LANES(*)
BANKPROOF_AS_LANES(/)
BANKPROOF_AS_LANES(%)
BANKPROOF_AS_LANES(&)
BANKPROOF_AS_LANES(|)
BANKPROOF_AS_LANES(^)
BANKPROOF_AS_LANES(<<)
BANKPROOF_AS_LANES(>>)
BANKPROOF_AS_LANES(==)
BANKPROOF_AS_LANES(!=)
BANKPROOF_AS_LANES(<)
BANKPROOF_AS_LANES(<=)
BANKPROOF_AS_LANES(>)
BANKPROOF_AS_LANES(>=)
#undef BANKPROOF_AS_LANES
#undef BANKPROOF_WITH_LANES

}  // namespace bankproof
