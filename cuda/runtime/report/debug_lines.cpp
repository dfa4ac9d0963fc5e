// See debug_lines.hpp.
#include "debug_lines.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <unistd.h>

#include <cstdlib>
#include <span>
#include <string>
#include <utility>

#include "../../../ptx/report/function_names.hpp"

namespace bankproof::cuda {

namespace {

/// Debug information that lies in the program's own files; it is not looked for elsewhere.
int no_separate_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                     GElf_Word, char**) {
  return -1;
}
constexpr Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                      .find_debuginfo = no_separate_file,
                                      .section_address = nullptr,
                                      .debuginfo_path = nullptr};

using Scopes = std::unique_ptr<Dwarf_Die, void (*)(void*)>;

struct Line {
  std::string file;
  std::uint32_t number = 0;
};

Line line_at(Dwarf_Line* at) {
  int number = 0;
  if (at == nullptr || dwarf_lineno(at, &number) != 0 || number <= 0) return {};
  const char* const file = dwarf_linesrc(at, nullptr, nullptr);
  if (file == nullptr) return {};
  return {file, static_cast<std::uint32_t>(number)};
}

/// The line of the address. A compiler gives instructions that are of no line the line 0; they get
/// the line of the instruction before.
Line line_of(Dwarf_Die* unit, Dwarf_Addr address) {
  Line line = line_at(dwarf_getsrc_die(unit, address));
  if (line.number != 0) return line;
  Dwarf_Lines* lines = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(unit, &lines, &count) != 0) return {};
  for (std::size_t k = 0; k < count; ++k) {  // in the order of their addresses
    Dwarf_Line* const one = dwarf_onesrcline(lines, k);
    Dwarf_Addr begin = 0;
    if (dwarf_lineaddr(one, &begin) != 0) continue;
    if (begin > address) break;
    const Line found = line_at(one);
    if (found.number != 0) line = found;
  }
  return line;
}

std::string name_of(Dwarf_Die* function) {
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    Dwarf_Attribute value;
    const char* const name = dwarf_formstring(dwarf_attr_integrate(function, attribute, &value));
    if (name != nullptr) return ptx::demangled(name);
  }
  const char* const name = dwarf_diename(function);
  return name == nullptr ? "" : name;
}

std::uint64_t attribute_of(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute value;
  Dwarf_Word number = 0;
  dwarf_formudata(dwarf_attr_integrate(die, attribute, &value), &number);
  return number;
}

/// The line of the call in whose place the function's code stands.
Line line_of_call(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0) return {};
  const char* const file =
      dwarf_filesrc(files, attribute_of(inlined, DW_AT_call_file), nullptr, nullptr);
  if (file == nullptr) return {};
  return {file, static_cast<std::uint32_t>(attribute_of(inlined, DW_AT_call_line))};
}

/// The functions at the address whose code stands in the place of a call, innermost first.
std::vector<Dwarf_Die> inlined_at(Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Die* found = nullptr;
  if (dwarf_getscopes(unit, address, &found) <= 0) return {};
  const Scopes innermost(found, std::free);
  // The first list has the scopes around the address in the source; this one has those in the code,
  // where functions are inlined.
  const int count = dwarf_getscopes_die(innermost.get(), &found);
  if (count <= 0) return {};
  const Scopes scopes(found, std::free);
  std::vector<Dwarf_Die> inlined;
  for (Dwarf_Die& scope : std::span(scopes.get(), static_cast<std::size_t>(count))) {
    if (dwarf_tag(&scope) == DW_TAG_subprogram) break;
    if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine) inlined.push_back(scope);
  }
  return inlined;
}

}  // namespace

DebugLines::DebugLines() : dwfl_(dwfl_begin(&callbacks), dwfl_end) {
  if (dwfl_ == nullptr) return;
  dwfl_report_begin(dwfl_.get());
  dwfl_linux_proc_report(dwfl_.get(), getpid());
  dwfl_report_end(dwfl_.get(), nullptr, nullptr);
}

std::vector<HostPlace> DebugLines::places(std::uintptr_t address) const {
  HostPlace own;  // in the function that has code of its own
  Dwfl_Module* const module = dwfl_ ? dwfl_addrmodule(dwfl_.get(), address) : nullptr;
  if (module == nullptr) return {own};
  GElf_Sym symbol;
  GElf_Off offset = 0;
  const char* const name =
      dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name != nullptr) own.function = ptx::demangled(name);
  own.offset = offset;
  // All compilation units, since clang makes no table of their addresses.
  std::vector<HostPlace> places;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    if (dwarf_haspc(unit, address - bias) <= 0) continue;
    Line line = line_of(unit, address - bias);
    if (line.number == 0) continue;
    for (Dwarf_Die& inlined : inlined_at(unit, address - bias)) {
      places.push_back({std::move(line.file), line.number, name_of(&inlined)});
      line = line_of_call(unit, &inlined);
    }
    own.file = std::move(line.file);
    own.line = line.number;
    break;
  }
  places.push_back(std::move(own));
  return places;
}

}  // namespace bankproof::cuda
