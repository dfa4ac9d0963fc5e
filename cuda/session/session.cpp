// Sessions decode each kernel once; see session.hpp.
#include "session.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "../../ptx/exec/family.hpp"
#include "../../ptx/exec/limits.hpp"
#include "../../ptx/exec/module_variables.hpp"
#include "../../ptx/flow/oblivious.hpp"
#include "../../ptx/report/function_names.hpp"
#include "../../ptx/report/text.hpp"
#include "../../ptx/syntax/layout.hpp"
#include "../../ptx/syntax/parser.hpp"
#include "launch_state.hpp"
#include "session_state.hpp"

namespace bankproof::cuda {

namespace {

std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw CompileError(path + ": is a folder");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw CompileError(path + ": cannot be read");
  return text;
}

/// Decodes a kernel. If an instruction is unsupported, the error names its source line, if it has
/// one.
ptx::Program decoded(const KernelFile& file, const std::string& kernel) {
  try {
    return ptx::decode(file.module, kernel);
  } catch (const ptx::UnsupportedInstruction& error) {
    const ptx::SiteStatement site{error.site().function, error.site().statement};
    const ptx::Origin origin = ptx::origins_of(file.module, {&site, 1}, file.source).front();
    const std::string& ptx = ptx::file_of(file.module, file.module.functions[site.function]);
    if (origin.at.line == 0 || origin.at.file == ptx) throw;
    throw ptx::Error(
        ptx::chain_text(origin.at, origin.chain) + ": unsupported: " + error.instruction(), ptx,
        error.place());
  }
}

}  // namespace

KernelFile load_kernels(const std::string& path, const CompileOptions& options) {
  return load_kernel_text(path, options).file;
}

KernelText load_kernel_text(const std::string& path, const CompileOptions& options) {
  if (path.ends_with(".ptx")) {
    std::string text = read_text(path);
    ptx::Module module = ptx::parse(text, path);
    return {{std::move(module), ""}, std::move(text)};
  }
  PtxText compiled = compile(path, options);
  ptx::Module module = ptx::parse(compiled.text, path + ", as PTX");
  return {{std::move(module), path}, std::move(compiled.text)};
}

void require_shape(const ptx::LaunchShape& shape) {
  try {
    ptx::check_shape(shape);
  } catch (const std::invalid_argument& error) {
    throw ArgumentError(error.what());
  }
}

Session::Ready::Ready(const KernelFile& file, const ptx::Function& kernel)
    : program(decoded(file, kernel.name)), name(ptx::demangled(kernel.name)) {
  std::vector<ptx::SiteStatement> sites;
  const ptx::Family* const family = program.family.get();
  const std::vector<ptx::Site>& all = family == nullptr ? program.sites : family->sites;
  sites.reserve(all.size());
  for (const ptx::Site& site : all) sites.push_back({site.function, site.statement});
  origins = ptx::origins_of(file.module, sites, file.source);
  reported = std::make_unique<ptx::ReportBuilder::Kernel>(name, origins);
  for (std::size_t k = 0; family != nullptr && k < family->kernels.size(); ++k) {
    child_names.push_back(ptx::demangled(family->kernels[k].name));
    children.push_back(std::make_unique<ptx::ReportBuilder::Kernel>(child_names.back(), origins));
  }
  is_oblivious = !program.precise && !program.copies && !ptx::data_dependence(kernel);
}

