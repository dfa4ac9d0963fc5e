// Tiles whose rows are a pitch apart (row K5), for every width: pitch w + 1, and any pitch s.
#include "../../../algorithms/layout.hpp"
#include "../lists.hpp"
#include "pairs.hpp"
#include "replay.hpp"
#include "strides.hpp"

namespace bankproof::proofs {
namespace {

/// The arrangement whose rows are w + `more` words apart.
auto padded(std::uint64_t more) {
  return [=](const IntTerm& i, const IntTerm& j, const IntTerm& w) {
    return row_major(i, j, w + more);
  };
}

std::uint64_t place_with_padding(std::uint64_t i, std::uint64_t j, const Values& values) {
  return row_major(i, j, values.at("w") + 1);
}

Theorem padded_rows() {
  return Theorem{
      .id = "K5.pitch.rows",
      .source = "CONV 7.6",
      .statement = "with rows w + 1 words apart the words of a row are in different banks",
      .domain = "all w"}
      .proof([](Query& q) {
        q.claim("different banks", words_of_row(q, padded(1)).in_different_banks());
      })
      .false_twin([](Query& q) {
        // The access is to every second column.
        const auto twice = [](const IntTerm& i, const IntTerm& j, const IntTerm& w) {
          return padded(1)(i, j + j, w);
        };
        q.claim("different banks", words_of_row(q, twice).in_different_banks());
      })
      .replay(replay_row(place_with_padding));
}

Theorem padded_columns() {
  return Theorem{
      .id = "K5.pitch.columns",
      .source = "CONV 7.6",
      .statement = "with rows w + 1 words apart the words of a column are in different banks",
      .domain = "all w"}
      .proof([](Query& q) {
        const TwoWords words = words_of_column(q, padded(1));
        const auto hint = [&](const IntTerm& place, const IntTerm& row) {
          q.compare_multiples(words.w, place / words.w, row + (place - row * words.w) / words.w);
        };
        hint(words.one, words.i);
        hint(words.other, words.other_i);
        q.claim("different banks", words.in_different_banks());
      })
      .false_twin([](Query& q) {
        q.claim("different banks", words_of_column(q, padded(2)).in_different_banks());
      })
      .replay(replay_column(place_with_padding));
}

Theorem padded_injection() {
  return Theorem{.id = "K5.pitch.injection",
                 .source = "CONV 7.6",
                 .statement =
                     "with rows w + 1 words apart different words of w rows of up to w + 1 columns "
                     "are in different places, below w(w + 1)",
                 .domain = "all w"}
      .proof([](Query& q) {
        const IntTerm w = width(q);
        const IntTerm pitch = w + 1;
        const TwoWords words = words_of_tile(q, w, pitch, {.j = 3, .other_i = 1}, padded(1));
        q.multiply_by({pitch});
        q.compare_multiples(pitch, words.i, words.other_i);
        q.claim("in w rows", words.one < w * pitch);
        q.claim("different places", words.one != words.other);
      })
      .false_twin([](Query& q) {
        // The tile has w + 2 columns, one more than the pitch.
        const IntTerm w = width(q);
        const TwoWords words = words_of_tile(q, w, w + 2, {.j = 5, .other_i = 1}, padded(1));
        q.claim("different places", words.one != words.other);
      });
}

/// In a tile of pitch s, two words of a column are the words of two lanes in an access of stride s.
Theorem coprime_pitch() {
  return Theorem{.id = "K5.pitch.coprime",
                 .source = "bankproof",
                 .statement =
                     "with rows s words apart the words of a column are in different banks if s "
                     "and w have no common divisor",
                 .domain = "all w and s ≥ 1"}
      .proof([](Query& q) {
        const StridedLanes lanes(q, {.s = 3, .one = 0, .other = 2});
        q.assume(lanes.divisor.g == 1);
        const IntTerm periods = lanes.periods();
        q.multiply_equals(periods, lanes.w, lanes.divisor.of_b);
        q.multiply_equals(lanes.divisor.of_b, lanes.divisor.g, 1);
        q.claim("w/g is w", lanes.w == lanes.divisor.of_b);
        q.suppose(!lanes.in_different_banks(),
                  [&] { return lanes.distance() == lanes.divisor.of_b * periods; });
        q.compare_multiples(lanes.w, periods, 0);
        q.claim("different banks", lanes.in_different_banks());
      })
      .false_twin([](Query& q) {
        const StridedLanes lanes(q, {.s = 6, .one = 0, .other = 2});
        q.claim("different banks", lanes.in_different_banks());
      })
      .replay(replay_stride);
}

Theorem common_pitch() {
  return Theorem{.id = "K5.pitch.common",
                 .source = "bankproof",
                 .statement =
                     "with rows s words apart, and s and w with a common divisor g > 1, the words "
                     "of rows 0 and w/g of a column are in one bank",
                 .domain = "all w and s ≥ 1"}
      .proof([](Query& q) {
        const StridedAccess access(q, 6);
        q.assume(access.divisor.g > 1);
        const auto& [query, w, s, first, divisor] = access;
        q.compare_multiples(divisor.of_b, 1, divisor.g);
        q.multiply_equals(divisor.of_b, s, divisor.g * divisor.of_a);
        q.multiply_equals(divisor.of_a, w, divisor.g * divisor.of_b);
        q.claim("a row of the tile", divisor.of_b < w);
        q.claim("a multiple of w", divisor.of_b * s == w * divisor.of_a);
        q.compare_multiples(w, access.word(divisor.of_b) / w, first / w + divisor.of_a);
        q.compare_multiples(w, 0, divisor.of_a);
        q.claim("different words", access.word(divisor.of_b) != first);
        q.claim("one bank", access.word(divisor.of_b) % w == first % w);
      })
      .false_twin([](Query& q) {
        // The other word is in row w/g − 1.
        const StridedAccess access(q, 6);
        q.assume(access.divisor.g > 1);
        q.claim("one bank",
                access.word(access.divisor.of_b - 1) % access.w == access.first % access.w);
      });
}

}  // namespace

std::vector<Theorem> theorems_on_pitches() {
  return {padded_rows(), padded_columns(), padded_injection(), coprime_pitch(), common_pitch()};
}

}  // namespace bankproof::proofs
