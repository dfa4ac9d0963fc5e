// __device__ and __constant__ variables of .cu files: cudaMemcpyToSymbol and similar functions.
#include <fmt/format.h>

#include <algorithm>

#include "../../../ptx/report/function_names.hpp"
#include "../stream_handles.hpp"

namespace bankproof::cuda {

/// Calls use(variable, all bytes of the variable). If this is not possible, reports why and returns
/// an error.
cudaError_t Runtime::with_variable(
    const char* call, const void* shadow, std::size_t offset, std::size_t bytes,
    const std::function<void(const EmbeddedName&, std::vector<std::byte>&)>& use) {
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(shadow);
  if (found == variables_.end()) {
    return fail(cudaErrorInvalidSymbol,
                fmt::format("{}: no such variable was compiled for the reference machine", call));
  }
  const EmbeddedName& variable = found->second;
  try {
    std::vector<std::byte> all = session_->symbol(variable.module->file(), variable.name);
    if (offset > all.size() || bytes > all.size() - offset) {
      return fail(cudaErrorInvalidValue,
                  fmt::format("{}: {} bytes from byte {} of {}, which has {}", call, bytes, offset,
                              variable.name, all.size()));
    }
    use(variable, all);
    return cudaSuccess;
  } catch (const ptx::KernelNameError& error) {
    return fail(cudaErrorInvalidSymbol,
                fmt::format("{}: {}; clang 14 to 16 drop __device__ variables in unnamed "
                            "namespaces; make the variable static instead",
                            call, error.what()));
  } catch (const std::exception& error) {
    return fail(cudaErrorInvalidSymbol, fmt::format("{}: {}", call, error.what()));
  }
}

/// The operation that is being performed touches a variable. A __constant__ variable has no buffer,
/// and what kernels read of it is not known.
void Runtime::touch_variable(const EmbeddedName& variable, std::size_t offset, std::size_t bytes,
                             AccessKind kind) {
  if (!ordering_.has_streams()) return;
  try {
    const std::uint32_t buffer = session_->buffer_of_symbol(variable.module->file(), variable.name);
    touch_device({buffer, offset}, bytes, kind);
  } catch (const ArgumentError&) {
    return;
  }
}

cudaError_t Runtime::write_variable(const void* shadow, std::size_t offset,
                                    std::span<const std::byte> bytes) {
  return with_variable("cudaMemcpyToSymbol", shadow, offset, bytes.size(),
                       [&](const EmbeddedName& variable, std::vector<std::byte>& all) {
                         std::copy(bytes.begin(), bytes.end(),
                                   all.begin() + static_cast<std::ptrdiff_t>(offset));
                         touch_variable(variable, offset, bytes.size(), AccessKind::write);
                         session_->set_symbol(variable.module->file(), variable.name, all);
                         const auto copy = constants_.find({variable.module, variable.name});
                         if (copy != constants_.end()) session_->write(copy->second, 0, all);
                       });
}

cudaError_t Runtime::read_variable(const void* shadow, std::size_t offset,
                                   std::span<std::byte> bytes) {
  return with_variable("cudaMemcpyFromSymbol", shadow, offset, bytes.size(),
                       [&](const EmbeddedName& variable, std::vector<std::byte>& all) {
                         touch_variable(variable, offset, bytes.size(), AccessKind::read);
                         std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(offset),
                                     bytes.size(), bytes.begin());
                       });
}

cudaError_t Runtime::copy_to_variable(const void* shadow, const void* from, std::size_t size,
                                      std::size_t offset, cudaMemcpyKind kind) {
  const bool of_device =
      kind == cudaMemcpyDeviceToDevice || (kind == cudaMemcpyDefault && is_of_device(from));
  if (!of_device && kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDefault) {
    return fail(cudaErrorInvalidMemcpyDirection,
                "cudaMemcpyToSymbol: a variable of the device is not memory of the host");
  }
  std::span<const std::byte> bytes(static_cast<const std::byte*>(from), size);
  std::vector<std::byte> copied;
  if (of_device) {
    if (!find(from, size)) return refuse_range("cudaMemcpyToSymbol", "from", from, size);
    copied.resize(size);
    const cudaError_t error = copy(copied.data(), from, size, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) return error;
    bytes = copied;
  } else if (const cudaError_t error =
                 touch_host_of_copy("cudaMemcpyToSymbol", "from", from, size, AccessKind::read);
             error != cudaSuccess) {
    return error;
  }
  return write_variable(shadow, offset, bytes);
}

cudaError_t Runtime::copy_from_variable(void* to, const void* shadow, std::size_t size,
                                        std::size_t offset, cudaMemcpyKind kind) {
  const bool to_device =
      kind == cudaMemcpyDeviceToDevice || (kind == cudaMemcpyDefault && is_of_device(to));
  if (!to_device && kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDefault) {
    return fail(cudaErrorInvalidMemcpyDirection,
                "cudaMemcpyFromSymbol: a variable of the device is not memory of the host");
  }
  if (!to_device) {
    const cudaError_t error =
        touch_host_of_copy("cudaMemcpyFromSymbol", "to", to, size, AccessKind::write);
    if (error != cudaSuccess) return error;
    return read_variable(shadow, offset, {static_cast<std::byte*>(to), size});
  }
  if (!find(to, size)) return refuse_range("cudaMemcpyFromSymbol", "to", to, size);
  std::vector<std::byte> copied(size);
  const cudaError_t error = read_variable(shadow, offset, copied);
  return error == cudaSuccess ? copy(to, copied.data(), size, cudaMemcpyHostToDevice) : error;
}

