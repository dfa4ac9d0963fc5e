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

bool is_of_the_machine(const HostPlace& place, bool in_own_library) {
  const std::string_view name = place.function;
  return in_own_library || name.starts_with("cuda") || name.starts_with("__cuda") ||
         name.starts_with("bankproof::") || name.starts_with("__device_stub__") ||
         name.find("::__device_stub__") != std::string_view::npos;
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
  bool after_stub = false;
  HostPlace last;
  for (const std::uintptr_t address : call) {
    if (address == 0) break;
    // A return address is behind the call.
    HostPlace place = symbols.place(address - 1);
    const bool own = is_library && object_of(address) == object_of(here);
    const bool is_stub = place.function.find("__device_stub__") != std::string::npos;
    if (!is_of_the_machine(place, own)) {
      // nvcc's stub is called by a function with the kernel's name.
      if (!after_stub) return place;
      last = place;
    }
    after_stub = is_stub;
  }
  return last;
}

std::string text_of(const HostPlace& place) {
  if (place.line != 0) return fmt::format("{}:{}", place.file, place.line);
  if (!place.function.empty()) return fmt::format("{}+{:#x}", place.function, place.offset);
  return "an unknown place";
}

}  // namespace bankproof::cuda
