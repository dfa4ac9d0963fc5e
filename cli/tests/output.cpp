// write_output writes a file whole or not at all, follows links, keeps modes, and writes directly
// to anything that is not a regular file.
#include "../support/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "../support/errors.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

std::string failure(const std::string& path, std::string_view content) {
  return message_of<InputError>([&] { write_output(path, content); });
}

TEST(WriteOutput, makes_a_new_file_with_the_mode_of_the_umask) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write_output(folder / "new", "content\n");
  umask(before);
  EXPECT_EQ(content_of(folder / "new"), "content\n");
  EXPECT_EQ(mode_of(folder / "new"), 0640u);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteOutput, throws_a_separate_type_if_the_reader_is_gone) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  const int kept = dup(STDOUT_FILENO);
  close(ends[0]);
  dup2(ends[1], STDOUT_FILENO);
  close(ends[1]);
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  for (const char* const path : {"", "-", "/proc/self/fd/1"}) {
    EXPECT_THROW(write_output(path, "text"), ReaderGone) << path;
  }
  std::signal(SIGPIPE, before);
  dup2(kept, STDOUT_FILENO);
  close(kept);
}

TEST(RefuseInputAsOutput, knows_a_file_by_all_its_names) {
  const TemporaryFolder folder;
  const std::string path = folder.file("p", "0");
  std::filesystem::create_symlink("p", folder / "link");
  std::filesystem::create_hard_link(path, folder / "hard");
  for (const std::string name : {"p", "link", "hard", "./p"}) {
    EXPECT_EQ(message_of<UsageError>([&] { refuse_input_as_output(path, folder / name); }),
              "the output is the input: " + folder / name);
    EXPECT_EQ(message_of<UsageError>([&] { refuse_input_as_output(folder / name, path); }),
              "the output is the input: " + path);
  }
  EXPECT_NO_THROW(refuse_input_as_output(path, folder / "new"));
  EXPECT_NO_THROW(refuse_input_as_output(path, folder.file("other", "0")));
  EXPECT_NO_THROW(refuse_input_as_output(path, ""));
  EXPECT_NO_THROW(refuse_input_as_output("-", "-"));
  EXPECT_NO_THROW(refuse_input_as_output("/dev/null", "/dev/null"));
}

TEST(WriteOutput, replaces_a_file_and_keeps_its_mode) {
  const TemporaryFolder folder;
  const std::string path = folder.file("old", "something longer than what follows");
  ASSERT_EQ(chmod(path.c_str(), 0604), 0);
  write_output(path, "new");
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(mode_of(path), 0604u);
  write_output(path, "");
  EXPECT_EQ(content_of(path), "");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteOutput, writes_through_links_also_to_files_that_are_not_there_yet) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("sub/target", folder / "link");
  std::filesystem::create_symlink("link", folder / "link to link");
  write_output(folder / "link to link", "1");
  EXPECT_EQ(content_of(folder / "sub/target"), "1");
  write_output(folder / "link", "2");
  EXPECT_EQ(content_of(folder / "sub/target"), "2");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  std::filesystem::create_symlink("circle", folder / "circle");
  EXPECT_EQ(failure(folder / "circle", "3"),
            folder / "circle" + ": cannot be written: Too many levels of symbolic links");
}

TEST(WriteOutput, writes_directly_to_files_that_are_not_regular) {
  const TemporaryFolder folder;
  EXPECT_NO_THROW(write_output("/dev/null", "gone"));
  EXPECT_EQ(failure("/dev/full", "x"), "/dev/full: cannot be written: No space left on device");
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = content_of(pipe); });
  write_output(pipe, "through a pipe");
  reader.join();
  EXPECT_EQ(received, "through a pipe");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteOutput, appends_to_the_descriptor_that_a_device_file_names) {
  const TemporaryFolder folder;
  const std::string path = folder.file("log", "before\n");
  const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND);
  write_output("/dev/fd/" + std::to_string(descriptor), "after\n");
  write_output("/proc/self/fd/" + std::to_string(descriptor), "last\n");
  close(descriptor);
  EXPECT_EQ(content_of(path), "before\nafter\nlast\n");
}

TEST(WriteOutput, names_what_is_in_the_way) {
  const TemporaryFolder folder;
  EXPECT_EQ(failure(folder / "", "x"), folder / "" + ": cannot be written: Is a directory");
  EXPECT_EQ(failure(folder / "no/such/folder", "x"),
            folder / "no/such/folder" + ": cannot be written: No such file or directory");
  const std::string file = folder.file("file", "x");
  EXPECT_EQ(failure(file + "/below", "x"), file + "/below: cannot be written: Not a directory");
}

TEST(WriteOutput, leaves_an_old_file_as_it_was_when_space_runs_out) {
  const TemporaryFolder folder;
  const std::string old = folder.file("old", "precious");
  // A limit on file sizes stands in for a full disk.
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::string content(10000, 'x');
  const std::string replacing = failure(old, content);
  const std::string creating = failure(folder / "new", content);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(replacing, old + ": cannot be written: File too large");
  EXPECT_EQ(creating, folder / "new" + ": cannot be written: File too large");
  EXPECT_EQ(content_of(old), "precious");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(WriteOutput, respects_a_read_only_file) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder / "", std::filesystem::perms::all);
  const std::string path = folder.file("kept", "kept");
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  const uid_t user = geteuid();
  // Root may write everything, so the test becomes another user for a moment.
  ASSERT_TRUE(user != 0 || seteuid(65534) == 0);
  const std::string message = failure(path, "x");
  ASSERT_TRUE(user != 0 || seteuid(user) == 0);
  EXPECT_EQ(message, path + ": cannot be written: Permission denied");
  EXPECT_EQ(content_of(path), "kept");
  EXPECT_EQ(folder.entries(), 1);
}

}  // namespace
}  // namespace bankproof::cli
