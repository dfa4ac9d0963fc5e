// Index computations of the convolutions with ghost cells, for lines and planes.
#include "../../../algorithms/tiled_convolution/line.hpp"
#include "../lists.hpp"
#include "../words/index.hpp"

namespace bankproof::proofs {
namespace {

constexpr const char* lines = "n + 2v + t ≤ 2^32 + 1, n < 2^32; v and t ≤ 2^30";

/// The indices of an element of a line that a thread computes, and of the elements that the thread
/// reads for it.
struct LineIndex {
  Word length;
  Word v;
  Word t;
  Word block;
  Word thread;

  LineIndex(Query& q, More more)
      : length(size(q, "n", Word::end - 2 + more)),
        v(radius(q)),
        t(side(q, "t", 1)),
        block(0),
        thread(0) {
    limit(q, length.value() + v.value() + v.value() + t.value(), Word::end + 1 + more);
    limit(q, length.value(), Word::end - 1);
    thread = index(q, "thread", t);
    const Word blocks = ceil_div(length, t);
    block = index(q, "block", blocks, Word::end - 3 + more);
    in_rows(q, block, blocks, t);
    const Word i = row_major(block, thread, t);
    wraps_beyond(i + index(q, "j", 2 * v + 1, 2), v, length);
  }
};

void of_lines(Query& q, More more) {
  const auto [length, v, t, block, thread] = LineIndex(q, more);
  thread + index(q, "term", 2 * v + 1, 2);
  // Computes the block's own cells, and the cells to the left and to the right of them.
  q.word_checks().part([&, &v = v, &t = t, &thread = thread] {
    const Word turns = ceil_div(v, t);
    const Word turn = index(q, "turn", turns);
    in_rows(q, turn, turns, t);
    wraps_beyond(v + thread, (turn + 1) * t, v);
    right_cell(v, t, turn, thread);
  });
  const Word k = index(q, "k", t + 2 * v);
  wraps_beyond(block * t + k, v, length);
}

void of_lines_without_halo(Query& q, More more) {
  const auto [length, v, t, block, thread] = LineIndex(q, more);
  // Computes the cell of an existing element. If the element belongs to another block, the result
  // is beyond the cells of this block.
  wraps_beyond(index(q, "element", length), block * t, t);
}

void of_planes(Query& q, More more) {
  const WordMatrix n(q, more);
  const auto& [rows, pitch] = n;
  const Word columns = side(q, "image_columns", 65537 - more);
  const Word channels = side(q, "channels", 1);
  q.assume(columns.value() * channels.value() <= pitch.value());
  q.compare_multiples(columns.value(), 1, channels.value());
  q.compare_multiples(rows.value(), columns.value(), pitch.value());
  const Word v = radius(q);
  const Word t = side(q, "t", 1);
  const Word loaded = t + 2 * v;
  q.compare_multiples(channels.value(), 0, loaded.value());
  limit_matrix(q, channels, loaded, 0);
  const Word all_rows = channels * loaded;
  limit_matrix(q, all_rows, loaded, 0);
  q.compare_multiples(loaded.value(), 1, channels.value());
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
  const Threads threads(q);
  q.word_checks().part([&, &top = top, &left = left] {
    const auto [i, j] = Swept(q, loaded, loaded, threads, {.of = "_of_loaded"});
    pixel_in_tile(i, j);
    wraps_beyond(top + i, v, rows);
    wraps_beyond(left + j, v, columns);
  });
  const Word side = 2 * v + 1;
  // The squares of both lengths are at most the square of the loaded side.
  for (const Word& length : {t, side}) {
    in_rows(q, length, loaded, length);
    in_rows(q, length, loaded, loaded);
  }
  const Word s = index(q, "s", side);
  const Word u = index(q, "u", side);
  in_rows(q, s, side, side);
  row_major(s, u, side);
  const auto [i, j] = Swept(q, t, t, threads);
  pixel_in_tile(i + s, j + u);
  // The thread reads this term from the image.
  wraps_beyond(top + i + s, v, rows);
  wraps_beyond(left + j + u, v, columns);
}

}  // namespace

std::vector<Theorem> words_of_tiled_convolutions() {
  return {
      no_overflow("K3.words", "the convolutions of a line, basic or tiled,", lines, of_lines),
      no_overflow("K4.words", "the convolution of a line that reads its halo from global memory",
                  lines, of_lines_without_halo),
      no_overflow("K5.words", "the tiled convolution of a plane",
                  "rows of whole pixels in a pitch, fewer than 2^32 words in all, fewer than 2^32 "
                  "words of pixels for a tile; sides, v, p and w ≤ 2^30",
                  of_planes)};
}

}  // namespace bankproof::proofs
