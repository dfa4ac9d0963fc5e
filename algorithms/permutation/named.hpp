// Permutations that have a name: `transpose:32x32`, `random:1000,seed=7`, … `named_permutations` is
// the only list of them; their formulas are in formulas.hpp.
//
// Example: parse_named("shuffle:8").generate<std::uint32_t>() is {0, 2, 4, 6, 1, 3, 5, 7}.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../../text/typed.hpp"
#include "formulas.hpp"

namespace bankproof {

/// A specification that cannot be understood or built. what() is one line: what is wrong, where,
/// and how to fix it.
class SpecificationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// More elements than this are a typing error: the indices alone would take 8 TiB.
inline constexpr std::uint64_t largest_named_size = std::uint64_t{1} << 40;

namespace detail {

/// The parameters of one specification, taken from left to right. Every error message quotes the
/// whole specification.
class NamedParameters {
 public:
  NamedParameters(std::string_view specification, std::string_view parameters,
                  std::string_view example)
      : specification_(specification), rest_(parameters), example_(example) {}

  [[noreturn]] void fail(const std::string& why) const {
    throw SpecificationError("bad permutation " + in_quotes(specification_) + ": " + why +
                             "; for example: " + std::string(example_));
  }

  /// Reads sizes joined by 'x'; messages call the sizes by `names`, such as N, or R and C.
  template <std::size_t count>
  std::array<std::uint64_t, count> sizes(const std::array<std::string_view, count>& names) {
    const std::string_view all = take();
    const auto given = static_cast<std::size_t>(std::count(all.begin(), all.end(), 'x')) + 1;
    if (given != count) {
      std::string wanted(names[0]);
      for (std::size_t k = 1; k < count; ++k) wanted += "x" + std::string(names[k]);
      fail(wanted + (count == 1 ? " is one number" : " are " + std::to_string(count) + " numbers") +
           ", not " + in_quotes(all));
    }
    std::array<std::uint64_t, count> result;
    std::uint64_t product = 1;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t end = std::min(all.find('x', begin), all.size());
      result[k] = number(names[k], all.substr(begin, end - begin));
      if (result[k] == 0) fail(std::string(names[k]) + " is 0, and nothing is left to permute");
      if (result[k] > largest_named_size / product) fail("more than 2^40 elements");
      product *= result[k];
      begin = end + 1;
    }
    return result;
  }

  std::uint64_t size() { return sizes<1>({"N"})[0]; }

  /// A number by position.
  std::uint64_t required(std::string_view name) {
    if (!more_) fail(std::string(name) + " is missing");
    return number(name, take());
  }

  /// `key=number`, or the default if no parameter is left.
  std::uint64_t optional(std::string_view key, std::uint64_t otherwise) {
    if (!more_) return otherwise;
    const std::string_view text = take();
    if (!text.starts_with(key) || text.substr(key.size(), 1) != "=") {
      fail("expected " + std::string(key) + "=NUMBER, not " + in_quotes(text));
    }
    return number(key, text.substr(key.size() + 1));
  }

  void finish() const {
    if (more_) fail("nothing may follow, but here is " + in_quotes(rest_));
  }

 private:
  /// The text up to the next comma; skips the comma.
  std::string_view take() {
    const std::size_t comma = rest_.find(',');
    const std::string_view first = rest_.substr(0, comma);
    more_ = comma != std::string_view::npos;
    rest_ = more_ ? rest_.substr(comma + 1) : std::string_view{};
    return first;
  }

  std::uint64_t number(std::string_view name, std::string_view text) const {
    const DecimalNumber parsed = parse_decimal(text);
    if (parsed.out_of_range) fail(std::string(name) + " has more than 64 bits: " + in_quotes(text));
    if (!parsed.value) {
      fail(std::string(name) + " has to be a decimal number without sign, not " + in_quotes(text));
    }
    return *parsed.value;
  }

  std::string_view specification_;
  std::string_view rest_;
  std::string_view example_;
  bool more_ = true;
};

inline std::uint64_t even_size(NamedParameters& parameters) {
  const std::uint64_t n = parameters.size();
  if (n % 2 != 0) parameters.fail("N has to be even");
  return n;
}

inline formulas::Formula read_identity(NamedParameters& p) { return formulas::Identity{p.size()}; }

inline formulas::Formula read_transpose(NamedParameters& p) {
  const auto [rows, columns] = p.sizes<2>({"R", "C"});
  return formulas::Transpose{rows, columns};
}

inline formulas::Formula read_shuffle(NamedParameters& p) {
  return formulas::Shuffle{even_size(p)};
}

inline formulas::Formula read_unshuffle(NamedParameters& p) {
  return formulas::Unshuffle{even_size(p)};
}

inline formulas::Formula read_bit_reversal(NamedParameters& p) {
  const std::uint64_t n = p.size();
  if (!std::has_single_bit(n)) p.fail("N has to be a power of two");
  return formulas::BitReversal{n};
}

inline formulas::Formula read_random(NamedParameters& p) {
  const std::uint64_t n = p.size();
  return formulas::Random{n, p.optional("seed", 0)};
}

inline formulas::Formula read_morton(NamedParameters& p) {
  const auto [rows, columns] = p.sizes<2>({"R", "C"});
  if (!std::has_single_bit(rows) || !std::has_single_bit(columns)) {
    p.fail("R and C have to be powers of two");
  }
  return formulas::Morton{rows, columns};
}

inline formulas::Formula read_blocked_to_striped(NamedParameters& p) {
  const auto [threads, items] = p.sizes<2>({"THREADS", "ITEMS"});
  return formulas::Transpose{threads, items};
}

inline formulas::Formula read_nchw_to_nhwc(NamedParameters& p) {
  const auto [images, channels, height, width] = p.sizes<4>({"N", "C", "H", "W"});
  return formulas::NchwToNhwc{images, channels, height, width};
}

inline formulas::Formula read_butterfly(NamedParameters& p) {
  const std::uint64_t n = p.size();
  const std::uint64_t stage = p.required("STAGE");
  if (stage >= 40 || n % (std::uint64_t{2} << stage) != 0) {
    p.fail("N has to be a multiple of 2^(STAGE+1)");
  }
  return formulas::Butterfly{n, stage};
}

}  // namespace detail

