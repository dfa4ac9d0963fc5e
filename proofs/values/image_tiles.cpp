// Tiles of images and matrices (rows I2, K5, K10 and H3), for every size, mask and tile: the
// threads of a block sweep them, load what the tile needs, and read what was loaded.
#include "../../algorithms/image_convolution.hpp"
#include "../../algorithms/layout.hpp"
#include "../../algorithms/tiled_convolution/plane.hpp"
#include "../../algorithms/transpose.hpp"
#include "../parameters.hpp"
#include "values.hpp"

namespace bankproof::proofs {
namespace {

/// p threads that sweep a matrix, and the turn and thread that have element (i, j).
struct Sweeping {
  Query& q;
  SweepShape<IntTerm> shape;
  IntTerm threads;  ///< of a row
  IntTerm rows;     ///< at once
  IntTerm pieces;

  Sweeping(Query& query, const IntTerm& w)
      : q(query),
        shape{q.number("rows", 1, 5), q.number("columns", 1, 6), q.number("p", 1, 17), w},
        threads(shape.row_threads()),
        rows(shape.rows_at_once()),
        pieces(shape.pieces()) {
    q.prove("a row has threads", threads >= IntTerm(1) && threads <= shape.p);
    q.compare_multiples(threads, IntTerm(0), rows);
    q.prove("at least a row at once", rows >= IntTerm(1));
    q.compare_multiples(threads, IntTerm(0), shape.columns / threads);
    q.prove("at least a piece", pieces >= IntTerm(1));
  }
};

Theorem sweeps() {
  return {.id = "K5.sweep",
          .source = "bankproof, of OPT III and CONV 7.6",
          .statement =
              "when p threads sweep a matrix, each element has a turn and a thread that has it",
          .domain = "all sizes, p and w",
          .proof =
              [](Query& q) {
                const Sweeping of(q, width(q));
                const IntTerm i = below(q, "i", of.shape.rows, 3);
                const IntTerm j = below(q, "j", of.shape.columns, 5);
                const IntTerm round = i / of.rows;
                const IntTerm piece = j / of.threads;
                const IntTerm thread = row_major(i % of.rows, j % of.threads, of.threads);
                const IntTerm turn = row_major(round, piece, of.pieces);
                q.multiply_by({of.threads});
                q.compare_multiples(of.threads, piece, of.pieces);
                q.prove("a piece that there is", piece < of.pieces);
                q.compare_multiples(of.threads, i % of.rows + IntTerm(1), of.rows);
                q.prove("a thread that there is",
                        thread < of.rows * of.threads && of.rows * of.threads <= of.shape.p);
                q.multiply_by({});
                q.compare_multiples(of.threads, thread / of.threads, i % of.rows);
                q.compare_multiples(of.pieces, turn / of.pieces, round);

                q.prove("turn and piece", turn / of.pieces == round && turn % of.pieces == piece &&
                                              thread / of.threads == i % of.rows &&
                                              thread % of.threads == j % of.threads);
                q.multiply_by({of.rows, of.threads});
                q.prove("the element", of.shape.row_of(turn, thread) == i &&
                                           of.shape.column_of(turn, thread) == j);
                const IntTerm rounds = ceil_div(of.shape.rows, of.rows);
                q.compare_multiples(of.rows, round, rounds);
                q.prove("a round that there is", round < rounds);
                q.multiply_by({});
                q.compare_multiples(of.pieces, round + IntTerm(1), rounds);
                q.prove("a turn that there is", turn < of.shape.turns());
              },
          .false_twin =
              [](Query& q) {
                // Without the last, incomplete piece of a row.
                const IntTerm j = q.number("j", 0, 5);
                q.prove("a piece that there is", j / IntTerm(4) < IntTerm(6) / IntTerm(4));
              }};
}

/// Pixel (i, j) of a t × t tile and a term (s, u) of a mask of radius v, in what the tile has
/// loaded; wrongly, of a tile that loads `fewer` pixels a side.
struct Pixel {
  IntTerm v;
  IntTerm t;
  IntTerm channels;
  IntTerm side;
  IntTerm channel;
  IntTerm i;
  IntTerm j;
  IntTerm s;
  IntTerm u;

