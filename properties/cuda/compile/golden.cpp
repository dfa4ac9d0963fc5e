// The PTX of the examples and the canaries, kept in properties/golden for machines without a
// compiler: it is complete, it parses, and its compiler still produces it from today's sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "../../../processes/process.hpp"
#include "../../../ptx/syntax/parser.hpp"
#include "support.hpp"

namespace bankproof::cuda {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sources() {
  std::vector<fs::path> result = kernels_in("examples/kernels");
  const std::vector<fs::path> canaries = kernels_in("properties/mutants");
  result.insert(result.end(), canaries.begin(), canaries.end());
  return result;
}

/// Drops names of files, which differ between machines, and names of inlined functions, because the
/// name of a function that is local to a file contains a hash of the file's path.
std::string without_files(const std::string& ptx) {
  std::string result;
  for (std::size_t at = 0; at < ptx.size();) {
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
    const std::string line = ptx.substr(at, end - at);
    const bool names = line.find(".file") != std::string::npos || line.starts_with(".b8 ");
    if (!names) result += line + "\n";
    at = end + 1;
  }
  return result;
}

TEST(GoldenKernels, are_those_of_the_sources) {
  std::set<std::string> expected;
  for (const fs::path& source : sources()) expected.insert(source.stem().string());
  for (const char* const kind : {"nvcc", "clang"}) {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(tree() / "properties/golden" / kind)) {
      found.insert(entry.path().stem().string());
      const ptx::Module module = ptx::parse(read_file(entry.path()), entry.path().string());
      ASSERT_FALSE(module.files.empty());
      for (const ptx::SourceFile& file : module.files) {
        EXPECT_FALSE(fs::path(file.name).is_absolute()) << entry.path() << ": " << file.name;
      }
      EXPECT_TRUE(fs::exists(tree() / module.files.front().name)) << module.files.front().name;
    }
    EXPECT_EQ(found, expected) << kind;
  }
}

/// Fails for each source whose PTX from the compiler differs from its PTX in properties/golden.
void expect_kept(const std::string& kind, const Compiler& compiler) {
  for (const fs::path& source : sources()) {
    const std::string kept =
        read_file(tree() / "properties/golden" / kind / (source.stem().string() + ".ptx"));
    EXPECT_EQ(without_files(compile(source.string(), {}, compiler).text), without_files(kept))
        << source << ": run properties/golden/regenerate " << kind;
  }
}

TEST(GoldenKernels, are_what_clang_16_makes_of_the_sources) {
  const Ran ran = run_to_end({"clang++-16", "--version"});
  if (ran.output.find("version 16.0.6") == std::string::npos) {
    GTEST_SKIP() << "*** THERE IS NO CLANG++-16 OF THE VERSION THAT MADE THEM ***";
  }
  expect_kept("clang", {CompilerKind::clang, "clang++-16", 16});
}

TEST(GoldenKernels, are_what_nvcc_13_makes_of_the_sources) {
  const std::vector<Compiler> nvcc = find_nvcc();
  if (nvcc.empty() || run_to_end({nvcc.front().program, "--version"}).output.find("V13.0.88") ==
                          std::string::npos) {
    GTEST_SKIP() << "*** THERE IS NO NVCC OF THE VERSION THAT MADE THEM ***";
  }
  expect_kept("nvcc", nvcc.front());
}

}  // namespace
}  // namespace bankproof::cuda
