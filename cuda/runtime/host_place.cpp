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
    int line = 0;
    Dwfl_Line* const found = dwfl_module_getsrc(module, address);
    const char* const file = found == nullptr
                                 ? nullptr
                                 : dwfl_lineinfo(found, nullptr, &line, nullptr, nullptr, nullptr);
    if (file != nullptr && line > 0) {
      place.file = file;
      place.line = static_cast<std::uint32_t>(line);
    }
    return place;
  }

 private:
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

/// A function of CUDA's API, or an overload of it from a header.
bool is_of_cuda(const HostPlace& place) {
  const std::string_view name = place.function;
  return name.starts_with("cuda") || name.starts_with("__cuda");
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
    // nvcc's stub is called by a function with the kernel's name; clang's stub has its namespace.
    called += places[called].function.starts_with("__device_stub__") ? 2U : 1U;
  }
  return called < places.size() ? places[called] : HostPlace();
}

std::string text_of(const HostPlace& place) {
  if (place.line != 0) return fmt::format("{}:{}", place.file, place.line);
  if (!place.function.empty()) return fmt::format("{}+{:#x}", place.function, place.offset);
  return "an unknown place";
}

}  // namespace bankproof::cuda
