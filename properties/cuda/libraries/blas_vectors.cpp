// Level 1 and 2 of cuBLAS against plain loops: vectors with increments of either sign, and matrices
// in all the forms in which they are stored.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "blas_support.hpp"

namespace bankproof::cuda::tests {
namespace {

/// A vector in memory: element k lies at index(k).
struct Spread {
  int size = 0;
  int increment = 1;
  std::vector<Z> memory;

  Spread(Draw& draw, int n) : size(n), increment(draw.one_of({1, 2, 3, -1, -2})) {
    memory = draw.numbers<Z>(std::max(1, n * std::abs(increment)));
  }
  std::size_t index(int k) const {
    return at(increment > 0 ? k * increment : (size - 1 - k) * -increment);
  }
  Z& operator[](int k) { return memory[index(k)]; }
  const Z& operator[](int k) const { return memory[index(k)]; }
};

RC_GTEST_PROP(BlasVectors, level_1_is_as_plain_loops, (unsigned seed)) {
  Draw draw(seed);
  const Blas blas;
  const int n = draw.below(8);
  Spread x(draw, n);
  Spread y(draw, n);
  const Z alpha = draw.number<Z>();
  auto on_x = on_device(x.memory);
  auto on_y = on_device(y.memory);
  cuDoubleComplex dotu{};
  cuDoubleComplex dotc{};
  RC_ASSERT(cublasZdotu(blas, n, named(on_x.data()), x.increment, named(on_y.data()), y.increment,
                        &dotu) == 0);
  RC_ASSERT(cublasZdotc(blas, n, named(on_x.data()), x.increment, named(on_y.data()), y.increment,
                        &dotc) == 0);
  RC_ASSERT(cublasZaxpy(blas, n, named(&alpha), named(on_x.data()), x.increment, named(on_y.data()),
                        y.increment) == 0);
  Z plain = 0;
  Z conjugate = 0;
  for (int k = 0; k < n; ++k) {
    plain += x[k] * y[k];
    conjugate += std::conj(x[k]) * y[k];
    y[k] += alpha * x[k];
  }
  RC_ASSERT(Z(dotu.x, dotu.y) == plain);
  RC_ASSERT(Z(dotc.x, dotc.y) == conjugate);
  RC_ASSERT(on_y.values() == y.memory);
  RC_ASSERT(
      cublasZswap(blas, n, named(on_x.data()), x.increment, named(on_y.data()), y.increment) == 0);
  for (int k = 0; k < n; ++k) std::swap(x[k], y[k]);
  RC_ASSERT(on_x.values() == x.memory);
  RC_ASSERT(on_y.values() == y.memory);
  RC_ASSERT(
      cublasZcopy(blas, n, named(on_x.data()), x.increment, named(on_y.data()), y.increment) == 0);
  for (int k = 0; k < n; ++k) y[k] = x[k];
  RC_ASSERT(on_y.values() == y.memory);
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(BlasVectors, sums_and_extremes_are_as_plain_loops, (unsigned seed)) {
  Draw draw(seed);
  const Blas blas;
  const int n = draw.below(8);
  Spread x(draw, n);
  x.increment = std::abs(x.increment);
  auto on_x = on_device(x.memory);
  double sum = -1;
  double norm = -1;
  int greatest = -1;
  int least = -1;
  RC_ASSERT(cublasDzasum(blas, n, named(on_x.data()), x.increment, &sum) == 0);
  RC_ASSERT(cublasDznrm2(blas, n, named(on_x.data()), x.increment, &norm) == 0);
  RC_ASSERT(cublasIzamax(blas, n, named(on_x.data()), x.increment, &greatest) == 0);
  RC_ASSERT(cublasIzamin(blas, n, named(on_x.data()), x.increment, &least) == 0);
  double sizes = 0;
  double squares = 0;
  int most = 0;
  int fewest = 0;
  const auto size = [&](int k) { return std::abs(x[k].real()) + std::abs(x[k].imag()); };
  for (int k = 0; k < n; ++k) {
    sizes += size(k);
    squares += std::norm(x[k]);
    if (most == 0 || size(k) > size(most - 1)) most = k + 1;
    if (fewest == 0 || size(k) < size(fewest - 1)) fewest = k + 1;
  }
  RC_ASSERT(sum == sizes);
  RC_ASSERT(norm == std::sqrt(squares));
  RC_ASSERT(greatest == most);
  RC_ASSERT(least == fewest);
  const double factor = 3;
  RC_ASSERT(cublasZdscal(blas, n, &factor, named(on_x.data()), x.increment) == 0);
  for (int k = 0; k < n; ++k) x[k] *= factor;
  RC_ASSERT(on_x.values() == x.memory);
}

TEST(BlasVectors, rotations_turn_the_second_number_to_zero) {
  const Blas blas;
  double a = 3;
  double b = 4;
  double c = 0;
  double s = 0;
  EXPECT_EQ(cublasDrotg(blas, &a, &b, &c, &s), 0);
  EXPECT_DOUBLE_EQ(a, 5);
  EXPECT_DOUBLE_EQ(c, 0.6);
  EXPECT_DOUBLE_EQ(s, 0.8);
  auto x = on_device(std::vector<double>{3, 1});
  auto y = on_device(std::vector<double>{4, -1});
  EXPECT_EQ(cublasDrot(blas, 2, x.data(), 1, y.data(), 1, &c, &s), 0);
  EXPECT_NEAR(x.values()[0], 5, 1e-12);
  EXPECT_NEAR(y.values()[0], 0, 1e-12);
  EXPECT_NEAR(y.values()[1], -1.4, 1e-12);
  // A modified rotation: √d1 · x1 and √d2 · y1 become another number and 0.
  for (const double first : {1.0, 3.0}) {
    double d1 = 2;
    double d2 = 5;
    double x1 = first;
    const double y1 = 2;
    double h[5] = {};
    EXPECT_EQ(cublasDrotmg(blas, &d1, &d2, &x1, &y1, h), 0);
    auto u = on_device(std::vector<double>{first});
    auto v = on_device(std::vector<double>{y1});
    EXPECT_EQ(cublasDrotm(blas, 1, u.data(), 1, v.data(), 1, h), 0);
    EXPECT_NEAR(u.values()[0], x1, 1e-12);
    EXPECT_NEAR(v.values()[0], 0, 1e-12);
    EXPECT_NEAR(d1 * x1 * x1, 2 * first * first + 5 * y1 * y1, 1e-9);
  }
}

/// How a matrix is stored: element (i, j) at index(i, j), or nowhere: −1.
struct Storage {
  enum { full, band, packed } form = full;
  int n = 0;
  int leading = 0;
  int below = 0;
  int above = 0;

  int index(int i, int j) const {
    if (i < 0 || j < 0 || i >= n || j >= n || i - j > below || j - i > above) return -1;
    if (form == full) return j * leading + i;
    if (form == band) return j * leading + above + i - j;
    int before = 0;  // elements of earlier columns
    for (int c = 0; c < j; ++c) before += above > 0 || n == 1 ? c + 1 : n - c;
    return before + (above > 0 || n == 1 ? i : i - j);
  }
};

/// A triangle, full, in a band or packed.
struct Triangle {
  Storage stored;
  bool upper = false;
  int diagonals = 0;
  cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER;
  std::vector<Z> memory;

  Triangle(Draw& draw, int n, decltype(Storage::full) form) : upper(draw.flip()) {
    diagonals = form == Storage::band ? draw.below(std::max(1, n)) : std::max(n - 1, 0);
    stored = {form, n, 0, upper ? 0 : diagonals, upper ? diagonals : 0};
    stored.leading = (form == Storage::band ? diagonals + 1 : std::max(1, n)) + draw.below(3);
    uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    memory = draw.numbers<Z>(std::max(1, stored.leading * n));
    for (int j = 0; j < n; ++j) (*this)(j, j) = draw.one_of({Z(1), Z(-1), Z(0, 1)});
  }
  Z& operator()(int i, int j) { return memory[at(stored.index(i, j))]; }
  Z get(int i, int j) const {
    const int index = stored.index(i, j);
    return index < 0 ? Z(0) : memory[at(index)];
  }
  /// The element of the triangle, with ones on its diagonal if `unit`.
  Z triangular(int i, int j, bool unit) const { return unit && i == j ? Z(1) : get(i, j); }
  Z symmetric(int i, int j, bool hermitian) const {
    const bool stored_here = upper ? i <= j : i >= j;
    if (stored_here && i == j && hermitian) return get(i, j).real();
    return stored_here ? get(i, j) : conj_if(hermitian, get(j, i));
  }
};

constexpr auto forms = {Storage::full, Storage::band, Storage::packed};

RC_GTEST_PROP(BlasVectors, triangles_multiply_and_are_solved, (unsigned seed)) {
  Draw draw(seed);
  const Blas blas;
  const int n = draw.below(6);
  const auto form = draw.one_of(forms);
  const Triangle a(draw, n, form);
  const auto op = draw.one_of({CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C});
  const auto diag = draw.one_of({CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT});
  const Spread x(draw, n);
  const auto on_a = on_device(a.memory);
  auto on_x = on_device(x.memory);
  const auto* const p = named(on_a.data());
  auto* const v = named(on_x.data());
  const int k = a.diagonals;
  const int lda = a.stored.leading;
  const auto call = [&](bool solves) {
    if (form == Storage::full)
      return (solves ? cublasZtrsv : cublasZtrmv)(blas, a.uplo, op, diag, n, p, lda, v,
                                                  x.increment);
    if (form == Storage::band)
      return (solves ? cublasZtbsv : cublasZtbmv)(blas, a.uplo, op, diag, n, k, p, lda, v,
                                                  x.increment);
    return (solves ? cublasZtpsv : cublasZtpmv)(blas, a.uplo, op, diag, n, p, v, x.increment);
  };
  RC_ASSERT(call(false) == 0);
  Spread wanted = x;
  for (int i = 0; i < n; ++i) {
    Z sum = 0;
    for (int j = 0; j < n; ++j) {
      const bool unit = diag == CUBLAS_DIAG_UNIT;
      sum += x[j] * (op == CUBLAS_OP_N ? a.triangular(i, j, unit)
                                       : conj_if(op == CUBLAS_OP_C, a.triangular(j, i, unit)));
    }
    wanted[i] = sum;
  }
  RC_ASSERT(on_x.values() == wanted.memory);
  RC_ASSERT(call(true) == 0);  // gives the vector back
  RC_ASSERT(on_x.values() == x.memory);
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(BlasVectors, symmetric_matrices_multiply_and_are_updated, (unsigned seed)) {
  Draw draw(seed);
  const Blas blas;
  const int n = draw.below(6);
  const auto form = draw.one_of(forms);
  Triangle a(draw, n, form);
  const Spread x(draw, n);
  Spread y(draw, n);
  const Z alpha = draw.number<Z>();
  const Z beta = draw.number<Z>();
  auto on_a = on_device(a.memory);
  const auto on_x = on_device(x.memory);
  auto on_y = on_device(y.memory);
  auto* const p = named(on_a.data());
  const auto* const u = named(on_x.data());
  auto* const v = named(on_y.data());
  const int lda = a.stored.leading;
  const bool is_hermitian = form != Storage::full || draw.flip();
  const auto multiply = [&] {
    if (form == Storage::full)
      return (is_hermitian ? cublasZhemv : cublasZsymv)(blas, a.uplo, n, named(&alpha), p, lda, u,
                                                        x.increment, named(&beta), v, y.increment);
    if (form == Storage::band)
      return cublasZhbmv(blas, a.uplo, n, a.diagonals, named(&alpha), p, lda, u, x.increment,
                         named(&beta), v, y.increment);
    return cublasZhpmv(blas, a.uplo, n, named(&alpha), p, u, x.increment, named(&beta), v,
                       y.increment);
  };
  RC_ASSERT(multiply() == 0);
  Spread sums = y;
  for (int i = 0; i < n; ++i) {
    Z sum = 0;
    for (int j = 0; j < n; ++j) sum += a.symmetric(i, j, is_hermitian) * x[j];
    sums[i] = alpha * sum + beta * y[i];
  }
  RC_ASSERT(on_y.values() == sums.memory);
  if (form == Storage::band) return;
  const auto update = [&] {
    if (form == Storage::packed)
      return cublasZhpr2(blas, a.uplo, n, named(&alpha), u, x.increment, v, y.increment, p);
    return (is_hermitian ? cublasZher2 : cublasZsyr2)(blas, a.uplo, n, named(&alpha), u,
                                                      x.increment, v, y.increment, p, lda);
  };
  RC_ASSERT(update() == 0);
  for (int j = 0; alpha != Z(0) && j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (a.stored.index(i, j) < 0) continue;
      Z& one = a(i, j);
      const auto turned = [&](Z z) { return conj_if(is_hermitian, z); };
      one += alpha * x[i] * turned(sums[j]) + turned(alpha) * sums[i] * turned(x[j]);
      if (is_hermitian && i == j) one = one.real();
    }
  }
  RC_ASSERT(on_a.values() == a.memory);
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(BlasVectors, general_matrices_multiply_and_are_updated, (unsigned seed)) {
  Draw draw(seed);
  const Blas blas;
  const int m = draw.between(1, 6);
  const int n = draw.between(1, 6);
  const auto op = draw.one_of({CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C});
  const int lda = m + draw.below(3);
  auto a = draw.numbers<Z>(lda * n);
  const Spread x(draw, op == CUBLAS_OP_N ? n : m);
  Spread y(draw, op == CUBLAS_OP_N ? m : n);
  const Z alpha = draw.number<Z>();
  const Z beta = draw.number<Z>();
  auto on_a = on_device(a);
  const auto on_x = on_device(x.memory);
  auto on_y = on_device(y.memory);
  RC_ASSERT(cublasZgemv(blas, op, m, n, named(&alpha), named(on_a.data()), lda, named(on_x.data()),
                        x.increment, named(&beta), named(on_y.data()), y.increment) == 0);
  for (int i = 0; i < y.size; ++i) {
    Z sum = 0;
    for (int j = 0; j < x.size; ++j) sum += element(a, lda, op, i, j) * x[j];
    y[i] = alpha * sum + beta * y[i];
  }
  RC_ASSERT(on_y.values() == y.memory);
  if (op != CUBLAS_OP_N) return;
  RC_ASSERT(cublasZgerc(blas, m, n, named(&alpha), named(on_y.data()), y.increment,
                        named(on_x.data()), x.increment, named(on_a.data()), lda) == 0);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) a[at(j * lda + i)] += alpha * y[i] * std::conj(x[j]);
  }
  RC_ASSERT(on_a.values() == a);
  // A band: of each column, rows near the diagonal.
  const int kl = draw.below(m);
  const int ku = draw.below(n);
  const int ldb = kl + ku + 1 + draw.below(2);
  const auto band = draw.numbers<Z>(ldb * n);
  const auto on_band = on_device(band);
  RC_ASSERT(cublasZgbmv(blas, op, m, n, kl, ku, named(&alpha), named(on_band.data()), ldb,
                        named(on_x.data()), x.increment, named(&beta), named(on_y.data()),
                        y.increment) == 0);
  for (int i = 0; i < m; ++i) {
    Z sum = 0;
    for (int j = std::max(0, i - kl); j < std::min(n, i + ku + 1); ++j) {
      sum += band[at(j * ldb + ku + i - j)] * x[j];
    }
    y[i] = alpha * sum + beta * y[i];
  }
  RC_ASSERT(on_y.values() == y.memory);
  RC_ASSERT(take_findings().empty());
}

}  // namespace
}  // namespace bankproof::cuda::tests
