// See host_place.hpp.
#include "host_place.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <unwind.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <vector>

#include "../../../ptx/report/function_names.hpp"
#include "debug_lines.hpp"

namespace bankproof::cuda {

namespace {

struct Walk {
  HostCall* call;
  std::size_t count;
};

_Unwind_Reason_Code keep(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  if (walk.count == walk.call->size()) return _URC_END_OF_STACK;
  (*walk.call)[walk.count++] = _Unwind_GetIP(context);
  return _URC_NO_REASON;
}

/// The object file that has the address; null if none has.
const void* object_of(std::uintptr_t address) {
  Dl_info info;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code.
  return dladdr(reinterpret_cast<void*>(address), &info) != 0 ? info.dli_fbase : nullptr;
}

/// A function of CUDA's APIs, such as cudaMalloc, cuMemAlloc_v2 and cublasSgemm_v2.
bool is_of_cuda(std::string_view name) {
  for (const std::string_view library : {"cublas", "cufft", "curand", "cusparse"}) {
    if (name.starts_with(library)) return true;
  }
  const bool is_of_driver =
      name.starts_with("cu") && name.size() > 2 && name[2] >= 'A' && name[2] <= 'Z';
  // A function of the API may be a jump to one of these, and has no frame then.
  const bool is_of_machine = name.starts_with("bankproof::cuda::Runtime::") ||
                             name == "bankproof::cuda::host_call()" ||
                             name.starts_with("bankproof::cuda::driver::OfThread<");
  return name.starts_with("cuda") || name.starts_with("__cuda") || is_of_driver || is_of_machine;
}

/// A header with overloads of functions of CUDA's runtime.
bool is_header_of_cuda(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name == "cuda_runtime.h" || name == "cuda_runtime_api.h" || name == "overloads.h";
}

/// A function that a compiler makes for a kernel, on the way to its launch. That of nvcc for a
/// kernel f is __device_stub__Z1f; the function f calls it, for a template by a function
/// __wrapper__device_stub_f. clang's is __device_stub__f, and there is no function f.
bool is_stub(const HostPlace& place) {
  return place.function.find("__device_stub_") != std::string::npos;
}

/// The last name in `outer::f<int>(int*)`: f.
std::string_view last_name(std::string_view function) {
  const std::size_t scopes_end = function.find("(anonymous namespace)::");
  if (scopes_end != std::string_view::npos) {
    function.remove_prefix(scopes_end + std::string_view("(anonymous namespace)::").size());
  }
  function = function.substr(0, function.find_first_of("<("));
  return function.substr(function.find_last_of(": ") + 1);
}

/// Whether the function is nvcc's own of the kernel that this stub launches.
bool is_kernel_of(const HostPlace& stub, const HostPlace& place) {
  constexpr std::string_view prefix = "__device_stub_";
  const std::size_t begin = stub.function.find(prefix);
  if (begin == std::string::npos) return false;
  std::string mangled = stub.function.substr(begin + prefix.size());
  mangled.erase(std::min(mangled.find('('), mangled.size()));
  const std::string kernel = ptx::demangled(mangled);
  if (kernel == mangled) return false;  // clang's
  return last_name(place.function) == last_name(kernel);
}

/// The place of the launch, if stubs begin at places[first]; else `first`.
std::size_t behind_stubs(const std::vector<HostPlace>& places, std::size_t first) {
  std::size_t next = first;
  while (next + 1 < places.size() && is_stub(places[next])) ++next;
  const bool is_kernel =
      next > first && next + 1 < places.size() && is_kernel_of(places[first], places[next]);
  return is_kernel ? next + 1 : next;
}

}  // namespace

HostCall host_call() {
  HostCall call{};
  Walk walk{&call, 0};
  _Unwind_Backtrace(keep, &walk);
  return call;
}

HostPlace place_of(const HostCall& call) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const DebugLines lines;
  const auto here = reinterpret_cast<std::uintptr_t>(&host_call);
  const bool is_library = object_of(here) != object_of(getauxval(AT_ENTRY));
  std::vector<HostPlace> places;
  std::size_t called = 0;  // the place after the functions of the machine and of CUDA
  for (const std::uintptr_t address : call) {
    if (address == 0) break;
    const bool own = is_library && object_of(address) == object_of(here);
    // A return address is behind the call.
    for (HostPlace& place : lines.places(address - 1)) {
      // If the machine is a library, the program has functions of CUDA only from headers.
      const bool may_be_of_cuda = !is_library || place.line == 0 ||
                                  place.function.starts_with("__cuda") ||
                                  is_header_of_cuda(place.file);
      const bool is_inside = own || (may_be_of_cuda && is_of_cuda(place.function));
      places.push_back(std::move(place));
      if (is_inside) called = places.size();
    }
  }
  return called < places.size() ? places[behind_stubs(places, called)] : HostPlace();
}

std::string text_of(const HostPlace& place) {
  if (place.line != 0) return fmt::format("{}:{}", place.file, place.line);
  if (!place.function.empty()) return fmt::format("{}+{:#x}", place.function, place.offset);
  return "an unknown place";
}

}  // namespace bankproof::cuda
