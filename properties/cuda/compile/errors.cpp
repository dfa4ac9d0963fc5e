// If a compiler fails, the error names the command that ran and a remedy, and no files are left
// behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "support.hpp"

namespace bankproof::cuda {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Sets a variable of the environment for as long as this object lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const old = std::getenv(name); old != nullptr) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

/// The fixture gives each test its own folder.
class Errors : public ::testing::Test {
 public:
  ~Errors() override { fs::remove_all(folder_); }

 protected:
  Errors() {
    std::string name = (fs::temp_directory_path() / "compile-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::create_directory(folder_ / "temporary");
  }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path temporary() const { return folder_ / "temporary"; }
  fs::path folder() const { return folder_; }

 private:
  fs::path folder_;
};

struct Said {
  std::string line;
  std::string messages;
};

Said error_of_compiler(const std::string& file, const CompileOptions& options) {
  try {
    compile(file, options);
  } catch (const CompileError& error) {
    return {error.what(), error.messages()};
  }
  return {"no error", ""};
}

const std::string kernel = "__global__ void k(int* p) { p[threadIdx.x] = VALUE; }\n";
const CompileOptions with_clang{"clang", {"-DVALUE=1"}, ""};

TEST_F(Errors, say_that_there_is_no_such_file) {
  EXPECT_EQ(error_of_compiler("nowhere.cu", with_clang).line, "there is no file nowhere.cu");
  EXPECT_THAT(error_of_compiler(folder().string(), with_clang).line, HasSubstr("there is no file"));
}

TEST_F(Errors, of_the_compiler_are_passed_on_with_the_command) {
  const std::string source = file("k.cu", kernel);
  const Said said = error_of_compiler(source, {"clang", {"-Wall"}, ""});
  EXPECT_THAT(said.line, AllOf(HasSubstr("clang++"), HasSubstr("cannot compile " + source),
                               HasSubstr("exit code 1"), HasSubstr("run as: clang++"),
                               HasSubstr("-Wall"), HasSubstr("install nvcc")));
  EXPECT_THAT(said.line, Not(HasSubstr("\n")));
  EXPECT_THAT(said.messages,
              AllOf(HasSubstr("k.cu:1:46: error"), HasSubstr("undeclared identifier 'VALUE'")));
}

TEST_F(Errors, tell_what_to_install_where_there_is_no_compiler) {
  const std::string source = file("k.cu", kernel);
  const Variable path("PATH", temporary().string());
  const Said said = error_of_compiler(source, with_clang);
  EXPECT_EQ(said.line,
            "there is no clang++ (14 to 19) that makes PTX: install clang (Debian and Ubuntu: apt "
            "install clang-16), or NVIDIA's CUDA toolkit and set CUDACXX to its nvcc");
  EXPECT_THAT(error_of_compiler(source, {"no-such-compiler", {}, ""}).line,
              "cannot run the compiler no-such-compiler: No such file or directory");
}

TEST_F(Errors, refuse_a_program_that_is_not_a_compiler) {
  EXPECT_THAT(error_of_compiler(file("k.cu", kernel), {"/bin/true", {}, ""}).line,
              HasSubstr("/bin/true is neither nvcc nor clang++"));
}

TEST_F(Errors, tell_where_the_headers_for_clang_should_be) {
  const Variable headers("BANKPROOF_CUDA_HEADERS", temporary().string());
  EXPECT_THAT(error_of_compiler(file("k.cu", kernel), with_clang).line,
              AllOf(HasSubstr("headers for clang are not in " + temporary().string()),
                    HasSubstr("set BANKPROOF_CUDA_HEADERS")));
}

TEST_F(Errors, tell_that_there_is_nowhere_to_write) {
  const std::string source = file("k.cu", kernel);
  const Variable variable("TMPDIR", (folder() / "nowhere").string());
  EXPECT_EQ(error_of_compiler(source, with_clang).line,
            "there is no folder for temporary files: set TMPDIR to one that can be written");
}

TEST_F(Errors, and_success_leave_no_temporary_file) {
  const std::string source = file("k.cu", kernel);
  const Variable variable("TMPDIR", temporary().string());
  for (const Compiler& compiler : compilers()) {
    SCOPED_TRACE(compiler.program);
    EXPECT_THAT(compile(source, with_clang, compiler).text, HasSubstr(".entry _Z1kPi"));
    EXPECT_THROW(compile(source, {}, compiler), CompileError);
    EXPECT_TRUE(fs::is_empty(temporary()));
  }
}

// No shell takes part that could interpret the name of a file or a flag.
TEST_F(Errors, come_from_no_shell) {
  const std::string source = file("a b;$(touch mark)'.cu", kernel);
  const Variable variable("PWD", temporary().string());
  const PtxText ptx =
      compile(source, {"clang", {"-DVALUE=2", "-DTEXT=$(touch mark2);touch mark2"}, ""});
  EXPECT_THAT(ptx.text, HasSubstr(".entry _Z1kPi"));
  EXPECT_FALSE(fs::exists("mark"));
  EXPECT_FALSE(fs::exists("mark2"));
}

TEST_F(Errors, do_not_come_where_a_flag_replaces_a_default) {
  const std::string source =
      file("k.cu", kernel + "static_assert(__cplusplus == 201402L, \"\");\n");
  for (const Compiler& compiler : compilers()) {
    SCOPED_TRACE(compiler.program);
    const bool nvcc = compiler.kind == CompilerKind::nvcc;
    const PtxText ptx = compile(
        source,
        {"", {"-DVALUE=3", "-std=c++14", nvcc ? "-arch=compute_90" : "--cuda-gpu-arch=sm_86"}, ""},
        compiler);
    EXPECT_THAT(ptx.text, HasSubstr(nvcc ? ".target sm_90" : ".target sm_86"));
  }
}

TEST_F(Errors, tell_warnings_apart) {
  const std::string source = file("k.cu", "#warning look here\n" + kernel);
  EXPECT_THAT(compile(source, with_clang).messages, HasSubstr("look here"));
}

TEST_F(Errors, of_functions_that_the_headers_lack_name_the_function) {
  const Said said =
      error_of_compiler(file("k.cu", "__global__ void k(float* p) { *p = cyl_bessel_i0f(*p); }\n"),
                        {"clang", {}, ""});
  EXPECT_THAT(said.line, HasSubstr("install nvcc"));
  EXPECT_THAT(said.messages, HasSubstr("undeclared identifier 'cyl_bessel_i0f'"));
}

}  // namespace
}  // namespace bankproof::cuda
