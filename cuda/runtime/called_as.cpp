// See called_as.hpp.
#include "called_as.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace bankproof::cuda {

namespace {

thread_local std::string called;

}  // namespace

CalledAs::CalledAs(std::string name) : before_(std::exchange(called, std::move(name))) {}
CalledAs::~CalledAs() { called = std::move(before_); }

const std::string& CalledAs::current() { return called; }

std::string CalledAs::renamed(const std::string& text) {
  if (called.empty() || !text.starts_with("cuda")) return text;
  const auto end = std::find_if(text.begin(), text.end(),
                                [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
  return called + std::string(end, text.end());
}

}  // namespace bankproof::cuda