Session::Session(const SessionOptions& options) : state_(std::make_unique<State>(options)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::uint32_t Session::add_buffer(const std::string& name, std::uint64_t bytes) {
  if (bytes == 0 || bytes > ptx::most_buffer_bytes) {
    throw ArgumentError(fmt::format("{} has {} bytes; a buffer has 1 to 2^36", name, bytes));
  }
  return state_->memory.add_buffer(name, bytes, false);
}

std::uint32_t Session::add_buffer(const std::string& name, std::span<const std::byte> contents) {
  const std::uint32_t buffer = add_buffer(name, contents.size());
  state_->memory.write(buffer, 0, contents);
  return buffer;
}

void Session::add_buffer(std::uint32_t kept, const std::string& name, std::uint64_t bytes) {
  state_->memory.add_buffer(kept, name, bytes);
}

std::uint32_t Session::next_buffer() const {
  return static_cast<std::uint32_t>(state_->memory.size());
}

std::uint32_t Session::add_mapped_buffer(const std::string& name, std::span<std::byte> mapped) {
  return state_->memory.add_buffer(name, mapped.size(), mapped.data());
}

void Session::add_mapped_buffer(std::uint32_t kept, const std::string& name,
                                std::span<std::byte> mapped) {
  state_->memory.add_buffer(kept, name, mapped.size(), mapped.data());
}

std::uint32_t Session::keep_number() { return state_->memory.keep_number(); }

std::span<std::byte> Session::data(std::uint32_t buffer) { return state_->memory.data(buffer); }
std::span<const std::byte> Session::data(std::uint32_t buffer) const {
  return std::as_const(state_->memory).data(buffer);
}
void Session::define(std::uint32_t buffer) { state_->memory.define(buffer); }

void Session::write(std::uint32_t buffer, std::uint64_t offset, std::span<const std::byte> bytes) {
  state_->memory.write(buffer, offset, bytes);
}

void Session::fill(std::uint32_t buffer, std::uint64_t offset, std::uint64_t bytes,
                   std::span<const std::byte> pattern) {
  state_->memory.fill(buffer, offset, bytes, pattern);
}

void Session::copy(std::uint32_t to, std::uint64_t to_offset, std::uint32_t from,
                   std::uint64_t from_offset, std::uint64_t bytes) {
  state_->memory.copy(to, to_offset, from, from_offset, bytes);
}

void Session::release(std::uint32_t buffer) {
  state_->repeats.release(state_->memory, buffer);
  state_->memory.release(buffer);
}

bool Session::set_heap_bytes(std::uint64_t bytes) {
  ptx::Heap& heap = state_->memory.heap();
  if (heap.is_used) return false;
  heap.most_bytes = bytes;
  return true;
}

std::uint32_t Session::allocate_in_heap(std::uint64_t bytes) {
  const auto buffer = state_->memory.allocate_in_heap(bytes);
  if (!buffer) throw ArgumentError(fmt::format("the heap has no {} bytes", bytes));
  return *buffer;
}

void Session::free_in_heap(std::uint32_t buffer) {
  ptx::GlobalMemory& memory = state_->memory;
  state_->repeats.release(memory, buffer);
  memory.heap().free(buffer, ptx::no_site);
  memory.keep();
}

std::optional<std::pair<std::uint32_t, std::uint64_t>> Session::place(std::uint64_t address) {
  const std::uint64_t block = address >> ptx::buffer_shift;
  if (block == 0 || block > std::uint64_t{1} << 27) return {};
  return std::pair(static_cast<std::uint32_t>(block - 1),
                   address & ((std::uint64_t{1} << ptx::buffer_shift) - 1));
}

std::uint64_t Session::address(std::uint32_t buffer, std::uint64_t offset) {
  return ptx::buffer_address(buffer) + offset;
}

std::uint64_t Session::symbol_bytes(const SharedKernelFile& file, const std::string& name) const {
  return ptx::bytes_of(ptx::find_variable(file->module, name, name_of(*file)));
}

std::vector<std::byte> Session::symbol(const SharedKernelFile& file, const std::string& name) {
  ptx::GlobalMemory& memory = state_->memory;
  return ptx::read_variable(file->module, ptx::find_variable(file->module, name, name_of(*file)),
                            memory, memory.module(state_->module(file)));
}

void Session::set_symbol(const SharedKernelFile& file, const std::string& name,
                         std::span<const std::byte> bytes) {
  const ptx::Variable& variable = ptx::find_variable(file->module, name, name_of(*file));
  if (const std::uint64_t size = ptx::bytes_of(variable); size != bytes.size()) {
    throw ArgumentError(fmt::format("variable {} has {} bytes, not {}",
                                    ptx::demangled(variable.name), size, bytes.size()));
  }
  ptx::GlobalMemory& memory = state_->memory;
  ptx::write_variable(file->module, variable, memory, memory.module(state_->module(file)), bytes);
}

void Session::place_symbol(const SharedKernelFile& file, const std::string& name,
                           std::uint32_t buffer) {
  const ptx::Variable& variable = ptx::find_variable(file->module, name, name_of(*file));
  ptx::ModuleMemory& variables = state_->memory.module(state_->module(file));
  variables.globals[variable.name] = buffer;
  ++variables.version;
}

std::uint32_t Session::buffer_of_symbol(const SharedKernelFile& file, const std::string& name) {
  const ptx::Variable& variable = ptx::find_variable(file->module, name, name_of(*file));
  symbol(file, name);  // gives the variable its buffer
  const auto& globals = state_->memory.module(state_->module(file)).globals;
  const auto found = globals.find(variable.name);
  if (found == globals.end()) {
    throw ArgumentError(ptx::demangled(variable.name) +
                        " is in constant memory, which has no address of its own");
  }
  return found->second;
}

LaunchState Session::state_before_launch(const SharedKernelFile& file, const std::string& kernel) {
  const ptx::Function& function = ptx::find_kernel(file->module, kernel, name_of(*file));
  ptx::GlobalMemory& memory = state_->memory;
  ptx::ModuleMemory& variables = memory.module(state_->module(file));
  const ptx::Program& program = state_->kernel(file, function).program;
  ptx::place_globals(program, memory, variables);
  for (std::size_t k = 0; program.family != nullptr && k < program.family->kernels.size(); ++k) {
    const ptx::Program* const child = program.family->kernels[k].program.get();
    if (child != nullptr) ptx::place_globals(*child, memory, variables);
  }
  const auto state_of = [&](std::uint32_t number) -> LaunchState::BufferState {
    const auto bytes = data(number);
    std::string name = memory[number].name;
    if (bytes.empty()) name.resize(name.size() - ptx::Buffer::freed_ending.size());
    return {name, {bytes.begin(), bytes.end()}, memory.undefined(number)};
  };
  LaunchState before;
  for (std::uint32_t number = 0; number < memory.size(); ++number) {
    before.buffers.push_back(state_of(number));
  }
  before.heap_bytes = memory.heap().most_bytes;
  for (std::uint32_t number = ptx::Heap::first; number < memory.heap().end(); ++number) {
    before.heap.push_back(state_of(number));
  }
  before.globals = variables.globals;
  before.constants = variables.constants;
  return before;
}

std::optional<std::uint64_t> Session::first_undefined(std::uint32_t buffer, std::uint64_t offset,
                                                      std::uint64_t bytes) const {
  return std::as_const(state_->memory).first_undefined(buffer, offset, bytes);
}

void Session::undefine(std::uint32_t buffer, std::uint64_t offset, std::uint64_t bytes) {
  state_->memory.undefine(buffer, offset, bytes);
}

void Session::set_schedule(std::uint64_t resident_blocks, std::uint64_t schedule) {
  state_->options.resident_blocks = resident_blocks;
  state_->options.schedule = schedule;
}

ptx::KernelReport Session::report() const { return state_->report(state_->builder); }

}  // namespace bankproof::cuda