void Runtime::add_managed_variable(void** pointer, EmbeddedModule* module, const std::string& name,
                                   std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  managed_.push_back({pointer, {module, name, nullptr}, bytes});
  variables_[pointer] = {module, name, nullptr};
}

void Runtime::place_managed_variables(EmbeddedModule* module) {
  const std::lock_guard lock(mutex_);
  std::vector<ManagedVariable> mine;
  std::erase_if(managed_, [&](const ManagedVariable& variable) {
    if (variable.name.module != module) return false;
    mine.push_back(variable);
    return true;
  });
  for (const ManagedVariable& variable : mine) {
    try {
      const SharedKernelFile& file = module->file();
      const std::vector<std::byte> initial = session_->symbol(file, variable.name.name);
      const cudaError_t error = allocate_for_both("a managed variable", variable.pointer,
                                                  variable.bytes, MemoryKind::managed);
      if (error != cudaSuccess) continue;
      const std::uint32_t buffer = find(*variable.pointer)->buffer;
      live_[buffer].is_variable = true;
      session_->write(buffer, 0, initial);
      session_->place_symbol(file, variable.name.name, buffer);
      variables_[*variable.pointer] = variable.name;
    } catch (const std::exception& error) {
      fail(cudaErrorInvalidSymbol, fmt::format("a managed variable: {}", error.what()));
    }
  }
}

// Constant memory is a space of its own, and its addresses mean nothing to the host. The host gets
// the address of a buffer in global memory, which has the same bytes as the constant.
std::uint32_t Runtime::copy_of_constant(const EmbeddedName& variable) {
  const auto [found, is_new] = constants_.try_emplace({variable.module, variable.name}, 0);
  if (!is_new) return found->second;
  const std::vector<std::byte> bytes = session_->symbol(variable.module->file(), variable.name);
  found->second = session_->add_buffer(variable.name, bytes);
  live_[found->second] = {.bytes = bytes.size(), .is_variable = true, .made = host_call()};
  constant_of_[found->second] = variable;
  return found->second;
}

void Runtime::update_constant(std::uint32_t buffer) {
  const auto found = constant_of_.find(buffer);
  if (found == constant_of_.end()) return;
  session_->set_symbol(found->second.module->file(), found->second.name,
                       std::as_const(*session_).data(buffer));
}

cudaError_t Runtime::find_variable(const char* call, const void* shadow, void** pointer,
                                   std::size_t* bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = variables_.find(shadow);
  if (found == variables_.end()) {
    return fail(cudaErrorInvalidSymbol, fmt::format("{}: the program has no such variable", call));
  }
  return find_variable(call, found->second, pointer, bytes);
}

cudaError_t Runtime::find_variable(const char* call, const EmbeddedName& variable, void** pointer,
                                   std::size_t* bytes) {
  const std::lock_guard lock(mutex_);
  try {
    const SharedKernelFile& file = variable.module->file();
    if (bytes != nullptr) *bytes = session_->symbol_bytes(file, variable.name);
    if (pointer != nullptr) {
      const bool is_constant =
          ptx::find_variable(file->module, variable.name).space == ptx::Space::constant;
      const std::uint32_t buffer = is_constant ? copy_of_constant(variable)
                                               : session_->buffer_of_symbol(file, variable.name);
      live_.try_emplace(buffer, Allocation{.bytes = std::as_const(*session_).data(buffer).size(),
                                           .is_variable = true});
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the machine, not of the host.
      *pointer = reinterpret_cast<void*>(Session::address(buffer));
    }
    return cudaSuccess;
  } catch (const std::exception& error) {
    return fail(cudaErrorInvalidSymbol, fmt::format("{}: {}", call, error.what()));
  }
}

}  // namespace bankproof::cuda

using bankproof::cuda::Runtime;

extern "C" {
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  const auto staged = runtime.staged(from, size, kind, stream);
  return runtime.perform("cudaMemcpyToSymbol", stream, [=, &runtime] {
    return runtime.copy_to_variable(symbol, staged ? staged->data() : from, size, offset, kind);
  });
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset,
                               enum cudaMemcpyKind kind) {
  const cudaError_t error = cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind, nullptr);
  return error == cudaSuccess ? Runtime::get().synchronize(nullptr) : error;
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  const cudaError_t error = runtime.perform("cudaMemcpyFromSymbol", stream, [=, &runtime] {
    return runtime.copy_from_variable(to, symbol, size, offset, kind);
  });
  return error == cudaSuccess ? runtime.wait_after_copy_to(to, stream) : error;
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind) {
  const cudaError_t error = cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind, nullptr);
  return error == cudaSuccess ? Runtime::get().synchronize(nullptr) : error;
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  if (pointer == nullptr) return bankproof::cuda::no_place("cudaGetSymbolAddress");
  *pointer = nullptr;
  return Runtime::get().find_variable("cudaGetSymbolAddress", symbol, pointer, nullptr);
}
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  if (size == nullptr) return bankproof::cuda::no_place("cudaGetSymbolSize");
  *size = 0;
  return Runtime::get().find_variable("cudaGetSymbolSize", symbol, nullptr, size);
}
}
