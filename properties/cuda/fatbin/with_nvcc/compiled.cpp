// nvcc compiles a file in each way in which it makes fat binaries; the PTX is read from its objects
// and programs, and parsed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "../../../../cuda/compile/compilers.hpp"
#include "../../../../cuda/fatbin/fat_binary.hpp"
#include "../../../../processes/process.hpp"
#include "../../../../ptx/syntax/parser.hpp"

namespace bankproof::cuda {
namespace {

namespace fs = std::filesystem;
using Compression = FatEntry::Compression;

constexpr const char* source = R"(
__device__ int counter;
__global__ void count(int* out) { *out = atomicAdd(&counter, 1); }
int main() { return 0; }
)";

/// The bytes of a file, and the entries of all fat binaries in it.
struct Compiled {
  std::string bytes;
  std::vector<FatEntry> entries;
};

class Nvcc : public ::testing::Test {
 public:
  ~Nvcc() override { fs::remove_all(folder_); }

 protected:
  Nvcc() {
    std::string name = (fs::temp_directory_path() / "fatbin-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "a.cu") << source;
  }

  void SetUp() override {
    if (find_nvcc().empty()) GTEST_SKIP() << "there is no nvcc";
  }

  void run(const std::vector<std::string>& words) const {
    std::vector<std::string> command = {find_nvcc().front().program};
    command.insert(command.end(), words.begin(), words.end());
    const Ran ran = run_to_end(command);
    ASSERT_EQ(ran.start_error, 0);
    ASSERT_EQ(ran.problem, "") << ran.output;
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// Finds fat binaries by their magic number, as they are aligned to 8 bytes.
  Compiled read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    Compiled made{{std::istreambuf_iterator<char>(file), {}}, {}};
    const std::string magic = "\x50\xed\x55\xba";
    for (std::size_t at = 0; (at = made.bytes.find(magic, at)) != std::string::npos; at += 8) {
      if (at % 8 != 0) continue;
      const std::span<const std::byte> one = extent(made.bytes.data() + at);
      if (one.size() > made.bytes.size() - at) continue;  // not one of them
      for (FatEntry& entry : read_fat_binary(one)) made.entries.push_back(std::move(entry));
    }
    return made;
  }

  Compiled object(std::vector<std::string> flags) const {
    flags.insert(flags.end(), {"-c", path("a.cu"), "-o", path("a.o")});
    run(flags);
    return read("a.o");
  }

 private:
  fs::path folder_;
};

const std::vector<std::string> ptx_80 = {"-gencode", "arch=compute_80,code=compute_80"};

std::vector<std::string> and_flags(std::vector<std::string> flags) {
  flags.insert(flags.begin(), ptx_80.begin(), ptx_80.end());
  return flags;
}

/// The entry's PTX is that of the source.
void expect_the_ptx(const FatEntry& entry) {
  ASSERT_EQ(entry.kind, FatEntry::Kind::ptx);
  const ptx::Module module = ptx::parse(text_of(entry), "a.ptx");
  EXPECT_NE(ptx::definition(module, "_Z5countPi"), nullptr);
  EXPECT_EQ(module.target.front(), target_name(entry));
}

void expect_one(const Compiled& compiled, Compression compression) {
  ASSERT_EQ(compiled.entries.size(), 1U);
  EXPECT_EQ(compiled.entries[0].compression, compression);
  EXPECT_EQ(compiled.entries[0].target, 80U);
  expect_the_ptx(compiled.entries[0]);
}

TEST_F(Nvcc, compresses_by_zstd_or_lz4_or_not_at_all) {
  expect_one(object(and_flags({})), Compression::zstd);
  expect_one(object(and_flags({"--no-compress"})), Compression::none);
  expect_one(object(and_flags({"--compress-mode=none"})), Compression::none);
  expect_one(object(and_flags({"--compress-mode=speed"})), Compression::lz4);
  expect_one(object(and_flags({"--compress-mode=balance"})), Compression::zstd);
  expect_one(object(and_flags({"--compress-mode=size"})), Compression::zstd);
}

TEST_F(Nvcc, makes_an_entry_for_each_target) {
  const Compiled compiled = object({"-gencode", "arch=compute_80,code=[sm_80,compute_80]",
                                    "-gencode", "arch=compute_90a,code=compute_90a", "-gencode",
                                    "arch=compute_100f,code=compute_100f"});
  std::vector<std::string> names;
  for (const FatEntry& entry : compiled.entries) {
    names.push_back(target_name(entry));
    if (entry.kind == FatEntry::Kind::ptx) {
      expect_the_ptx(entry);
    } else {
      EXPECT_EQ(entry.kind, FatEntry::Kind::machine_code);
      EXPECT_EQ(target_name(entry), "sm_80");
    }
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"sm_100f", "sm_80", "sm_80", "sm_90a"}));
  ASSERT_NE(best_ptx(compiled.entries, 90), nullptr);
  EXPECT_EQ(target_name(*best_ptx(compiled.entries, 90)), "sm_90a");
  EXPECT_EQ(target_name(*best_ptx(compiled.entries, 89)), "sm_80");
}

TEST_F(Nvcc, keeps_options_that_tell_relocatable_and_debugged_code) {
  const Compiled plain = object(and_flags({}));
  ASSERT_EQ(plain.entries.size(), 1U);
  EXPECT_FALSE(plain.entries[0].relocatable);
  EXPECT_FALSE(plain.entries[0].debug);
  const Compiled relocatable = object(and_flags({"-rdc=true", "-lineinfo"}));
  ASSERT_EQ(relocatable.entries.size(), 1U);
  EXPECT_TRUE(relocatable.entries[0].relocatable);
  EXPECT_EQ(relocatable.entries[0].name, path("a.cu"));
  expect_the_ptx(relocatable.entries[0]);
  const Compiled debugged = object(and_flags({"-G"}));
  ASSERT_EQ(debugged.entries.size(), 1U);
  EXPECT_TRUE(debugged.entries[0].debug);
  EXPECT_EQ(debugged.entries[0].name, path("a.cu"));
}

TEST_F(Nvcc, with_dlto_makes_code_that_is_no_ptx_beside_it) {
  const Compiled compiled = object({"-arch=sm_80", "-dlto", "-rdc=true"});
  ASSERT_EQ(compiled.entries.size(), 2U);
  const FatEntry* const best = best_ptx(compiled.entries, 80);
  ASSERT_NE(best, nullptr);
  expect_the_ptx(*best);
  EXPECT_TRUE(best->relocatable);
  const auto other = std::find_if(compiled.entries.begin(), compiled.entries.end(),
                                  [](auto& e) { return e.kind == FatEntry::Kind::other; });
  EXPECT_NE(other, compiled.entries.end());
}

/// In a linked program, the PTX of a.cu comes beside what libraries bring along.
void expect_among(const Compiled& compiled) {
  const auto ours = std::find_if(compiled.entries.begin(), compiled.entries.end(), [](auto& e) {
    return e.kind == FatEntry::Kind::ptx && e.target == 80;
  });
  ASSERT_NE(ours, compiled.entries.end());
  expect_the_ptx(*ours);
}

TEST_F(Nvcc, leaves_the_ptx_in_programs_and_shared_libraries) {
  run(and_flags({"-rdc=true", path("a.cu"), "-o", path("program")}));
  expect_among(read("program"));
  run(and_flags({"-shared", "-Xcompiler", "-fPIC", path("a.cu"), "-o", path("library.so")}));
  expect_among(read("library.so"));
}

}  // namespace
}  // namespace bankproof::cuda
