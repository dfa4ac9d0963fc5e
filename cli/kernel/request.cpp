// The launch on the command line. launch_file.cpp reads launch files; additions.cpp has the parts
// that both may contain.
#include "request.hpp"

#include <limits>
#include <string_view>
#include <utility>

#include "../../cuda/session/session.hpp"
#include "../support/errors.hpp"
#include "../support/machine_argument.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

std::uint32_t size_of(std::string_view text, const std::string& option, const std::string& whole) {
  const DecimalNumber number = parse_decimal(text);
  if (number.out_of_range || !number.value || *number.value == 0 ||
      *number.value > std::numeric_limits<std::uint32_t>::max()) {
    throw UsageError(option + " " + in_quotes(whole) +
                     ": expected one to three numbers from 1 to 4294967295, as in 64,2");
  }
  return static_cast<std::uint32_t>(*number.value);
}

/// The bytes of --shared; 0 for an empty text. Throws UsageError.
std::uint64_t shared_bytes(const std::string& text) {
  if (text.empty()) return 0;
  const DecimalNumber number = parse_decimal(text);
  if (!number.value) {
    throw UsageError("--shared " + in_quotes(text) +
                     ": expected bytes, as a number that is not negative");
  }
  return *number.value;
}

}  // namespace

ptx::Extent extent_of(const std::string& text, const std::string& option) {
  if (text.empty()) throw UsageError(option + " is missing; for example " + option + " 64");
  const auto parts = split_at_commas(text);
  if (parts.size() > 3) {
    throw UsageError(option + " " + in_quotes(text) + ": expected X, X,Y or X,Y,Z");
  }
  ptx::Extent extent{1, 1, 1};
  for (std::size_t k = 0; k < parts.size(); ++k) extent[k] = size_of(parts[k], option, text);
  return extent;
}

std::size_t KernelRequest::buffer(const std::string& name, const std::string& wanted_by) const {
  std::vector<std::string_view> names;
  names.reserve(buffers.size());
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (buffers[k].name == name) return k;
    names.push_back(buffers[k].name);
  }
  throw UsageError(wanted_by + ": there is no buffer " + in_quotes(name) +
                   (names.empty() ? "" : there_are(name, names)));
}

KernelRequest request_of(const TypedLaunch& typed) {
  KernelRequest request;
  RequestedLaunch launch;
  launch.kernel = typed.kernel;
  launch.shape = {extent_of(typed.grid, "--grid"), extent_of(typed.block, "--block"),
                  shared_bytes(typed.shared)};
  try {
    cuda::require_shape(launch.shape);
    for (std::size_t k = 0; k < typed.arguments.size(); ++k) {
      cuda::Argument argument = cuda::parse_argument(typed.arguments[k]);
      if (auto* buffer = std::get_if<cuda::BufferDescription>(&argument.value)) {
        const std::string name = std::to_string(k);
        request.buffers.push_back({name, cuda::name_of_argument(k), std::move(*buffer)});
        argument.value = cuda::BufferReference{name, 0};
      }
      if (auto* bytes = std::get_if<cuda::BytesArgument>(&argument.value)) {
        for (cuda::PlacedPointer& pointer : bytes->pointers) {
          const std::string name = std::to_string(k) + "@" + std::to_string(pointer.offset);
          auto& buffer = std::get<cuda::BufferDescription>(pointer.to);
          request.buffers.push_back(
              {name, cuda::name_of_argument(k, pointer.offset), std::move(buffer)});
          pointer.to = cuda::BufferReference{name, 0};
        }
      }
      launch.arguments.push_back(std::move(argument));
    }
  } catch (const cuda::ArgumentError& error) {
    throw UsageError(error.what());
  }
  request.launches.push_back(std::move(launch));
  return request;
}

}  // namespace bankproof::cli
