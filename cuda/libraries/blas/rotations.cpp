// Rotations of level 1: their construction, and modified rotations.
//
// C. L. Lawson, R. J. Hanson, D. R. Kincaid, F. T. Krogh, "Basic Linear Algebra Subprograms for
// Fortran Usage" (1979), defines them. With the host's pointer mode they are computed at once.
#include "exports.hpp"
#include "level1.hpp"

namespace bankproof::cuda::blas {
namespace {

/// Makes the second of two numbers 0; `b` becomes the number z from which c and s can be found.
template <class R>
void make_rotation(R& a, R& b, R& c, R& s) {
  const R sign = std::abs(a) > std::abs(b) ? a : b;
  if (a == 0 && b == 0) {
    c = 1;
    s = 0;
    return;
  }
  const R r = std::copysign(std::hypot(a, b), sign);
  c = a / r;
  s = b / r;
  const bool first = std::abs(a) > std::abs(b);
  b = first ? s : c != 0 ? 1 / c : R{1};
  a = r;
}
template <class R>
void make_rotation(std::complex<R>& a, std::complex<R>& b, R& c, std::complex<R>& s) {
  const R size = std::abs(a);
  if (size == 0) {
    c = 0;
    s = 1;
    a = b;
    return;
  }
  const R length = std::hypot(size, std::abs(b));
  const std::complex<R> direction = a / size;
  c = size / length;
  s = direction * std::conj(b) / length;
  a = direction * length;
}

/// The matrix H of a modified rotation, as its parameters store it: a flag, h11, h21, h12, h22.
template <class R>
struct Modified {
  R flag = -2, h11 = 0, h21 = 0, h12 = 0, h22 = 0;

