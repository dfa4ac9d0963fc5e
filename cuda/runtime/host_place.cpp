// See host_place.hpp.
#include "host_place.hpp"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <unwind.h>

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "../../ptx/report/function_names.hpp"

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

/// Debug information that lies in the program's own files; it is not looked for elsewhere.
int no_separate_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                     GElf_Word, char**) {
  return -1;
}

/// The files of the process, read anew for each report: the program may load libraries.
class Symbols {
 public:
  Symbols() : dwfl_(dwfl_begin(&callbacks), dwfl_end) {
    if (dwfl_ == nullptr) return;
    dwfl_report_begin(dwfl_.get());
    dwfl_linux_proc_report(dwfl_.get(), getpid());
    dwfl_report_end(dwfl_.get(), nullptr, nullptr);
  }

  HostPlace place(std::uintptr_t address) const {
    HostPlace place;
    Dwfl_Module* const module = dwfl_ ? dwfl_addrmodule(dwfl_.get(), address) : nullptr;
    if (module == nullptr) return place;
    GElf_Sym symbol;
    GElf_Off offset = 0;
    const char* const name =
        dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
    if (name != nullptr) place.function = ptx::demangled(name);
    place.offset = offset;
    find_line(module, address, place);
    return place;
  }

 private:
  /// Looks at all compilation units, since clang makes no table of their addresses.
  static void find_line(Dwfl_Module* module, std::uintptr_t address, HostPlace& place) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = nullptr;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
      if (dwarf_haspc(unit, address - bias) <= 0) continue;
      Dwarf_Line* const found = dwarf_getsrc_die(unit, address - bias);
      int line = 0;
      if (found == nullptr || dwarf_lineno(found, &line) != 0 || line <= 0) continue;
      const char* const file = dwarf_linesrc(found, nullptr, nullptr);
      if (file == nullptr) continue;
      place.file = file;
      place.line = static_cast<std::uint32_t>(line);
      return;
    }
  }

  static constexpr Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                               .find_debuginfo = no_separate_file,
                                               .section_address = nullptr,
                                               .debuginfo_path = nullptr};
  std::unique_ptr<Dwfl, void (*)(Dwfl*)> dwfl_;
};

/// The object file that has the address; null if none has.
const void* object_of(std::uintptr_t address) {
  Dl_info info;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code.
  return dladdr(reinterpret_cast<void*>(address), &info) != 0 ? info.dli_fbase : nullptr;
}

/// A function of CUDA's APIs, such as cudaMalloc and cuMemAlloc_v2, or an overload of it from a
/// header.
bool is_of_cuda(const HostPlace& place) {
  const std::string_view name = place.function;
  const bool is_of_driver =
      name.starts_with("cu") && name.size() > 2 && name[2] >= 'A' && name[2] <= 'Z';
  // A function of the API may be a jump to one of these, and has no frame then.
  const bool is_of_machine =
      name.starts_with("bankproof::cuda::Runtime::") || name == "bankproof::cuda::host_call()";
  return name.starts_with("cuda") || name.starts_with("__cuda") || is_of_driver || is_of_machine;
}

/// A function that a compiler makes for a kernel, which launches it.
bool is_stub(const HostPlace& place) {
  return place.function.find("__device_stub__") != std::string::npos;
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
  const Symbols symbols;
  const auto here = reinterpret_cast<std::uintptr_t>(&host_call);
  const bool is_library = object_of(here) != object_of(getauxval(AT_ENTRY));
  std::vector<HostPlace> places;
  std::size_t called = 0;  // the place after the functions of the machine and of CUDA
  for (const std::uintptr_t address : call) {
    if (address == 0) break;
    // A return address is behind the call.
    places.push_back(symbols.place(address - 1));
    const bool own = is_library && object_of(address) == object_of(here);
    if (own || is_of_cuda(places.back())) called = places.size();
  }
  if (called < places.size() && is_stub(places[called])) {
    // nvcc's stub of f is __device_stub__Z1f, and a function f calls it; clang's is
    // __device_stub__f.
    called += places[called].function.starts_with("__device_stub__Z") ? 2U : 1U;
  }
  return called < places.size() ? places[called] : HostPlace();
}

std::string text_of(const HostPlace& place) {
  if (place.line != 0) return fmt::format("{}:{}", place.file, place.line);
  if (!place.function.empty()) return fmt::format("{}+{:#x}", place.function, place.offset);
  return "an unknown place";
}

}  // namespace bankproof::cuda
