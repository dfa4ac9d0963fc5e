// Index computations of convolutions of images.
#include "../../../algorithms/image_convolution.hpp"
#include "../lists.hpp"
#include "../words/index.hpp"

namespace bankproof::proofs {
namespace {

/// Computes the word of the pixel that term (s, t) reads for pixel (i, j).
void pixel_of_term(Query& q, const ConvolvingOf<Word>& image, const Word& i, const Word& j) {
  const Word side = image.side();
  const Word s = index(q, "s", side, 1);
  const Word t = index(q, "u", side, 1);
  in_rows(q, s, side, side);
  row_major(s, t, side);
  wraps_beyond(i + s, image.v, image.rows);
  wraps_beyond(j + t, image.v, image.columns);
  guard(is_within(i + s, image.v, image.rows) && is_within(j + t, image.v, image.columns));
  const Word y = i + s - image.v;
  const Word x = j + t - image.v;
  in_rows(q, y, image.rows, image.columns);
  row_major(y, x, image.columns);
}

/// The radius of a kernel that has fewer than 2^32 words.
Word radius_of_kernel(Query& q) {
  Word v = radius(q);
  const Word words_of_row = ConvolvingOf<Word>{0, 0, v}.side();
  limit_matrix(q, words_of_row, words_of_row, 0);
  return v;
}

void of_images(Query& q, More more) {
  const WordMatrix c(q, more);
  const ConvolvingOf<Word> image{c.rows, c.columns, radius_of_kernel(q)};
  const auto [i, j] = Swept(q, c.rows, c.columns, Threads(q));
  in_rows(q, i, c.rows, c.columns);
  row_major(i, j, c.columns);
  pixel_of_term(q, image, i, j);
}

void of_images_by_tiles(Query& q, More more) {
  const WordMatrix c(q, more);
  const Word v = radius_of_kernel(q);
  const Threads threads(q);
  const Word& w = threads.w;
  const Word side = w + 2 * v;  // side of the window
  limit_matrix(q, side, side, 0);
  q.compare_multiples(side.value(), w.value(), side.value());
  q.compare_multiples(w.value(), w.value(), side.value());
  const ConvolvingOf<Word> image{c.rows, c.columns, v};
  const Word kernel = image.side() * image.side();
  limit(q, kernel.value() + threads.p.value(), Word::end);
  item_of_thread(q, kernel, threads.p);
  const auto [top, left] = corner_of_block(q, c.rows, c.columns, w);
  q.word_checks().part([&, &top = top, &left = left] {
    const auto [i, j] = Swept(q, side, side, threads, {.turn = 4, .of = "_of_window"});
    in_rows(q, i, side, side);
    row_major(i, j, side);
    word_of_window(q, {c.rows, c.columns, top, left, v, v}, i, j);
  });
  const auto [i, j] = Swept(q, w, w, threads);
  const Word s = index(q, "s", image.side());
  const Word t = index(q, "u", image.side());
  in_rows(q, s, image.side(), image.side());
  row_major(s, t, image.side());
  in_rows(q, i + s, side, side);
  row_major(i + s, j + t, side);
  in_rows(q, i, w, w);
  row_major(i, j, w);
  word_of_window(q, {c.rows, c.columns, top, left}, i, j);
}

}  // namespace

std::vector<Theorem> words_of_image_convolutions() {
  return {
      no_overflow("I1.words", "CONV-DMM",
                  "images and kernels of fewer than 2^32 words; sides, p and w ≤ 2^30", of_images),
      no_overflow("I2.words", "CONV-HMM",
                  "images and windows of fewer than 2^32 words, a kernel's and p, at most 2^32 in "
                  "all; sides, p and w ≤ 2^30",
                  of_images_by_tiles)};
}

}  // namespace bankproof::proofs