  explicit Pixel(Query& q, std::uint64_t fewer = 0)
      : v(q.number("v", 0, 1)),
        t(q.number("t", 1, 3)),
        channels(q.number("channels", 1, 2)),
        side(t + IntTerm(2) * v - IntTerm(fewer)),
        channel(below(q, "channel", channels, 1)),
        i(below(q, "i", t, 2)),
        j(below(q, "j", t, 1)),
        s(below(q, "s", IntTerm(2) * v + IntTerm(1), 2)),
        u(below(q, "u", IntTerm(2) * v + IntTerm(1), 0)) {}
  IntTerm read() const { return row_major(row_major(channel, i + s, side), j + u, side); }
  Truth is_loaded() const { return i + s < side && j + u < side; }
};

Theorem pixels() {
  return {.id = "K5.loaded",
          .source = "CONV 7.6, figures 7.20 and 7.21, mended",
          .statement =
              "each word that a thread of the tiled kernel reads in shared memory is one of its "
              "channels "
              "× (t + 2v)² and was loaded, with the pixel that the mask wants",
          .domain = "all v, t, channels and tiles",
          .proof =
              [](Query& q) {
                const Pixel at(q);
                q.prove("loaded", at.is_loaded());
                q.multiply_by({at.side});
                const IntTerm one(1);
                q.compare_multiples(at.side, at.channel * at.side + at.i + at.s + one,
                                    at.channels * at.side);
                q.prove("a row that there is",
                        at.channel * at.side + at.i + at.s < at.channels * at.side);
                q.prove("in bounds", at.read() < at.channels * at.side * at.side);
                // The sweep's element (y, x) is pixel (top + y − v, left + x − v).
                const IntTerm y = q.number("y", 0, 4);
                const IntTerm x = q.number("x", 0, 1);
                const IntTerm of_channel = q.number("of_channel", 0, 1);
                q.assume(y < at.side && x < at.side);
                const IntTerm loaded = row_major(row_major(of_channel, y, at.side), x, at.side);
                q.compare_multiples(at.side, of_channel * at.side + y,
                                    at.channel * at.side + at.i + at.s);
                q.compare_multiples(at.side, of_channel, at.channel);
                q.prove("no other pixel is there",
                        implies(loaded == at.read(),
                                of_channel == at.channel && y == at.i + at.s && x == at.j + at.u));
              },
          .false_twin = [](Query& q) { q.prove("loaded", Pixel(q, 1).is_loaded()); }};
}

/// Element (y, x) of a window is that of the image that term (s, u) of pixel (i, j) wants, in
/// bounds; wrongly, the window begins at the tile.
Truth window_has_the_pixel(Query& q, bool with_halo) {
  const ConvolvingOf<IntTerm> image{q.number("rows", 1, 9), q.number("columns", 1, 9),
                                    q.number("v", 0, 1)};
  const IntTerm top = q.number("top", 0, 4);
  const IntTerm left = q.number("left", 0, 4);
  const IntTerm w = width(q);
  const IntTerm i = below(q, "i", w, 3);
  const IntTerm j = below(q, "j", w, 0);
  const IntTerm s = below(q, "s", image.side(), 2);
  const IntTerm t = below(q, "t", image.side(), 0);
  const IntTerm above = with_halo ? image.v : IntTerm(0);
  const WindowOf<IntTerm> window{image.rows, image.columns, top, left, above, above};
  const IntTerm side = w + IntTerm(2) * image.v;
  return i + s < side && j + t < side &&
         window.word(i + s, j + t) ==
             row_major(top + i + s - image.v, left + j + t - image.v, image.columns);
}

Theorem windows() {
  return {
      .id = "I2.loaded",
      .source = "OPT III, theorem 5",
      .statement =
          "the window that a block of CONV-HMM loads has, for each pixel of its tile and term of "
          "the kernel, the pixel of the image that they want",
      .domain = "all sizes, v and w",
      .proof = [](Query& q) { q.prove("the pixel", window_has_the_pixel(q, true)); },
      .false_twin = [](Query& q) { q.prove("the pixel", window_has_the_pixel(q, false)); }};
}

/// The word of a pixel of an image in rows `pitch` words apart; wrongly, a pitch that has room for
/// one channel.
Truth pitch_has_room(Query& q, bool for_channels) {
  const IntTerm rows = q.number("rows", 1, 3);
  const IntTerm columns = q.number("columns", 1, 5);
  const IntTerm channels = q.number("channels", 1, 3);
  const IntTerm pitch = q.number("pitch", 1, for_channels ? 16 : 8);
  q.assume(pitch >= (for_channels ? columns * channels : columns));
  const IntTerm y = below(q, "y", rows, 2);
  const IntTerm x = below(q, "x", columns, 4);
  const IntTerm channel = below(q, "channel", channels, 2);
  q.compare_multiples(pitch, y + IntTerm(1), rows);
  q.compare_multiples(channels, x + IntTerm(1), columns);
  return row_major(y, row_major(x, channel, channels), pitch) < rows * pitch;
}

Theorem pitch() {
  return {.id = "K5.bounds",
          .source = "CONV 7.6, figure 7.15",
          .statement =
              "in rows of at least columns × channels words every pixel's channels are inside the "
              "array",
          .domain = "all sizes, channels and pitches",
          .proof = [](Query& q) { q.prove("in bounds", pitch_has_room(q, true)); },
          .false_twin = [](Query& q) { q.prove("in bounds", pitch_has_room(q, false)); }};
}

/// The row of N that the tile holds for output row `row` and mask row i, with Mask_Width/2 and
/// `more` (or `less`) as figure 7.19 and its text have it, and the one wanted.
Truth is_wanted(const IntTerm& row, const IntTerm& i, const IntTerm& v, std::uint64_t more,
                std::uint64_t less) {
  const IntTerm mask = IntTerm(2) * v + IntTerm(1);
  const IntTerm row_i = row - mask / IntTerm(2) + IntTerm(more) - IntTerm(less);
  return row_i + i == row + i - v;
}

Theorem printed_rows() {
  return {
      .id = "K5.printed",
      .source = "CONV figure 7.19, refuted",
      .statement =
          "row_o − Mask_Width/2 is the first row that an odd mask wants; row_o − Mask_Width/2 + "
          "1, as printed, and row_o − (Mask_Width/2 + 1), as the text has it, never are",
      .domain = "all odd masks, tiles and rows",
      .proof =
          [](Query& q) {
            const IntTerm v = q.number("v", 0, 2);
            const IntTerm row = q.number("row", 0, 5);
            const IntTerm i = below(q, "i", IntTerm(2) * v + IntTerm(1), 1);
            q.prove("mended", is_wanted(row, i, v, 0, 0));
            q.prove("not as printed", !is_wanted(row, i, v, 1, 0));
            q.prove("nor as in the text", !is_wanted(row, i, v, 0, 1));
          },
      .false_twin =
          [](Query& q) {
            const IntTerm row = q.number("row", 0, 5);
            q.prove("as printed", is_wanted(row, IntTerm(1), IntTerm(2), 1, 0));
          }};
}

/// Element (y, x) of a matrix, and its way through the tile of its block; wrongly, the tile is
/// written to where it was.
Truth is_transposed(Query& q, bool to_its_place) {
  const TransposingOf<IntTerm> matrix{q.number("rows", 1, 10), q.number("columns", 1, 11),
                                      width(q)};
  const IntTerm& w = matrix.w;
  const IntTerm y = below(q, "y", matrix.rows, 9);
  const IntTerm x = below(q, "x", matrix.columns, 2);
  const IntTerm across = matrix.tiles_across();
  q.compare_multiples(w, x / w, across);
  q.prove("a tile of the row", x / w < across);
  const IntTerm block = row_major(y / w, x / w, across);
  q.compare_multiples(across, block / across, y / w);
  q.compare_multiples(w, block % across, x / w);
  q.compare_multiples(w, block / across, y / w);
  const WindowOf<IntTerm> from = matrix.from(block);
  const WindowOf<IntTerm> to = to_its_place ? matrix.to(block) : from;
  const IntTerm i = y % w;
  const IntTerm j = x % w;
  q.prove("its tile", block / across == y / w && block % across == x / w);
  q.prove("its place in the tile", from.top + i == y && from.left + j == x);
  q.multiply_by({matrix.columns, matrix.rows});
  // Thread (j, i) reads what thread (i, j) wrote: diagonal_column is diagonal of (i, j).
  return from.word(i, j) == row_major(y, x, matrix.columns) &&
         to.word(j, i) == row_major(x, y, matrix.rows);
}

Theorem transposes() {
  return {
      .id = "H3.value",
      .source = "THS 5.3",
      .statement =
          "each element of a matrix has a block whose tile takes it from row-major place (y, x) "
          "to (x, y) of the transpose",
      .domain = "all sizes and w",
      .proof = [](Query& q) { q.prove("transposed", is_transposed(q, true)); },
      .false_twin =
          [](Query& q) {
            const TransposingOf<IntTerm> matrix{IntTerm(10), IntTerm(11), IntTerm(4)};
            const IntTerm i = q.number("i", 0, 1);
            const IntTerm j = q.number("j", 0, 2);
            const IntTerm block(7);
            q.prove("transposed", matrix.from(block).word(j, i) ==
                                      row_major(IntTerm(4) + j, IntTerm(8) + i, IntTerm(10)));
          }};
}

}  // namespace

std::vector<Theorem> theorems_on_image_tiles() {
  return {sweeps(), pixels(), windows(), pitch(), printed_rows(), transposes()};
}

}  // namespace bankproof::proofs
