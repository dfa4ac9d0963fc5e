// Index computations of convolutions: of vectors, of images, and in tiles.
#include "../../algorithms/convolution.hpp"
#include "../../algorithms/image_convolution.hpp"
#include "index.hpp"
#include "words.hpp"

namespace bankproof::proofs {
namespace {

constexpr std::uint64_t end = Word::end;

/// Terms of z[i] and the partial sums, of n numbers in `pieces` pieces of m terms.
void convolve(Query& q, const DirectConvolvingOf<Word>& size, const Threads& threads,
              std::uint64_t turn) {
  const auto& [n, m, pieces] = size;
  const Word pitch = rounded_up(n, threads.w);
  q.assume(pieces <= m);
  limit_matrix(q, pieces, pitch, 0);
  q.compare_multiples(pieces.value(), n.value(), pitch.value());
  const auto [piece, i] = Swept(q, pieces, n, threads, turn);
  const Word terms = size.terms();
  const Word t = index(q, "term", terms, 1);
  in_rows(q, piece, pieces, terms);
  // More than one term: fewer pieces than terms.
  q.compare_multiples(pieces.value(), terms.value(), IntTerm(2));
  q.multiply_equals(piece.value(), terms.value(), IntTerm(1));
  row_major(piece, t, terms);
  i + index(q, "place", m);  // of a term that there is
  in_rows(q, piece, pieces, pitch);
  row_major(piece, i, pitch);
  const Word distance = index(q, "distance", pieces - piece);
  in_rows(q, piece + distance, pieces, pitch);
  row_major(piece + distance, i, pitch);
}

Theorem on_one_memory() {
  return no_overflow(
      {.id = "D4.words",
       .statement = "no index of the direct convolution on one memory overflows a word of 32 bits",
       .domain =
           "n + m ≤ 2^32, m ≤ 2^31 + 1, fewer than 2^32 partial sums in whole rows; p, w ≤ 2^30",
       .compute = [](Query& q, More more) {
         const Word n = size(q, "n", 1);
         const Word m = size(q, "m", end / 2 + 1 + more);
         limit(q, n.value() + m.value(), end);
         limit(q, m.value(), end / 2 + 1 + more);
         const Word pieces = size(q, "pieces", end / 2 + more);
         convolve(q, {n, m, pieces}, Threads(q), end / 2 - 1 + more);
       }});
}

Theorem on_the_hmm() {
  return no_overflow(
      {.id = "D5.words",
       .statement = "no index of the direct convolution on the HMM overflows a word of 32 bits",
       .domain =
           "d shares and m numbers, fewer than 2^32 in all; fewer than 2^32 partial sums in whole "
           "rows; m ≤ 2^31, p, w ≤ 2^30",
       .compute = [](Query& q, More more) {
         const Word share = size(q, "share", end / 2);
         const Word m = size(q, "m", end / 2 - 1 + more);
         const Word d = size(q, "d", 1);
         limit(q, d.value() * share.value() + m.value(), end - 1 + more);
         limit(q, m.value(), end / 2);
         q.compare_multiples(share.value(), d.value(), IntTerm(1));
         q.compare_multiples(d.value(), share.value(), IntTerm(1));
         const Word block = index(q, "block", d);
         in_rows(q, block, d, share);
         const Word first = block * share;
         first + index(q, "i", share + m - 1);
         const Word pieces = size(q, "pieces", 1);
         convolve(q, {share, m, pieces}, Threads(q), 0);
       }});
}

/// A pixel that a term (s, t) takes from the image, beside pixel (i, j).
void pixel_of_term(Query& q, const ConvolvingOf<Word>& image, const Word& i, const Word& j) {
  const Word side = image.side();
  const Word s = index(q, "s", side, 1);
  const Word t = index(q, "u", side, 1);
  in_rows(q, s, side, side);
  row_major(s, t, side);
  wraps_beyond(i + s, image.v, image.rows);
  wraps_beyond(j + t, image.v, image.columns);
  q.assume(i + s >= image.v && j + t >= image.v);
  const Word y = i + s - image.v;
  const Word x = j + t - image.v;
  q.assume(y < image.rows && x < image.columns);
  in_rows(q, y, image.rows, image.columns);
  row_major(y, x, image.columns);
}

/// A kernel's radius, with fewer than 2^32 words.
Word radius(Query& q) {
  Word v = side(q, "v", 1);
  const Word words_of_row = ConvolvingOf<Word>{0, 0, v}.side();
  limit_matrix(q, words_of_row, words_of_row, 0);
  return v;
}

Theorem of_images() {
  return no_overflow(
      {.id = "I1.words",
       .statement = "no index of CONV-DMM overflows a word of 32 bits",
       .domain = "images and kernels of fewer than 2^32 words; sides, p and w ≤ 2^30",
       .compute = [](Query& q, More more) {
         const Matrix c(q, more);
         const ConvolvingOf<Word> image{c.rows, c.columns, radius(q)};
         const auto [i, j] = Swept(q, c.rows, c.columns, Threads(q));
         in_rows(q, i, c.rows, c.columns);
         row_major(i, j, c.columns);
         pixel_of_term(q, image, i, j);
       }});
}

Theorem of_images_by_tiles() {
  return no_overflow(
      {.id = "I2.words",
       .statement = "no index of CONV-HMM overflows a word of 32 bits",
       .domain = "images, kernels and windows of fewer than 2^32 words; sides, p and w ≤ 2^30",
       .compute = [](Query& q, More more) {
         const Matrix c(q, more);
         const Word v = radius(q);
         const Threads threads(q);
         const Word& w = threads.w;
         const Word side = w + 2 * v;  // of the window
         limit_matrix(q, side, side, 0);
         q.compare_multiples(side.value(), w.value(), side.value());
         q.compare_multiples(w.value(), w.value(), side.value());
         const auto [top, left] = corner_of_block(q, c.rows, c.columns, w);
         {
           const auto [i, j] = Swept(q, side, side, threads, 4);
           in_rows(q, i, side, side);
           row_major(i, j, side);
           word_of_window(q, {c.rows, c.columns, top, left, v, v}, i, j);
         }
         const auto [i, j] = Swept(q, w, w, threads);
         const ConvolvingOf<Word> image{c.rows, c.columns, v};
         const Word s = index(q, "s", image.side());
         const Word t = index(q, "u", image.side());
         in_rows(q, s, image.side(), image.side());
         row_major(s, t, image.side());
         in_rows(q, i + s, side, side);
         row_major(i + s, j + t, side);
         in_rows(q, i, w, w);
         row_major(i, j, w);
         word_of_window(q, {c.rows, c.columns, top, left}, i, j);
       }});
}

Theorem of_lines() {
  return no_overflow(
      {.id = "K3.words",
       .statement =
           "no index of the convolutions of a line, basic or tiled, overflows a word of 32 bits",
       .domain = "n + 2v + t ≤ 2^32 + 1; v and t ≤ 2^30",
       .compute = [](Query& q, More more) {
         const Word length = size(q, "n", end - 2 + more);
         const Word v = side(q, "v", 1);
         const Word t = side(q, "t", 1);
         limit(q, length.value() + v.value() + v.value() + t.value(), end + 1 + more);
         const Word blocks = ceil_div(length, t);
         const Word block = index(q, "block", blocks, end - 3 + more);
         in_rows(q, block, blocks, t);
         const Word thread = index(q, "thread", t);
         const Word i = row_major(block, thread, t);
         const Word j = index(q, "j", 2 * v + 1, 2);
         wraps_beyond(i + j, v, length);
         thread + j;
         // The cells on the left, those of the block, and those on the right.
         const Word turns = ceil_div(v, t);
         const Word turn = index(q, "turn", turns);
         in_rows(q, turn, turns, t);
         wraps_beyond(v + thread, (turn + 1) * t, v);
         v + t + turn* t + thread;
         const Word k = index(q, "k", t + 2 * v);
         wraps_beyond(block * t + k, v, length);
       }});
}

Theorem of_planes() {
  return no_overflow(
      {.id = "K5.words",
       .statement = "no index of the tiled convolution of a plane overflows a word of 32 bits",
       .domain =
           "rows of whole pixels in a pitch, fewer than 2^32 words in all, fewer than 2^32 words "
           "of pixels for a tile; sides, v, p and w ≤ 2^30",
       .compute = [](Query& q, More more) {
         const Matrix n(q, more);
         const auto& [rows, pitch] = n;
         const Word columns = side(q, "image_columns", 65537 - more);
         const Word channels = side(q, "channels", 1);
         q.assume(columns.value() * channels.value() <= pitch.value());
         q.compare_multiples(columns.value(), IntTerm(1), channels.value());
         q.compare_multiples(rows.value(), columns.value(), pitch.value());
         const Word v = side(q, "v", 1);
         const Word t = side(q, "t", 1);
         const Word loaded = t + 2 * v;
         q.compare_multiples(channels.value(), IntTerm(0), loaded.value());
         limit_matrix(q, channels, loaded, 0);
         const Word all_rows = channels * loaded;
         limit_matrix(q, all_rows, loaded, 0);
         q.compare_multiples(loaded.value(), IntTerm(1), channels.value());
         q.compare_multiples(loaded.value(), loaded.value(), all_rows.value());
         const auto [top, left] = corner_of_block(q, rows, columns, t);
         const Word channel = index(q, "channel", channels);
         in_rows(q, channel, channels, loaded);
         const auto pixel_in_tile = [&](const Word& i, const Word& j) {
           const Word row = row_major(channel, i, loaded);
           in_rows(q, row, all_rows, loaded);
           row_major(row, j, loaded);
         };
         const auto pixel = [&](const Word& y, const Word& x) {
           in_rows(q, y, rows, pitch);
           in_rows(q, x, columns, channels);
           row_major(x, row_major(y, channel, pitch), channels);
           row_major(y, row_major(x, channel, channels), pitch);
         };
         pixel(index(q, "y", rows), index(q, "x", columns));
         const auto [i, j] = Swept(q, loaded, loaded, Threads(q));
         pixel_in_tile(i, j);
         wraps_beyond(top + i, v, rows);
         wraps_beyond(left + j, v, columns);
         const Word s = index(q, "s", 2 * v + 1);
         const Word u = index(q, "u", 2 * v + 1);
         q.assume(i < t && j < t);
         pixel_in_tile(i + s, j + u);
       }});
}

}  // namespace

std::vector<Theorem> words_of_convolutions() {
  return {on_one_memory(),      on_the_hmm(), of_images(),
          of_images_by_tiles(), of_lines(),   of_planes()};
}

}  // namespace bankproof::proofs