/// One kind of named permutation, as `bankproof list` prints it.
struct NamedEntry {
  std::string_view name;
  std::string_view parameters;
  std::string_view description;
  std::string_view example;
  formulas::Formula (*read)(detail::NamedParameters&);
};

inline constexpr std::array named_permutations = {
    NamedEntry{"identity", "N", "every element stays", "identity:1024", detail::read_identity},
    NamedEntry{"transpose", "RxC", "an R×C matrix from row-major to column-major order",
               "transpose:32x32", detail::read_transpose},
    NamedEntry{"shuffle", "N", "the halves interleave like cards; N even", "shuffle:1024",
               detail::read_shuffle},
    NamedEntry{"unshuffle", "N", "the inverse of shuffle: even indices first; N even",
               "unshuffle:1024", detail::read_unshuffle},
    NamedEntry{"bit-reversal", "N", "the bits of the index reversed; N a power of two",
               "bit-reversal:1024", detail::read_bit_reversal},
    NamedEntry{"random", "N,seed=S",
               "uniformly random, the same on every machine; seed 0 unless given",
               "random:1024,seed=7", detail::read_random},
    NamedEntry{"morton", "RxC", "an R×C matrix from row-major to Z-order; powers of two",
               "morton:32x32", detail::read_morton},
    NamedEntry{"blocked-to-striped", "THREADSxITEMS",
               "item k of thread t moves from t·ITEMS+k to k·THREADS+t", "blocked-to-striped:128x4",
               detail::read_blocked_to_striped},
    NamedEntry{"nchw-to-nhwc", "NxCxHxW", "a batch of images from channels first to channels last",
               "nchw-to-nhwc:2x3x32x32", detail::read_nchw_to_nhwc},
    NamedEntry{"butterfly", "N,STAGE",
               "i and i xor 2^STAGE change places; N a multiple of 2^(STAGE+1)", "butterfly:1024,3",
               detail::read_butterfly},
};

/// A permutation given by its specification. Immutable; it generates the elements on demand.
class NamedPermutation {
 public:
  NamedPermutation(std::string specification, formulas::Formula formula)
      : specification_(std::move(specification)), formula_(formula) {}

  std::uint64_t size() const {
    return std::visit([](const auto& formula) { return formula.size(); }, formula_);
  }

  /// The complete specification: `random:8` is `random:8,seed=0`.
  const std::string& specification() const { return specification_; }

  /// P(0), P(1), … Throws SpecificationError when the largest index does not fit the type.
  template <std::unsigned_integral Index>
  std::vector<Index> generate() const {
    if (size() - 1 > std::numeric_limits<Index>::max()) {
      throw SpecificationError(
          "permutation " + in_quotes(specification_) + " has more elements than " +
          std::to_string(std::numeric_limits<Index>::digits) + "-bit indices can number");
    }
    std::vector<Index> values(static_cast<std::size_t>(size()));
    std::visit([&](const auto& formula) { fill(values, formula); }, formula_);
    return values;
  }

 private:
  template <class Index, class F>
  static void fill(std::vector<Index>& values, const F& formula) {
    if constexpr (std::is_same_v<F, formulas::Random>) {
      std::iota(values.begin(), values.end(), Index{0});
      formula.shuffle(values);
    } else {
      for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = static_cast<Index>(formula(i));
    }
  }

  std::string specification_;
  formulas::Formula formula_;
};

/// Reads `name:parameters`. Throws SpecificationError.
inline NamedPermutation parse_named(std::string_view specification) {
  const std::size_t colon = specification.find(':');
  const std::string_view name = specification.substr(0, colon);
  const auto entry = std::find_if(named_permutations.begin(), named_permutations.end(),
                                  [&](const NamedEntry& known) { return known.name == name; });
  if (entry == named_permutations.end()) {
    std::array<std::string_view, named_permutations.size()> names;
    std::transform(named_permutations.begin(), named_permutations.end(), names.begin(),
                   [](const NamedEntry& known) { return known.name; });
    const auto meant = nearest(name, names);
    throw SpecificationError("unknown permutation " + in_quotes(name) +
                             (meant ? "; did you mean " + in_quotes(*meant) + "?" : "") +
                             (meant ? "" : "; 'bankproof list' names all"));
  }
  const std::string_view parameters =
      colon == std::string_view::npos ? std::string_view{} : specification.substr(colon + 1);
  detail::NamedParameters reader(specification, parameters, entry->example);
  if (parameters.empty()) {
    reader.fail("it needs parameters, " + std::string(name) + ":" + std::string(entry->parameters));
  }
  const formulas::Formula formula = entry->read(reader);
  reader.finish();
  std::string complete(specification);
  if (const auto* random = std::get_if<formulas::Random>(&formula)) {
    complete = "random:" + std::to_string(random->n) + ",seed=" + std::to_string(random->seed);
  }
  return {std::move(complete), formula};
}

}  // namespace bankproof
