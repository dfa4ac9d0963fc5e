// Executes plans. Every transform is computed as one of complex numbers in double, with all its
// elements, and is rounded when it is stored; so a float result is nearer to the truth than a
// chip's.
#include "plan.hpp"

#include <numeric>

namespace bankproof::cuda::fft {
namespace {

/// The sizes of the input or output. If `is_half`, the last dimension is half as long.
std::vector<std::int64_t> sizes_of_side(const Plan& plan, bool is_half) {
  std::vector<std::int64_t> sizes = plan.sizes;
  if (is_half) sizes.back() = sizes.back() / 2 + 1;
  return sizes;
}

std::int64_t product_of(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

/// Dense elements; a row of the real side of a transform in place has the length of a complex one.
Layout dense_layout(const Plan& plan, bool is_real, bool is_half, bool in_place) {
  Layout layout{sizes_of_side(plan, is_half)};
  if (is_real && in_place) layout.sizes.back() = 2 * (plan.sizes.back() / 2 + 1);
  layout.distance = product_of(layout.sizes);
  return layout;
}

/// The elements of all transforms, in their order.
libraries::Segments segments_of(const Layout& layout, const std::vector<std::int64_t>& sizes,
                                std::int64_t batch, std::size_t element_bytes) {
  libraries::Segments segments;
  const std::int64_t row = sizes.back();
  const std::int64_t rows = product_of(sizes) / row;
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t r = 0; r < rows; ++r) {
      std::int64_t at = 0;  // of the row's first element
      if (sizes.size() == 2) at = r * layout.sizes[1];
      if (sizes.size() == 3) {
        at = (r / sizes[1] * layout.sizes[1] + r % sizes[1]) * layout.sizes[2];
      }
      const std::int64_t first = b * layout.distance + at * layout.stride;
      if (layout.stride == 1) {
        libraries::add_elements(segments, first, row, element_bytes);
        continue;
      }
      for (std::int64_t x = 0; x < row; ++x) {
        libraries::add_elements(segments, first + x * layout.stride, 1, element_bytes);
      }
    }
  }
  return segments;
}

template <class T>
std::vector<Number> read_as(libraries::Operation& on, const void* memory,
                            const libraries::Segments& segments) {
  const std::vector<T> values = on.read<T>("the input", memory, segments);
  return {values.begin(), values.end()};
}
template <class R>
std::vector<Number> read_side(libraries::Operation& on, const void* memory,
                              const libraries::Segments& segments, bool is_real) {
  return is_real ? read_as<R>(on, memory, segments)
                 : read_as<std::complex<R>>(on, memory, segments);
}
template <class R>
void write_side(libraries::Operation& on, void* memory, const libraries::Segments& segments,
                const std::vector<Number>& values, bool is_real) {
  if (is_real) {
    std::vector<R> real;
    real.reserve(values.size());
    for (const Number& value : values) real.push_back(static_cast<R>(value.real()));
    on.write("the output", memory, segments, real);
  } else {
    const std::vector<std::complex<R>> rounded(values.begin(), values.end());
    on.write("the output", memory, segments, rounded);
  }
}

/// Transforms along one dimension.
void transform_along(std::vector<Number>& values, const std::vector<std::int64_t>& sizes,
                     std::size_t dimension, int sign) {
  const auto size = static_cast<std::size_t>(sizes[dimension]);
  if (size == 1) return;
  std::size_t step = 1;
  for (std::size_t d = dimension + 1; d < sizes.size(); ++d) {
    step *= static_cast<std::size_t>(sizes[d]);
  }
  const Transform transform(size, sign);
  std::vector<Number> line(size);
  for (std::size_t block = 0; block < values.size(); block += step * size) {
    for (std::size_t offset = 0; offset < step; ++offset) {
      Number* const first = values.data() + block + offset;
      for (std::size_t k = 0; k < size; ++k) line[k] = first[k * step];
      transform.apply(line);
      for (std::size_t k = 0; k < size; ++k) first[k * step] = line[k];
    }
  }
}

/// Calls use(index in the whole, index in the half, whether it is in the half) for each element of
/// a transform. An element that is not in the half is the conjugate of its mirror image, which is.
template <class Use>
void with_half(const std::vector<std::int64_t>& sizes, const Use& use) {
  const std::int64_t row = sizes.back();
  const std::int64_t half = row / 2 + 1;
  const std::int64_t rows = product_of(sizes) / row;
  const std::int64_t inner = sizes.size() == 3 ? sizes[1] : sizes.size() == 2 ? sizes[0] : 1;
  const std::int64_t outer = rows / inner;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t mirror = (outer - r / inner) % outer * inner + (inner - r % inner) % inner;
    for (std::int64_t x = 0; x < row; ++x) {
      const bool is_in = x < half;
      use(static_cast<std::size_t>(r * row + x),
          static_cast<std::size_t>(is_in ? r * half + x : mirror * half + row - x), is_in);
    }
  }
}

