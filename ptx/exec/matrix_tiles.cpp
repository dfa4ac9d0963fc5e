// Executes wmma.load and wmma.store; see matrix_tiles.hpp.
#include "matrix_tiles.hpp"

#include <algorithm>
#include <cstring>

#include "../memory/steps.hpp"
#include "matrix.hpp"
#include "warp.hpp"

namespace bankproof::ptx {

namespace {

struct Extents {
  std::uint32_t rows;
  std::uint32_t columns;
};
Extents extents_of(const TileForm& form) {
  const MatrixShape& shape = form.shape;
  if (form.matrix == 'a') return {shape.m, shape.k};
  if (form.matrix == 'b') return {shape.k, shape.n};
  return {shape.m, shape.n};
}

ElementPlace place_of(const TileForm& form, std::uint32_t index, std::uint32_t lane,
                      std::uint32_t element) {
  const MatrixShape& shape = form.shape;
  if (form.matrix == 'a') return place_in_a(form.type, shape.m, index, lane, element);
  if (form.matrix == 'b') return place_in_b(form.type, shape.k, index, lane, element);
  return place_in_sum(form.type, shape.m, index, lane, element);
}

// For each lane, the address of the matrix, and the number of elements from the beginning of one
// row (or column) in memory to the beginning of the next.
struct Places {
  LaneAddresses begin{};
  std::array<std::uint32_t, warp_lanes> stride{};
  LaneMask lanes = 0;
};

Places gather_places(std::span<const Part> parts, const TileForm& form) {
  Places places;
  const Extents extents = extents_of(form);
  places.stride.fill(form.by_columns ? extents.rows : extents.columns);
  for (const Part& part : parts) {
    const MatrixOperands& operands = *collective_of(part.op).matrix;
    each_lane(part.lanes, [&](std::uint32_t lane) {
      places.begin[lane] = address_in_lane(part, lane);
      if (operands.stride == no_slot) return;
      places.stride[lane] =
          reinterpret_cast<const std::uint32_t*>(part.frame + operands.stride)[lane];
    });
    places.lanes |= part.lanes;
  }
  return places;
}

// Where the bits of a lane's element `number` are in its registers.
struct ElementBits {
  ElementBits(ElementType type, std::uint32_t number)
      : index(number / elements_of_register(type)),
        shift(number % elements_of_register(type) * bits_of(type)) {}
  std::uint32_t index;  // the index of the register
  std::uint32_t shift;
};

// Moves `count` elements of each lane, beginning at `first`; these elements are neighbors in
// memory.
void move_elements(Warp& warp, const Part& part, const Places& places, std::uint32_t first,
                   std::uint32_t count, Fragment& fragment) {
  const MatrixOperands& operands = *collective_of(part.op).matrix;
  const TileForm& form = *operands.tile;
  const std::uint32_t each = elements_of_register(form.type);
  const std::uint32_t bytes = bits_of(form.type) / 8;
  const Access& access = operands.memory.access;
  LaneBytes values;
  Request request{warp, operands.memory, part.op->site, access.operation, count * bytes, values};
  const auto value = [&](std::uint32_t lane, std::uint32_t k) {
    return value_of(values, lane, request.bytes) + std::size_t{k} * bytes;
  };
  each_lane(places.lanes, [&](std::uint32_t lane) {
    const ElementPlace place = place_of(form, first / each, lane, first % each);
    const std::uint64_t across = form.by_columns ? place.column : place.row;
    const std::uint64_t along = form.by_columns ? place.row : place.column;
    request.at[lane] = places.begin[lane] + (across * places.stride[lane] + along) * bytes;
    for (std::uint32_t k = 0; k < count; ++k) {
      const ElementBits element(form.type, first + k);
      const std::uint64_t brought = fragment[element.index][lane] >> element.shift;
      std::memcpy(value(lane, k), &brought, bytes);
    }
  });
  fill_inactive(request.at, places.lanes);
  serve(request, access.space, access.generic, places.lanes);
  if (!request.reads) return;
  each_lane(places.lanes, [&](std::uint32_t lane) {
    for (std::uint32_t k = 0; k < count; ++k) {
      const ElementBits element(form.type, first + k);
      std::uint64_t loaded = 0;
      std::memcpy(&loaded, value(lane, k), bytes);
      fragment[element.index][lane] |= loaded << element.shift;
    }
  });
}

// The number of consecutive elements of a lane that are neighbors in memory. In a and b, the
// elements of one register are neighbors, since they belong to one row of a or one column of b. In
// c and d, elements are neighbors in pairs, since a lane holds two consecutive elements of a row.
// If the layout in memory does not keep these rows or columns together, no elements are neighbors.
std::uint32_t neighbors(const TileForm& form) {
  if (form.by_columns != (form.matrix == 'b')) return 1;
  const bool is_sum = form.matrix == 'c' || form.matrix == 'd';
  return is_sum ? 2 : elements_of_register(form.type);
}

}  // namespace

std::uint32_t tile_registers(const TileForm& form) {
  const Extents extents = extents_of(form);
  return form.repeats ? most_fragment_registers
                      : fragment_registers(form.type, extents.rows * extents.columns);
}

void execute_tile(Warp& warp, std::span<const Part> parts) {
  const Part& leader = parts.front();
  const TileForm& form = *collective_of(leader.op).matrix->tile;
  const Extents extents = extents_of(form);
  const std::uint32_t registers = fragment_registers(form.type, extents.rows * extents.columns);
  const std::uint32_t elements = registers * elements_of_register(form.type);
  const std::uint32_t together = neighbors(form);
  const Places places = gather_places(parts, form);
  Fragment fragment{};
  for (const Part& part : parts) gather_source(part, 0, fragment);
  for (std::uint32_t first = 0; first < elements; first += together) {
    move_elements(warp, leader, places, first, together, fragment);
  }
  for (std::uint32_t index = registers; index < most_fragment_registers; ++index) {
    fragment[index] = fragment[index - registers];
  }
  for (const Part& part : parts) scatter_results(part, fragment);
}

}  // namespace bankproof::ptx
