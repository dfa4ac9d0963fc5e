// Runs requests; here an error is attributed to the command line or to the launch file.
#include "launching.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "../../ptx/report/function_names.hpp"
#include "../support/errors.hpp"
#include "../support/words.hpp"
#include "contents.hpp"

namespace bankproof::cli {
namespace {

/// Marks the bytes of the buffer that nobody has written.
void undefine(cuda::Session& session, std::uint32_t number, std::uint64_t bytes,
              const RequestedBuffer& buffer, const KernelRequest& request) {
  for (const ptx::ByteRange& range : buffer.undefined) {
    if (range.end > bytes) {
      throw InputError(request.file + ": buffer " + in_quotes(buffer.name) +
                       ": 'undefined' is beyond the end of the buffer");
    }
    session.undefine(number, range.begin, range.end - range.begin);
  }
}

/// Puts the buffers into global memory before the first launch; returns their numbers.
std::vector<std::uint32_t> add_buffers(cuda::Session& session, KernelRequest& request) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(request.buffers.size());
  for (RequestedBuffer& buffer : request.buffers) {
    const auto contents = initial_contents(buffer);
    const cuda::BufferDescription& description = buffer.description;
    const std::uint64_t bytes = description.count() * description.type->bytes;
    const std::uint32_t number = contents.empty() ? session.add_buffer(buffer.shown, bytes)
                                                  : session.add_buffer(buffer.shown, contents);
    numbers.push_back(number);
    undefine(session, number, bytes, buffer, request);
    if (buffer.freed) session.release(number);
  }
  return numbers;
}

/// Likewise for the allocations of the heap, so that they have the numbers of the saved launch.
void fill_heap(cuda::Session& session, KernelRequest& request) {
  session.set_heap_bytes(ptx::most_buffer_bytes);
  for (RequestedBuffer& buffer : request.heap.allocations) {
    const auto contents = initial_contents(buffer);
    const std::uint64_t bytes = buffer.description.count() * buffer.description.type->bytes;
    const std::uint32_t number = session.allocate_in_heap(bytes);
    if (!contents.empty()) session.write(number, 0, contents);
    undefine(session, number, bytes, buffer, request);
    if (buffer.freed) session.free_in_heap(number);
  }
  session.set_heap_bytes(request.heap.bytes);
}

std::uint64_t address_of(const cuda::BufferReference& reference, const cuda::Argument& argument,
                         const KernelRequest& request, const std::vector<std::uint32_t>& buffers) {
  const std::size_t buffer = request.buffer(reference.name, argument.text);
  if (reference.element >= request.buffers[buffer].description.count()) {
    throw cuda::ArgumentError(in_quotes(argument.text) + " is beyond the end of the buffer");
  }
  return cuda::Session::address(
      buffers[buffer], reference.element * request.buffers[buffer].description.type->bytes);
}

cuda::ArgumentBytes bytes_of(const cuda::Argument& argument, const KernelRequest& request,
                             const std::vector<std::uint32_t>& buffers) {
  cuda::ArgumentBytes bytes{{}, argument.text};
  std::uint64_t bits = 0;
  std::uint32_t count = 8;
  if (const auto* scalar = std::get_if<cuda::ScalarArgument>(&argument.value)) {
    bits = scalar->bits;
    count = scalar->type->bytes;
  } else if (const auto* reference = std::get_if<cuda::BufferReference>(&argument.value)) {
    bits = address_of(*reference, argument, request, buffers);
  } else {
    const auto& of_struct = std::get<cuda::BytesArgument>(argument.value);
    bytes.bytes = contents_of(of_struct);
    for (const cuda::PlacedPointer& pointer : of_struct.pointers) {
      const std::uint64_t address =
          address_of(std::get<cuda::BufferReference>(pointer.to), argument, request, buffers);
      if (bytes.bytes.size() < 8 || pointer.offset > bytes.bytes.size() - 8) {
        throw cuda::ArgumentError(fmt::format("{}: the pointer at byte {} is beyond the {} bytes",
                                              in_quotes(argument.text), pointer.offset,
                                              bytes.bytes.size()));
      }
      std::memcpy(&bytes.bytes[pointer.offset], &address, 8);
    }
    return bytes;
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    bytes.bytes.push_back(static_cast<std::byte>(bits >> 8 * k));
  }
  return bytes;
}

/// Runs act(). If act() fails, the message names the place `where` in the launch file, or the
/// command line's `option` if `where` is empty.
template <class Act>
void checked(const std::string& where, const std::string& option, const Act& act) {
  const auto refuse = [&](const char* what) {
    if (where.empty()) throw UsageError(option + what);
    throw InputError(where + what);
  };
  try {
    act();
  } catch (const ptx::Error& error) {
    throw InputError(where + error.what());
  } catch (const InputError& error) {
    throw InputError(where + error.what(), error.below());
  } catch (const ptx::KernelNameError& error) {
    refuse(error.what());
  } catch (const cuda::ArgumentError& error) {
    refuse(error.what());
  }
}

void set_symbols(cuda::Session& session, const cuda::SharedKernelFile& file, KernelRequest& request,
                 const std::vector<std::uint32_t>& buffers) {
  for (RequestedBuffer& symbol : request.symbols) {
    const std::string where =
        request.file.empty() ? "" : request.file + ": symbol " + in_quotes(symbol.name) + ": ";
    checked(where, "--symbol " + symbol.name + ": ", [&] {
      const std::uint64_t bytes = session.symbol_bytes(file, symbol.name);
      if (!symbol.place.empty()) {
        const std::uint32_t buffer = buffers[request.buffer(symbol.place, "a symbol")];
        if (std::as_const(session).data(buffer).size() != bytes) {
          throw cuda::ArgumentError(
              fmt::format("{} has {}, and the variable has {}", in_quotes(symbol.place),
                          counted(std::as_const(session).data(buffer).size(), "byte"), bytes));
        }
        session.place_symbol(file, symbol.name, buffer);
        return;
      }
      const auto contents = initial_contents(symbol);
      const cuda::BufferDescription& description = symbol.description;
      const std::uint64_t given = description.count() * description.type->bytes;
      if (given != bytes) {
        throw cuda::ArgumentError(
            fmt::format("{} of {} {} {} bytes, and the variable has {}",
                        counted(description.count(), "element"), description.type->name,
                        description.count() == 1 ? "has" : "have", given, bytes));
      }
      if (!contents.empty()) session.set_symbol(file, symbol.name, contents);
    });
  }
}

void save_all(cuda::Session& session, const cuda::SharedKernelFile& file,
              const KernelRequest& request, const std::vector<std::uint32_t>& buffers) {
  for (const RequestedSave& save : request.saves) {
    if (const RequestedBuffer* const symbol = request.symbol(save.buffer)) {
      save_buffer(*symbol, session.symbol(file, symbol->name), save.file);
      continue;
    }
    const std::size_t buffer = request.buffer(save.buffer, "--save");
    save_buffer(request.buffers[buffer], std::as_const(session).data(buffers[buffer]), save.file);
  }
}

}  // namespace

void launch_all(cuda::Session& session, const cuda::SharedKernelFile& file,
                KernelRequest& request) {
  const std::vector<std::uint32_t> buffers = add_buffers(session, request);
  fill_heap(session, request);
  set_symbols(session, file, request, buffers);
  for (const RequestedLaunch& launch : request.launches) {
    checked(launch.where, "", [&] {
      std::vector<cuda::ArgumentBytes> arguments;
      arguments.reserve(launch.arguments.size());
      for (const cuda::Argument& argument : launch.arguments) {
        arguments.push_back(bytes_of(argument, request, buffers));
      }
      session.launch(file, launch.kernel, launch.shape, arguments);
    });
  }
  save_all(session, file, request, buffers);
}

}  // namespace bankproof::cli