std::vector<Number> completed_half(const std::vector<std::int64_t>& sizes, const Number* half) {
  std::vector<Number> whole(static_cast<std::size_t>(product_of(sizes)));
  with_half(sizes, [&](std::size_t index, std::size_t in_half, bool is_in) {
    whole[index] = is_in ? half[in_half] : std::conj(half[in_half]);
  });
  return whole;
}
void append_half(std::vector<Number>& to, const std::vector<std::int64_t>& sizes,
                 const std::vector<Number>& whole) {
  with_half(sizes, [&](std::size_t index, std::size_t, bool is_in) {
    if (is_in) to.push_back(whole[index]);
  });
}

template <class R>
void execute_as(libraries::Operation& on, const Plan& plan, const void* in, void* out, int sign) {
  const bool reads_half = plan.writes_real();
  const bool writes_half = plan.reads_real();
  const bool in_place = in == out;
  const Layout from =
      plan.has_layouts ? plan.in : dense_layout(plan, plan.reads_real(), reads_half, in_place);
  const Layout to =
      plan.has_layouts ? plan.out : dense_layout(plan, plan.writes_real(), writes_half, in_place);
  const auto bytes = [](bool is_real) { return is_real ? sizeof(R) : 2 * sizeof(R); };
  const std::vector<std::int64_t> read_sizes = sizes_of_side(plan, reads_half);
  const auto values =
      read_side<R>(on, in, segments_of(from, read_sizes, plan.batch, bytes(plan.reads_real())),
                   plan.reads_real());
  const auto each = static_cast<std::size_t>(product_of(read_sizes));
  std::vector<Number> results;
  results.reserve(values.size());
  for (std::size_t first = 0; first < values.size(); first += each) {
    const Number* const begin = values.data() + first;
    std::vector<Number> whole =
        reads_half ? completed_half(plan.sizes, begin) : std::vector<Number>(begin, begin + each);
    for (std::size_t d = 0; d < plan.sizes.size(); ++d) transform_along(whole, plan.sizes, d, sign);
    if (writes_half) {
      append_half(results, plan.sizes, whole);
    } else {
      results.insert(results.end(), whole.begin(), whole.end());
    }
  }
  write_side<R>(
      on, out,
      segments_of(to, sizes_of_side(plan, writes_half), plan.batch, bytes(plan.writes_real())),
      results, plan.writes_real());
}

}  // namespace

std::int64_t Plan::total() const { return product_of(sizes); }

// What a transform of one step would need. The machine needs nothing of it.
std::size_t Plan::work_bytes() const {
  const std::size_t number =
      is_double() ? sizeof(std::complex<double>) : sizeof(std::complex<float>);
  return static_cast<std::size_t>(total() * batch) * number;
}

void execute(libraries::Operation& on, const Plan& plan, const void* in, void* out, int sign) {
  if (plan.is_double()) {
    execute_as<double>(on, plan, in, out, sign);
  } else {
    execute_as<float>(on, plan, in, out, sign);
  }
}

}  // namespace bankproof::cuda::fft
