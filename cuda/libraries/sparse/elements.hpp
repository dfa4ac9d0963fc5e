// A sparse matrix as the list of its elements, whatever its format is. Offsets and indices are
// checked when they are read.
#pragma once

#include <utility>
#include <vector>

#include "../blas/numbers.hpp"
#include "descriptors.hpp"

namespace bankproof::cuda::sparse {

using blas::Complex;
using blas::DoubleComplex;
using libraries::Operation;
using libraries::VectorShape;

struct Position {
  std::int64_t row = 0;
  std::int64_t column = 0;
};
/// The positions of the stored elements, in the order of memory.
std::vector<Position> positions_of(Operation& on, const cusparseSpMatDescr& a);

template <class V>
struct Element {
  std::int64_t row = 0;
  std::int64_t column = 0;
  V value{};
};

/// Some of an operand's elements: those with these numbers, which grow.
struct Chosen {
  std::vector<std::size_t> numbers;
};
inline libraries::Segments segments_of(const Chosen& chosen, std::size_t element_bytes) {
  libraries::Segments segments;
  for (const std::size_t k : chosen.numbers) {
    libraries::add_elements(segments, static_cast<std::int64_t>(k), 1, element_bytes);
  }
  return segments;
}

/// The elements for which is_used(Position); the values of the others are not read.
template <class V, class IsUsed>
std::vector<Element<V>> elements_of(Operation& on, const cusparseSpMatDescr& a,
                                    const IsUsed& is_used) {
  const std::vector<Position> positions = positions_of(on, a);
  Chosen used;
  std::vector<Element<V>> elements;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    if (!is_used(positions[k])) continue;
    used.numbers.push_back(k);
    elements.push_back({positions[k].row, positions[k].column, V{}});
  }
  const auto values = blas::read<V>(on, blas::typed("the values", a.values, a.type), used);
  for (std::size_t k = 0; k < values.size(); ++k) elements[k].value = values[k];
  return elements;
}
template <class V>
std::vector<Element<V>> elements_of(Operation& on, const cusparseSpMatDescr& a) {
  return elements_of<V>(on, a, [](const Position&) { return true; });
}

/// The elements of op(A).
template <class V>
std::vector<Element<V>> applied(cusparseOperation_t op, std::vector<Element<V>> elements) {
  if (op == CUSPARSE_OPERATION_NON_TRANSPOSE) return elements;
  for (Element<V>& one : elements) {
    std::swap(one.row, one.column);
    if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) one.value = blas::conjugate(one.value);
  }
  return elements;
}

/// A scalar, read at once from the host or by the operation from the device.
template <class V>
std::function<V(Operation&)> scalar(const char* call, const cusparseContext& context,
                                    const char* name, const void* pointer) {
  require(pointer != nullptr, fmt::format("{} is null", name));
  if (context.pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) {
    return [=](Operation& on) { return on.read_one<V>(name, pointer); };
  }
  V value{};
  require(libraries::read_host(call, name, pointer, sizeof value, &value) == 0,
          "the host has no such memory");
  return [value](Operation&) { return value; };
}

inline void perform(const char* call, const cusparseContext& context,
                    std::function<void(Operation&)> act) {
  if (libraries::perform(call, context.stream, std::move(act)) != cudaSuccess) {
    throw Refused{CUSPARSE_STATUS_EXECUTION_FAILED, "the operation failed"};
  }
}

/// Calls use(V{}) with the type of the computation.
template <class Use>
void with_computed(cudaDataType type, const Use& use) {
  switch (type) {
    case CUDA_R_32F:
      return use(float{});
    case CUDA_R_64F:
      return use(double{});
    case CUDA_C_32F:
      return use(Complex{});
    case CUDA_C_64F:
      return use(DoubleComplex{});
    default:
      throw Refused{CUSPARSE_STATUS_NOT_SUPPORTED,
                    fmt::format("the machine computes in float and double, not in the type {}",
                                static_cast<int>(type))};
  }
}

// The machine's operations need no memory of the program. A size of 0 would be right, too; programs
// allocate what they are told.
constexpr std::size_t buffer_bytes = 8;

}  // namespace bankproof::cuda::sparse
