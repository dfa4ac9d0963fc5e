// Puts rows into the table; see table.hpp.
#include "table.hpp"

namespace bankproof::ptx::lanes {

std::string joined_parts(std::initializer_list<std::string_view> parts) {
  std::string result;
  for (const std::string_view part : parts) result += part;
  return result;
}

Row& Table::put(std::string opcode, Step step, std::span<const LaneType> destinations,
                std::span<const LaneType> sources) {
  return rows_.emplace_back(
      Row{std::move(opcode), step, std::vector<LaneType>(destinations.begin(), destinations.end()),
          std::vector<LaneType>(sources.begin(), sources.end()), false, false});
}

}  // namespace bankproof::ptx::lanes
