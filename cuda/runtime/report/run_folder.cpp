// See run_folder.hpp.
#include "run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "../../../ptx/report/stored.hpp"

namespace bankproof::cuda {

namespace {

constexpr int permissions = 0600;

/// Appends the text in one call, so that lines of several threads do not mix.
bool append(int descriptor, std::string_view text) {
  return ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// If `exec` is killed, the program that it has started ends, too: nobody would report on it.
void end_with_exec() {
  const char* const exec = std::getenv("BANKPROOF_RUN_BY");
  if (exec != nullptr && std::atoll(exec) == getppid()) prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace

std::unique_ptr<RunFolder> RunFolder::of_environment() {
  const char* const folder = std::getenv("BANKPROOF_RUN");
  if (folder == nullptr || *folder == '\0') return nullptr;
  return std::make_unique<RunFolder>(folder);
}

RunFolder::RunFolder(std::string folder) : folder_(std::move(folder)) {
  end_with_exec();
  begin_process();
}

RunFolder::~RunFolder() {
  if (progress_ != nullptr) munmap(progress_, sizeof(RunProgress));
}

std::string RunFolder::path(const char* kind) const {
  return fmt::format("{}/{}-{}", folder_, kind, getpid());
}

void RunFolder::begin_process() {
  if (progress_ != nullptr) munmap(progress_, sizeof(RunProgress));
  progress_ = nullptr;
  const int file = open(path("progress").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, permissions);
  if (file < 0) return;
  if (ftruncate(file, sizeof(RunProgress)) == 0) {
    void* const mapped =
        mmap(nullptr, sizeof(RunProgress), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) progress_ = static_cast<RunProgress*>(mapped);
  }
  close(file);
}

void RunFolder::begin_launch(const std::string& kernel) {
  if (progress_ == nullptr) return;
  const std::size_t length = std::min(kernel.size(), RunProgress::longest_name);
  std::memcpy(progress_->kernel.data(), kernel.data(), length);
  progress_->kernel[length] = '\0';
}

void RunFolder::end_launch(const ptx::KernelReport& launch, bool checked) {
  for (const ptx::FaultReport& fault : launch.faults) add(fault);
  if (progress_ == nullptr) return;
  progress_->kernel[0] = '\0';
  ++(checked ? progress_->launches : progress_->unchecked);
}

void RunFolder::end_library_call() {
  if (progress_ != nullptr) ++progress_->library_calls;
}

void RunFolder::refuse_launch() {
  if (progress_ != nullptr) progress_->kernel[0] = '\0';
}

void RunFolder::add(const ptx::FaultReport& fault) {
  if (progress_ != nullptr) progress_->faults += fault.count;
  add_line("faults", ptx::stored(fault));
}

void RunFolder::say(const std::string& message) { add_line("messages", message); }

// The file is open no longer than this: a program may close every descriptor, its own or not, and
// open a file of its own in the place.
void RunFolder::add_line(const char* kind, const std::string& line) const {
  const int file = open(path(kind).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, permissions);
  if (file < 0) return;
  append(file, line + "\n");
  close(file);
}

void RunFolder::cannot_start() {
  if (progress_ != nullptr) progress_->cannot_start = 1;
}

void RunFolder::finish(const ptx::KernelReport& report) {
  const std::string whole = path("report");
  const std::string part = whole + ".part";
  const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, permissions);
  if (file < 0) return;
  const bool written = append(file, ptx::stored(report));
  if (close(file) == 0 && written) std::rename(part.c_str(), whole.c_str());
}

}  // namespace bankproof::cuda