  Modified whole() const {
    if (flag == -2) return {-1, 1, 0, 0, 1};
    if (flag == 0) return {-1, 1, h21, h12, 1};
    if (flag == 1) return {-1, h11, -1, 1, h22};
    return *this;
  }
};

template <class R>
struct ScaledPair {
  R d1 = 0, d2 = 0, x1 = 0, y1 = 0;
};

/// Brings |d| into the range in which its products neither overflow nor vanish.
template <class R>
void rescale(Modified<R>& h, R& d, R& first, R& second, R* x) {
  constexpr R step = 4096;
  constexpr R most = step * step;
  while (d != 0 && (std::abs(d) <= 1 / most || std::abs(d) >= most)) {
    h = h.whole();
    const bool is_small = std::abs(d) <= 1 / most;
    const R factor = is_small ? step : 1 / step;
    d *= factor * factor;
    if (x != nullptr) *x /= factor;
    first /= factor;
    second /= factor;
  }
}

/// Makes the second component of (√d1 · x1, √d2 · y1) 0.
template <class R>
Modified<R> make_modified(ScaledPair<R>& of) {
  const Modified<R> zeros{-1, 0, 0, 0, 0};
  const auto give_up = [&] {
    of.d1 = of.d2 = of.x1 = 0;
    return zeros;
  };
  if (of.d1 < 0) return give_up();
  const R p2 = of.d2 * of.y1;
  if (p2 == 0) return {};
  const R p1 = of.d1 * of.x1;
  const R q2 = p2 * of.y1;
  const R q1 = p1 * of.x1;
  Modified<R> h;
  if (std::abs(q1) > std::abs(q2)) {
    h = {0, 0, -of.y1 / of.x1, p2 / p1, 0};
    const R u = 1 - h.h12 * h.h21;
    if (u <= 0) return give_up();
    of.d1 /= u;
    of.d2 /= u;
    of.x1 *= u;
  } else {
    if (q2 < 0) return give_up();
    h = {1, p1 / p2, 0, 0, of.x1 / of.y1};
    const R u = 1 + h.h11 * h.h22;
    const R d1 = of.d1;
    of.d1 = of.d2 / u;
    of.d2 = d1 / u;
    of.x1 = of.y1 * u;
  }
  rescale(h, of.d1, h.h11, h.h12, &of.x1);
  rescale<R>(h, of.d2, h.h21, h.h22, nullptr);
  return h;
}

template <class V>
cublasStatus_t rotg(const char* name, cublasHandle_t handle, void* a, void* b, void* c, void* s) {
  return make_call(name, handle, [=](const Call& call) {
    require(a != nullptr && b != nullptr && c != nullptr && s != nullptr, "a pointer is null");
    V x{};
    V y{};
    Real<V> cosine{};
    V sine{};
    if (call.is_host_mode()) {
      x = call.read_from_host<V>("a", a);
      y = call.read_from_host<V>("b", b);
      make_rotation(x, y, cosine, sine);
      call.write_to_host("a", a, x);
      call.write_to_host("b", b, y);
      call.write_to_host("c", c, cosine);
      call.write_to_host("s", s, sine);
      return CUBLAS_STATUS_SUCCESS;
    }
    return call.perform([=](Operation& on) mutable {
      x = on.read_one<V>("a", a);
      y = on.read_one<V>("b", b);
      make_rotation(x, y, cosine, sine);
      on.write_one("a", a, x);
      on.write_one("b", b, y);
      on.write_one("c", c, cosine);
      on.write_one("s", s, sine);
    });
  });
}

template <class R>
cublasStatus_t rotmg(const char* name, cublasHandle_t handle, void* d1, void* d2, void* x1,
                     const void* y1, void* parameters) {
  return make_call(name, handle, [=](const Call& call) {
    require(
        d1 != nullptr && d2 != nullptr && x1 != nullptr && y1 != nullptr && parameters != nullptr,
        "a pointer is null");
    if (call.is_host_mode()) {
      ScaledPair<R> pair{call.read_from_host<R>("d1", d1), call.read_from_host<R>("d2", d2),
                         call.read_from_host<R>("x1", x1), call.read_from_host<R>("y1", y1)};
      const Modified<R> h = make_modified(pair);
      call.write_to_host("d1", d1, pair.d1);
      call.write_to_host("d2", d2, pair.d2);
      call.write_to_host("x1", x1, pair.x1);
      call.write_to_host("param", parameters, h);
      return CUBLAS_STATUS_SUCCESS;
    }
    return call.perform([=](Operation& on) {
      ScaledPair<R> pair{on.read_one<R>("d1", d1), on.read_one<R>("d2", d2),
                         on.read_one<R>("x1", x1), on.read_one<R>("y1", y1)};
      const Modified<R> h = make_modified(pair);
      on.write_one("d1", d1, pair.d1);
      on.write_one("d2", d2, pair.d2);
      on.write_one("x1", x1, pair.x1);
      on.write_one("param", parameters, h);
    });
  });
}

template <class R>
cublasStatus_t rotm(const char* name, cublasHandle_t handle, std::int64_t n, void* x,
                    std::int64_t incx, void* y, std::int64_t incy, const void* parameters) {
  return make_call(name, handle, [=](const Call& call) {
    const auto stored = call.scalar<Modified<R>>("param", parameters);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      const Modified<R> typed = stored.get(on);
      if (typed.flag == -2) return;
      const Modified<R> h = typed.whole();
      const VectorOf first = vector_of<R>("x", x, n, incx);
      const VectorOf second = vector_of<R>("y", y, n, incy);
      std::vector<R> a = get<R>(on, first);
      std::vector<R> b = get<R>(on, second);
      for (std::size_t k = 0; k < a.size(); ++k) {
        const R old = a[k];
        a[k] = h.h11 * old + h.h12 * b[k];
        b[k] = h.h21 * old + h.h22 * b[k];
      }
      put(on, first, std::move(a));
      put(on, second, std::move(b));
    });
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define M(L, T, R, V, E, I)                                                          \
  cublasStatus_t cublas##L##rotg_v2(cublasHandle_t handle, T* a, T* b, R* c, T* s) { \
    return rotg<V>("cublas" #L "rotg", handle, a, b, c, s);                          \
  }
BLAS_EACH_SHORT(M)
#undef M
#define M(L, T, R, V, E, I)                                                                   \
  cublasStatus_t cublas##L##rotmg_v2(cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1, \
                                     T* parameters) {                                         \
    return rotmg<V>("cublas" #L "rotmg", handle, d1, d2, x1, y1, parameters);                 \
  }
BLAS_REAL(M, , int)
#undef M
#define M(L, T, R, V, E, I)                                                                    \
  cublasStatus_t cublas##L##rotm_v2##E(cublasHandle_t handle, I n, T* x, I incx, T* y, I incy, \
                                       const T* parameters) {                                  \
    return rotm<V>("cublas" #L "rotm" #E, handle, n, x, incx, y, incy, parameters);            \
  }
BLAS_EACH_REAL(M)
#undef M
}
// NOLINTEND(bugprone-macro-parentheses)
