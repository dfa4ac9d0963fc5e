// The state of the runtime, its errors and its report at the end; see runtime.hpp.
#include "runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "../../ptx/report/html.hpp"
#include "../../ptx/report/sources.hpp"
#include "../../ptx/report/stored.hpp"
#include "../../ptx/report/text.hpp"
#include "called_as.hpp"
#include "devices.hpp"
#include "refuse.hpp"

namespace bankproof::cuda {

namespace {

thread_local cudaError_t last_error = cudaSuccess;

/// 0 if the variable is not set.
std::uint64_t number_of_environment(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

/// Runs before main(), where no code could catch an exception. So an error ends the program.
std::unique_ptr<Session> session_from_environment() {
  SessionOptions options;
  if (const char* const machine = std::getenv("BANKPROOF_MACHINE"); machine != nullptr) {
    options.machine = machine;
  }
  options.schedule = number_of_environment("BANKPROOF_SCHEDULE");
  options.resident_blocks = number_of_environment("BANKPROOF_RESIDENT");
  options.every_launch = number_of_environment("BANKPROOF_EVERY_LAUNCH") != 0;
  options.verbose = number_of_environment("BANKPROOF_VERBOSE") != 0;
  try {
    return std::make_unique<Session>(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bankproof: BANKPROOF_MACHINE: {}\n", error.what());
    std::_Exit(3);
  }
}

/// Writes the HTML page about the launches; returns false if it cannot be written.
bool write_page(const char* path, const ptx::KernelReport& report) {
  ptx::SourceTexts sources;
  for (const std::string& name : ptx::reported_files(report)) {
    if (std::ifstream in(name, std::ios::binary); in) {
      sources[name] = {std::istreambuf_iterator<char>(in), {}};
    }
  }
  std::ofstream out(path, std::ios::binary);
  out << ptx::as_html(report, sources);
  out.close();
  if (!out) fmt::print(stderr, "bankproof: BANKPROOF_HTML: {} cannot be written\n", path);
  return out.good();
}

}  // namespace

Runtime& Runtime::get() {
  static Runtime runtime;
  return runtime;
}

Runtime::Runtime()
    : session_(session_from_environment()),
      ordering_(number_of_environment("BANKPROOF_SCHEDULE")),
      run_(RunFolder::of_environment()) {
  std::error_code ignored;
  folder_ = std::filesystem::current_path(ignored);
  // Streams of two devices are not ordered.
  if (device_count() > 1) ordering_.use_streams();
  ordering_.set_wait([this] {
    const RuntimeMutex::Away away(mutex_);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
}

// If there are faults that take_launches() has not returned, the program ends with exit code 1, as
// under a sanitizer.
Runtime::~Runtime() {
  {
    const std::lock_guard lock(mutex_);
    ordering_.perform_all();
  }
  find_at_end();
  if (run_ != nullptr) {
    run_->finish(report());
    return;
  }
  const char* const page = std::getenv("BANKPROOF_HTML");
  if (page == nullptr && untold_faults_ == 0) return;
  std::fflush(stdout);
  ptx::KernelReport report = this->report();
  const bool written = page == nullptr || write_page(page, report);
  if (untold_faults_ > 0) {
    if (!folder_.empty()) ptx::name_files_from(report, folder_);
    fmt::print(stderr, "{}bankproof: kernels of this program were at fault on {}\n",
               ptx::faults_text(report), report.machine);
  }
  std::fflush(stderr);
  if (untold_faults_ > 0) std::_Exit(1);
  if (!written) std::_Exit(3);
}

void Runtime::say(const std::string& why) {
  Runtime& runtime = get();
  if (runtime.run_ != nullptr) {
    runtime.run_->say(CalledAs::renamed(why));
  } else {
    fmt::print(stderr, "bankproof: {}\n", CalledAs::renamed(why));
  }
}

cudaError_t Runtime::fail(cudaError_t error, const std::string& why) {
  say(why);
  Runtime& runtime = get();
  const std::lock_guard lock(runtime.mutex_);
  runtime.unlooked_[std::this_thread::get_id()] = {CalledAs::renamed(why),
                                                   runtime.call_in_progress()};
  return last_error = error;
}

cudaError_t Runtime::fail_with(ptx::FaultKind kind, cudaError_t error, const std::string& why) {
  found(kind, why, call_in_progress());
  return fail(error, why);
}

HostCall Runtime::call_in_progress() const {
  const Enqueued* const late = ordering_.is_late() ? ordering_.current_place() : nullptr;
  return late != nullptr ? late->call : host_call();
}

void Runtime::found(ptx::FaultKind kind, const std::string& message, const HostCall& call) {
  const ptx::FaultReport* const fault = findings_.add(kind, CalledAs::renamed(message), call);
  if (fault == nullptr) return;
  ++untold_faults_;
  if (run_ != nullptr) run_->add(*fault);
}

ptx::KernelReport Runtime::report() const {
  ptx::KernelReport all = session_->report();
  if (saved_ != nullptr) saved_->name_in(all);
  ptx::KernelReport calls;
  calls.faults = findings_.all();
  calls.library_calls = library_calls_;
  ptx::join(all, calls);
  return all;
}

/// The findings that only the end of the program shows.
void Runtime::find_at_end() {
  for (const auto& [thread, failure] : unlooked_) {
    found(ptx::FaultKind::unchecked_error,
          "the call failed, and the program never looked: " + failure.why, failure.call);
  }
  if (std::getenv("BANKPROOF_LEAK_CHECK") == nullptr) return;
  for (const auto& [buffer, allocation] : live_) {
    if (allocation.is_variable || !allocation.exists || allocation.mappings) continue;
    found(ptx::FaultKind::leak,
          fmt::format("{} bytes are not freed when the program ends", allocation.bytes),
          allocation.made);
  }
}

int refuse(const char* function, const char* why) {
  return Runtime::fail(cudaErrorNotSupported, fmt::format("{} fails here: {}", function, why));
}

int refuse_without_last_error(const char* function, const char* why) {
  const cudaError_t before = Runtime::last();
  const int error = refuse(function, why);
  Runtime::set_last(before);
  return error;
}

cudaError_t Runtime::take_error() {
  error();
  return std::exchange(last_error, cudaSuccess);
}

cudaError_t Runtime::last() { return last_error; }
void Runtime::set_last(cudaError_t error) { last_error = error; }

cudaError_t Runtime::error() {
  Runtime& runtime = get();
  const std::lock_guard lock(runtime.mutex_);
  runtime.unlooked_.erase(std::this_thread::get_id());
  return last_error;
}

std::vector<ptx::KernelReport> Runtime::take_launches() {
  const std::lock_guard lock(mutex_);
  keeps_launches_ = true;
  untold_faults_ = 0;
  aborted_.clear();  // the program judges the launches itself, and goes on
  return std::exchange(launches_, {});
}

void Runtime::set_schedule(std::uint64_t resident_blocks, std::uint64_t schedule) {
  const std::lock_guard lock(mutex_);
  session_->set_schedule(resident_blocks, schedule);
}

void set_schedule(std::uint64_t resident_blocks, std::uint64_t schedule) {
  Runtime::get().set_schedule(resident_blocks, schedule);
}

std::vector<ptx::FaultReport> Runtime::take_findings() {
  const std::lock_guard lock(mutex_);
  std::vector<ptx::FaultReport> taken = findings_.take();
  untold_faults_ -= std::min<std::uint64_t>(untold_faults_, taken.size());
  return taken;
}

std::vector<ptx::FaultReport> take_findings() { return Runtime::get().take_findings(); }

std::vector<ptx::KernelReport> take_launches() { return Runtime::get().take_launches(); }

EmbeddedModule* Runtime::add_module(const FatBinaryWrapper& wrapper) {
  const std::lock_guard lock(mutex_);
  modules_.push_back(std::make_unique<EmbeddedModule>(wrapper));
  return modules_.back().get();
}

EmbeddedModule* Runtime::add_module(SharedKernelFile file) {
  const std::lock_guard lock(mutex_);
  modules_.push_back(std::make_unique<EmbeddedModule>(std::move(file)));
  return modules_.back().get();
}

void Runtime::add_kernel(const void* stub, EmbeddedModule* module, const std::string& name) {
  const std::lock_guard lock(mutex_);
  EmbeddedName& entry = kernels_[stub];
  entry = {module, name, stub};
  kernel_handles_.insert(&entry);
}

const EmbeddedName* Runtime::handle_of(EmbeddedModule* module, const std::string& name) {
  const std::lock_guard lock(mutex_);
  EmbeddedName& entry = loaded_kernels_[{module, name}];
  entry = {module, name};
  kernel_handles_.insert(&entry);
  return &entry;
}

void Runtime::remove_handle(const EmbeddedName* kernel) {
  const std::lock_guard lock(mutex_);
  kernel_handles_.erase(kernel);
}

void Runtime::remove_handles(const EmbeddedModule* module) {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, kernel] : loaded_kernels_) {
    if (name.first == module) kernel_handles_.erase(&kernel);
  }
}

void Runtime::add_variable(const void* shadow, EmbeddedModule* module, const std::string& name) {
  const std::lock_guard lock(mutex_);
  variables_[shadow] = {module, name, nullptr};
}

}  // namespace bankproof::cuda
