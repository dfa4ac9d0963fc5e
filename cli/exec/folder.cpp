// See folder.hpp.
#include "folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <system_error>

#include "../../cuda/runtime/report/run_folder.hpp"
#include "../../ptx/report/stored.hpp"
#include "../support/errors.hpp"

namespace bankproof::cli {
namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The numbers of the processes that loaded the machine.
std::vector<std::string> processes_in(const std::filesystem::path& folder) {
  constexpr std::string_view prefix = "progress-";
  std::vector<std::string> numbers;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix)) numbers.push_back(name.substr(prefix.size()));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void add_messages(std::vector<std::string>& all, const std::filesystem::path& file) {
  std::istringstream lines(contents(file));
  for (std::string line; std::getline(lines, line);) {
    if (std::find(all.begin(), all.end(), line) == all.end()) all.push_back(line);
  }
}

/// A killed process may have written a part of its last line.
ptx::KernelReport report_of_faults(const std::filesystem::path& file) {
  ptx::KernelReport report;
  std::istringstream lines(contents(file));
  for (std::string line; std::getline(lines, line);) {
    if (lines.eof()) break;
    ptx::KernelReport one;
    one.faults.push_back(ptx::read_stored_fault(line));
    ptx::join(report, one);
  }
  return report;
}

void add_progress(Gathered& all, const std::filesystem::path& file) {
  const std::string bytes = contents(file);
  if (bytes.size() < sizeof(cuda::RunProgress)) return;
  const auto progress = std::make_unique<cuda::RunProgress>();
  std::memcpy(static_cast<void*>(progress.get()), bytes.data(), sizeof *progress);
  all.launches += progress->launches;
  all.unchecked += progress->unchecked;
  all.library_calls += progress->library_calls;
  all.cannot_start = all.cannot_start || progress->cannot_start != 0;
  progress->kernel.back() = '\0';
  if (progress->kernel.front() != '\0') all.kernel = progress->kernel.data();
}

}  // namespace

RunDirectory::RunDirectory() {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
  std::string pattern = ((ignored ? "/tmp" : folder) / "bankproof-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw InputError(pattern + ": no temporary folder can be made: " + std::strerror(errno));
  }
  path_ = pattern;
}

RunDirectory::~RunDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Gathered RunDirectory::progress() const {
  Gathered all;
  for (const std::string& process : processes_in(path_)) {
    add_progress(all, path_ / ("progress-" + process));
  }
  return all;
}

Gathered RunDirectory::gather() const {
  Gathered all = progress();
  for (const std::string& process : processes_in(path_)) {
    ++all.processes;
    add_messages(all.messages, path_ / ("messages-" + process));
    try {
      const std::filesystem::path whole = path_ / ("report-" + process);
      const bool has_ended = std::filesystem::exists(whole);
      if (!has_ended) ++all.without_end;
      ptx::join(all.report, has_ended ? ptx::read_stored(contents(whole))
                                      : report_of_faults(path_ / ("faults-" + process)));
    } catch (const ptx::StoredReportError& error) {
      throw InputError(std::string("process ") + process + ": " + error.what());
    }
  }
  return all;
}

}  // namespace bankproof::cli
