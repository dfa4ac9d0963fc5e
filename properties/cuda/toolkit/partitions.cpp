// Parts of warps, copies by groups and complex numbers give the results of the toolkit's headers
// and of plain loops.
#include <complex>

#include "support.hpp"

namespace bankproof::testing {
namespace {

class Partitions : public ToolkitTest {
 protected:
  Partitions() : ToolkitTest("partitions") {}
};
INSTANTIATE_TEST_SUITE_P(Compiled, Partitions, toolkit_compilers());

TEST_P(Partitions, are_of_threads_with_the_same_label) {
  const auto counts = [&] {
    const std::uint32_t threads = 32 * *rc::gen::resize(100, rc::gen::inRange(1U, 5U));
    std::vector<int> items = values<int>(threads);
    for (int& item : items) item %= 5;
    Device device;
    const auto out = device.buffer<unsigned>(4 * std::size_t{threads});
    require_no_fault(kernels()
                         .other("partitions")
                         .launch(device, {.block = {threads, 1, 1}}, device.buffer(items), out));
    std::vector<unsigned> expected(4 * std::size_t{threads});
    for (std::size_t i = 0; i < threads; ++i) {
      for (std::size_t other = i / 32 * 32; other < i / 32 * 32 + 32; ++other) {
        const bool equal = items[other] == items[i];
        const bool same_tile = other / 16 == i / 16;
        expected[4 * i] += equal && same_tile ? 1U : 0U;
        expected[4 * i + 1] += equal && same_tile && other < i ? 1U : 0U;
        expected[4 * i + 2] += (items[other] % 2 != 0) == (items[i] % 2 != 0) ? 1U : 0U;
        expected[4 * i + 3] += equal ? 1U : 0U;
      }
    }
    require_equal(out.values(), expected);
  };
  check_property(counts, "", 5);
}

TEST_P(Partitions, copy_bytes_together) {
  const auto turned = [&] {
    const auto up_to = [](std::uint32_t most) {
      return *rc::gen::resize(100, rc::gen::inRange(0U, most));
    };
    // For an odd number of bytes the toolkit (13.0) omits the last byte if source and destination
    // share an alignment of only 2 bytes.
    const std::uint32_t unit = 2U << up_to(5);
    const std::uint32_t count = std::max(1U, up_to(1024 / unit) * unit);
    const std::uint32_t first = up_to(1024 / unit) * unit;
    std::vector<std::uint8_t> items = values<std::uint8_t>(count);
    Device device;
    const auto out = device.buffer<std::uint8_t>(count);
    require_no_fault(kernels()
                         .other("reversed")
                         .launch(device, {.block = {1 + up_to(100), 1, 1}}, device.buffer(items),
                                 out, static_cast<int>(count), static_cast<int>(first)));
    std::reverse(items.begin(), items.end());
    require_equal(out.values(), items);
  };
  check_property(turned, "", 10);
}

TEST_P(Partitions, know_their_place_in_their_parent) {
  Device device;
  const auto out = device.buffer<unsigned>(4 * 96);
  require_no_fault(kernels().other("nested").launch(device, {.block = {96, 1, 1}}, out));
  std::vector<unsigned> expected;
  for (unsigned i = 0; i < 96; ++i) expected.insert(expected.end(), {i % 16 / 4, 4, i / 16, 6});
  EXPECT_EQ(out.values(), expected);
}

TEST_P(Partitions, copy_in_pipelines) {
  const std::vector<std::uint32_t> items = [] {
    std::vector<std::uint32_t> result(std::size_t{4} * 32);
    std::uint32_t number = 0;
    for (std::uint32_t& item : result) item = 0x01010101U * (1 + number++ % 255);
    return result;
  }();
  for (const int zeros : {0, 4, 6, 16}) {
    Device device;
    const auto out = device.buffer<std::uint32_t>(std::size_t{8} * 32);
    require_no_fault(kernels().other("piped").launch(device, {.block = {32, 1, 1}},
                                                     device.buffer(items), out, zeros));
    std::vector<std::uint32_t> expected;
    for (std::size_t thread = 32; thread-- > 0;) {
      const auto* const item = items.data() + 4 * thread;
      for (int word = 0; word < 4; ++word) {
        const int cut = std::clamp(zeros - 4 * (3 - word), 0, 4);  // bytes of the word
        expected.push_back(cut == 4 ? 0 : item[word] & (~0U >> 8 * cut));
      }
      expected.insert(expected.end(), {item[0], item[1], item[2], 0});
    }
    EXPECT_EQ(out.values(), expected) << zeros;
  }
}

TEST_P(Partitions, copy_as_many_elements_as_there_is_room_for) {
  for (const auto& [count, room] : {std::pair{40, 50}, {50, 40}, {64, 64}, {1, 7}}) {
    constexpr int warps = 3;
    std::vector<int> items(static_cast<std::size_t>(warps * count));
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<int>(i);
    Device device;
    const auto out = device.buffer(std::vector<int>(items.size(), -1));
    require_no_fault(kernels().other("moved").launch(device, {.block = {32 * warps, 1, 1}},
                                                     device.buffer(items), out, count, room));
    const int copied = std::min(count, room);
    for (int warp = 0; warp < warps; ++warp) {
      const auto begin = items.begin() + static_cast<std::ptrdiff_t>(warp) * count;
      std::reverse(begin, begin + copied);
      std::fill(begin + copied, begin + count, -1);
    }
    EXPECT_EQ(out.values(), items) << count << ' ' << room;
  }
}

TEST_P(Partitions, race_where_nobody_waits_for_a_copy) {
  Device device;
  const KernelReport report = kernels().other("hasty").launch(
      device, {.block = {64, 1, 1}}, device.buffer(std::vector<int>(64)), device.buffer<int>(64));
  ASSERT_FALSE(report.faults.empty());
  EXPECT_EQ(report.faults.front().kind, ptx::FaultKind::race);
}

template <class Number>
void check_complex(const Kernel& kernel) {
  using Complex = std::complex<Number>;
  std::vector<Complex> x;
  std::vector<Complex> y;
  for (int k = 0; k < 32; ++k) {
    x.emplace_back(static_cast<Number>(k - 7), static_cast<Number>(11 - k));
    // Some sizes have squares that are out of range.
    const Number scale = k % 3 == 0   ? std::numeric_limits<Number>::max() / 256
                         : k % 3 == 1 ? std::numeric_limits<Number>::min() * 256
                                      : Number{1};
    const bool is_double = std::is_same_v<Number, double>;
    const Number factor = is_double ? scale : k % 3 == 2 ? Number{1} : Number{1024};
    y.emplace_back(factor * static_cast<Number>(3 + k % 5), factor * static_cast<Number>(k % 4));
  }
  const auto parts = [](const std::vector<Complex>& of) {
    std::vector<Number> result;
    result.reserve(2 * of.size());
    for (const Complex& one : of) {
      result.push_back(one.real());
      result.push_back(one.imag());
    }
    return result;
  };
  Device device;
  const auto out = device.buffer<Number>(12 * x.size());
  require_no_fault(kernel.launch(device, {.block = {32, 1, 1}}, device.buffer(parts(x)),
                                 device.buffer(parts(y)), out));
  std::vector<Complex> expected;
  expected.reserve(6 * x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Complex a = x[k];
    const Complex b = y[k];
    for (const Complex& one :
         {a + b, a - std::conj(b), a * b, a / b, a * b + a, Complex(std::abs(a), b.imag())}) {
      expected.push_back(one);
    }
  }
  const std::vector<Number> found = out.values();
  const std::vector<Number> wanted = parts(expected);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const Complex& whole = expected[k / 2];
    const Number size = std::max(std::abs(whole.real()), std::abs(whole.imag()));
    EXPECT_NEAR(found[k], wanted[k], size * 8 * std::numeric_limits<Number>::epsilon())
        << "element " << k / 12 << ", operation " << k / 2 % 6;
  }
}

TEST_P(Partitions, stand_beside_complex_numbers) {
  check_complex<double>(kernels().other("complex_numbers"));
  check_complex<float>(kernels().other("complex_floats"));
}

}  // namespace
}  // namespace bankproof::testing
