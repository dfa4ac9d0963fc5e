// Compiles each kernel of the tree with each compiler found, and parses the PTX.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>

#include "../../../ptx/syntax/lines.hpp"
#include "../../../ptx/syntax/parser.hpp"
#include "support.hpp"

namespace bankproof::cuda {
namespace {

namespace fs = std::filesystem;
using ::testing::Not;
using ::testing::SizeIs;

std::set<std::string> entries(const ptx::Module& module) {
  std::set<std::string> result;
  for (const ptx::Function& function : module.functions) {
    if (function.entry && function.defined) result.insert(function.name);
  }
  return result;
}

/// Whether reports mention the instruction, because it accesses memory or synchronizes threads.
bool is_told_of(const ptx::Instruction& instruction) {
  static const std::set<std::string> bases = {"ld",   "st",      "atom",   "red",   "bar",     "cp",
                                              "shfl", "barrier", "membar", "fence", "ldmatrix"};
  return bases.count(instruction.base) != 0 && !instruction.has("param");
}

/// Finds the first instruction of a kernel that reports mention but that belongs to no line of the
/// source file. Returns the instruction's line in the PTX, or 0 if there is no such instruction.
/// `told` counts the instructions that reports mention.
std::uint32_t without_line(const ptx::Module& module, const std::string& file_name,
                           std::size_t& told) {
  std::uint32_t number = 0;
  for (const ptx::SourceFile& file : module.files) {
    if (fs::path(file.name).filename() == file_name) number = file.number;
  }
  for (const ptx::Function& function : module.functions) {
    if (!function.entry) continue;
    const ptx::Lines lines = ptx::lines_of(module, function);
    for (std::size_t i = 0; i < function.body.size(); ++i) {
      const auto* const instruction = std::get_if<ptx::Instruction>(&function.body[i]);
      if (instruction == nullptr || !is_told_of(*instruction)) continue;
      ++told;
      const std::optional<std::size_t> position = lines.of_statement[i];
      const auto point = position ? ptx::rolled_up(lines, *position, number) : std::nullopt;
      if (!point || point->line == 0) return instruction->place.line;
    }
  }
  return 0;
}

TEST(Compilers, are_there_at_least_one_clang) {
  EXPECT_THAT(find_clangs(), Not(SizeIs(0))) << "install clang-16 (ci/packages.txt)";
}

/// Makes the PATH one folder for a test's time, with programs that pass for clangs.
class PathOfClangs {
 public:
  explicit PathOfClangs(const std::vector<std::pair<std::string, int>>& clangs) {
    for (const auto& [name, version] : clangs) {
      std::ofstream(folder_ / name) << "#!/bin/sh\ncase $1 in --version) echo clang version "
                                    << version << ".0.6;; *) echo .target sm_80;; esac\n";
      fs::permissions(folder_ / name, fs::perms::owner_all);
    }
    setenv("PATH", folder_.c_str(), 1);
  }
  ~PathOfClangs() {
    setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  PathOfClangs(const PathOfClangs&) = delete;
  PathOfClangs& operator=(const PathOfClangs&) = delete;

 private:
  static fs::path made() {
    std::string pattern = (fs::temp_directory_path() / "clangs-XXXXXX").string();
    return mkdtemp(pattern.data());
  }
  std::string path_ = std::getenv("PATH");
  fs::path folder_ = made();
};

std::vector<std::string> programs_of(const std::vector<Compiler>& compilers) {
  std::vector<std::string> programs;
  programs.reserve(compilers.size());
  for (const Compiler& one : compilers) programs.push_back(one.program);
  return programs;
}

TEST(Compilers, of_version_14_are_taken_only_if_there_is_no_other_clang) {
  using ::testing::ElementsAre;
  {
    const PathOfClangs path(
        {{"clang++", 14}, {"clang++-14", 14}, {"clang++-15", 15}, {"clang++-16", 16}});
    EXPECT_THAT(programs_of(find_clangs()),
                ElementsAre("clang++-16", "clang++-15", "clang++", "clang++-14"));
    EXPECT_EQ(choose_compiler("clang").program, "clang++-16");
    EXPECT_EQ(find_clangs(3).size(), 3U);
  }
  {
    const PathOfClangs path({{"clang++", 15}, {"clang++-16", 16}});
    EXPECT_EQ(choose_compiler("clang").program, "clang++");
  }
  const PathOfClangs path({{"clang++", 14}});
  EXPECT_EQ(choose_compiler("clang").program, "clang++");
}

TEST(Kernels, are_all_there) {
  EXPECT_GE(kernels_in("examples/kernels").size(), 6U);
  EXPECT_GE(kernels_in("properties/mutants").size(), 7U);
  EXPECT_GE(kernels_in("properties/cuda/compile/sources").size(), 3U);
}

// The kernels have the same names as in the other compiler's golden file. No compiler may give a
// warning: a warning would mean that the compiler had to guess.
void compiles_all(CompilerKind kind) {
  for (const Compiler& compiler : compilers()) {
    if (compiler.kind != kind) continue;
    for (const fs::path& source : all_kernels()) {
      SCOPED_TRACE(compiler.program + " " + source.string());
      PtxText ptx;
      ASSERT_NO_THROW(ptx = compile(source.string(), {}, compiler));
      EXPECT_EQ(ptx.messages, "");
      const ptx::Module module = ptx::parse(ptx.text, source.string());
      EXPECT_THAT(entries(module), Not(SizeIs(0)));
      EXPECT_THAT(module.target.at(0), "sm_80");
      const fs::path other = tree() / "properties/golden" /
                             (kind == CompilerKind::nvcc ? "clang" : "nvcc") /
                             (source.stem().string() + ".ptx");
      if (source.parent_path().filename() != "sources") {
        EXPECT_EQ(entries(module), entries(ptx::parse(read_file(other), other.string())));
        std::size_t told = 0;
        const std::uint32_t line = without_line(module, source.filename().string(), told);
        EXPECT_EQ(line, 0U) << "line " << line << " of the PTX belongs to no line of the source";
        EXPECT_GE(told, 4U);
      }
    }
  }
}

TEST(Kernels, are_compiled_by_each_clang_and_parsed) { compiles_all(CompilerKind::clang); }

TEST(Kernels, are_compiled_by_nvcc_and_parsed) {
  if (find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
  compiles_all(CompilerKind::nvcc);
}

}  // namespace
}  // namespace bankproof::cuda
