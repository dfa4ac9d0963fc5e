// The cache gives back what was kept under a key and nothing else, whatever the files hold.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "../../../ptx/compiled/cache.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::ptx::compiled {
namespace {

namespace fs = std::filesystem;

class ObjectCache : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove_all(folder_); }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    return all;
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  }

  fs::path folder_ = fs::path(::testing::TempDir()) / ("cache" + std::to_string(getpid()));
  Cache cache_{folder_.string()};
};

TEST_F(ObjectCache, gives_back_what_it_kept) {
  EXPECT_EQ(cache_.find("a"), std::nullopt);
  cache_.keep("a", std::string("object\0a", 8));
  cache_.keep("b", "object b");
  EXPECT_EQ(cache_.find("a"), std::string("object\0a", 8));
  EXPECT_EQ(cache_.find("b"), "object b");
  EXPECT_EQ(cache_.find("c"), std::nullopt);
  cache_.keep("a", "a new one");
  EXPECT_EQ(cache_.find("a"), "a new one");
  EXPECT_EQ(files().size(), 2U);  // no temporary file is left
}

TEST_F(ObjectCache, ignores_files_with_any_wrong_byte_or_of_another_length) {
  cache_.keep("key", "the object");
  const fs::path file = files().at(0);
  const std::string right = text_of(file);
  for (std::size_t k = 0; k < right.size(); ++k) {
    std::string wrong = right;
    wrong[k] = static_cast<char>(wrong[k] ^ 1);
    write(file, wrong);
    EXPECT_EQ(cache_.find("key"), std::nullopt) << k;
    write(file, right.substr(0, k));
    EXPECT_EQ(cache_.find("key"), std::nullopt) << k;
  }
  write(file, right + "x");
  EXPECT_EQ(cache_.find("key"), std::nullopt);
  write(file, right);
  EXPECT_EQ(cache_.find("key"), "the object");
}

TEST_F(ObjectCache, takes_no_file_of_another_key_for_its_own) {
  cache_.keep("key", "the object");
  const std::string other = text_of(files().at(0));
  cache_.keep("another key", "another object");
  for (const fs::path& file : files()) write(file, other);
  EXPECT_EQ(cache_.find("another key"), std::nullopt);
  EXPECT_EQ(cache_.find("key"), "the object");
}

TEST_F(ObjectCache, uses_no_folder_and_no_file_that_others_can_write) {
  cache_.keep("key", "the object");
  const fs::path file = files().at(0);
  fs::permissions(file, fs::perms::group_write, fs::perm_options::add);
  EXPECT_EQ(cache_.find("key"), std::nullopt);
  fs::permissions(file, fs::perms::group_write, fs::perm_options::remove);
  EXPECT_EQ(cache_.find("key"), "the object");
  fs::permissions(folder_, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(cache_.find("key"), std::nullopt);
  cache_.keep("new", "object");
  EXPECT_EQ(files().size(), 1U);
}

TEST_F(ObjectCache, removes_the_oldest_files_when_it_is_full) {
  const std::string half(Cache::most_bytes / 2, 'x');
  cache_.keep("first", half);
  fs::last_write_time(files().at(0), fs::file_time_type::clock::now() - std::chrono::hours(1));
  cache_.keep("second", half);
  EXPECT_EQ(cache_.find("first"), std::nullopt);
  EXPECT_EQ(cache_.find("second"), half);
}

TEST(NoObjectCache, keeps_nothing) {
  const Cache none("");
  none.keep("key", "object");
  EXPECT_EQ(none.find("key"), std::nullopt);
}

}  // namespace
}  // namespace bankproof::ptx::compiled
