// The functions of NVRTC, which compiles CUDA source while a program runs; compile.hpp compiles.
//
// Each function checks its handle. A handle that nvrtcDestroyProgram has destroyed is remembered,
// so that its use is an error and no crash.
#include "../headers/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "../runtime/handles.hpp"
#include "compile.hpp"

// NVRTC lets its library define this type.
struct _nvrtcProgram {  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
  bankproof::cuda::nvrtc::Source source;
  std::optional<bankproof::cuda::nvrtc::Compiled> compiled = {};
  bool is_for_chip = false;  // compiled for sm_80, say, not for the virtual architecture compute_80
};

namespace {

using bankproof::cuda::Handles;
using bankproof::cuda::nvrtc::compile_source;
using bankproof::cuda::nvrtc::is_inner_name;
using bankproof::cuda::nvrtc::Source;

constexpr int architectures[] = {80, 86, 87, 89, 90};  // of the PTX that the machine runs

Handles<_nvrtcProgram>& programs() {
  static auto* const all = new Handles<_nvrtcProgram>;
  return *all;
}

/// Calls work(), if the program is live and no pointer is null.
template <class Work>
nvrtcResult with_program(nvrtcProgram program, std::initializer_list<const void*> pointers,
                         Work work) {
  if (!programs().is_live(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  for (const void* const pointer : pointers) {
    if (pointer == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  }
  return work();
}

/// Calls use(text) with a text of the compiled program.
template <class Use>
nvrtcResult with_text(nvrtcProgram program, const void* place,
                      std::string bankproof::cuda::nvrtc::Compiled::*text, Use use) {
  return with_program(program, {place}, [&] {
    if (!program->compiled) {
      use(std::string());
      return NVRTC_SUCCESS;
    }
    use(*program->compiled.*text);
    return NVRTC_SUCCESS;
  });
}

/// The size of a text with the zero byte at its end.
nvrtcResult size_of(nvrtcProgram program, size_t* bytes,
                    std::string bankproof::cuda::nvrtc::Compiled::*text) {
  return with_text(program, bytes, text, [&](const std::string& is) { *bytes = is.size() + 1; });
}
nvrtcResult copy_of(nvrtcProgram program, char* place,
                    std::string bankproof::cuda::nvrtc::Compiled::*text) {
  return with_text(program, place, text,
                   [&](const std::string& is) { std::memcpy(place, is.c_str(), is.size() + 1); });
}

/// Whether the options name a chip (sm_80), for which NVRTC makes machine code.
bool names_chip(const std::vector<std::string>& options) {
  bool is_chip = false;
  for (std::size_t k = 0; k < options.size(); ++k) {
    const std::string& word = options[k];
    if (!word.starts_with("--gpu-architecture") && !word.starts_with("-arch")) continue;
    const std::size_t equals = word.find('=');
    const std::string next = k + 1 < options.size() ? options[k + 1] : std::string();
    is_chip = (equals == std::string::npos ? next : word.substr(equals + 1)).starts_with("sm_");
  }
  return is_chip;
}

bool has_ptx(nvrtcProgram program) {
  return programs().is_live(program) && program->compiled && !program->compiled->ptx.empty();
}

constexpr const char* result_names[] = {
    "NVRTC_SUCCESS",
    "NVRTC_ERROR_OUT_OF_MEMORY",
    "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
    "NVRTC_ERROR_INVALID_INPUT",
    "NVRTC_ERROR_INVALID_PROGRAM",
    "NVRTC_ERROR_INVALID_OPTION",
    "NVRTC_ERROR_COMPILATION",
    "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
    "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
    "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
    "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
    "NVRTC_ERROR_INTERNAL_ERROR",
    "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
    "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
    "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
    "NVRTC_ERROR_PCH_CREATE",
    "NVRTC_ERROR_CANCELLED",
    "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
};

}  // namespace

extern "C" {
const char* nvrtcGetErrorString(nvrtcResult result) {
  const bool is_known = result >= 0 && static_cast<std::size_t>(result) < std::size(result_names);
  return is_known ? result_names[result] : "NVRTC_ERROR unknown";
}
nvrtcResult nvrtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  if (count == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  *count = static_cast<int>(std::size(architectures));
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* list) {
  if (list == nullptr) return NVRTC_ERROR_INVALID_INPUT;
  std::copy(std::begin(architectures), std::end(architectures), list);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name,
                               int count, const char* const* headers,
                               const char* const* include_names) {
  if (program == nullptr || source == nullptr || count < 0) return NVRTC_ERROR_INVALID_INPUT;
  if (count > 0 && (headers == nullptr || include_names == nullptr))
    return NVRTC_ERROR_INVALID_INPUT;
  Source all{source, "default_program", {}, {}};
  if (name != nullptr && *name != '\0') {
    const std::string path = name;
    all.name = is_inner_name(path) ? path : path.substr(path.find_last_of('/') + 1);
    if (!is_inner_name(all.name)) return NVRTC_ERROR_INVALID_INPUT;
  }
  for (int k = 0; k < count; ++k) {
    if (headers[k] == nullptr || include_names[k] == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    if (!is_inner_name(include_names[k])) return NVRTC_ERROR_INVALID_INPUT;
    all.headers.emplace_back(include_names[k], headers[k]);
  }
  *program = programs().make(_nvrtcProgram{.source = std::move(all)});
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  if (program == nullptr || !programs().is_live(*program)) return NVRTC_ERROR_INVALID_PROGRAM;
  programs().destroy(*program);
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
  return with_program(program, {expression}, [&] {
    if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    program->source.expressions.emplace_back(expression);
    return NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
  return with_program(program, {}, [&] {
    if (count < 0 || (count > 0 && options == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
    std::vector<std::string> words;
    for (int k = 0; k < count; ++k) {
      if (options[k] == nullptr) return NVRTC_ERROR_INVALID_INPUT;
      words.emplace_back(options[k]);
    }
    program->is_for_chip = names_chip(words);
    program->compiled = compile_source(program->source, words);
    if (program->compiled->is_option_unknown) return NVRTC_ERROR_INVALID_OPTION;
    return program->compiled->ptx.empty() ? NVRTC_ERROR_COMPILATION : NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
  return with_program(program, {expression, name}, [&] {
    if (!has_ptx(program)) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto found = program->compiled->names.find(expression);
    if (found == program->compiled->names.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = found->second.c_str();
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
  if (programs().is_live(program) && !has_ptx(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  return size_of(program, bytes, &bankproof::cuda::nvrtc::Compiled::ptx);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* ptx) {
  if (programs().is_live(program) && !has_ptx(program)) return NVRTC_ERROR_INVALID_PROGRAM;
  return copy_of(program, ptx, &bankproof::cuda::nvrtc::Compiled::ptx);
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes) {
  return size_of(program, bytes, &bankproof::cuda::nvrtc::Compiled::log);
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
  return copy_of(program, log, &bankproof::cuda::nvrtc::Compiled::log);
}
// The machine's driver loads PTX where a program gives it machine code, so that the PTX can stand
// for it. There is none for a virtual architecture, as in NVRTC.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
  return with_program(program, {bytes}, [&] {
    *bytes = 0;
    return program->is_for_chip && has_ptx(program) ? nvrtcGetPTXSize(program, bytes)
                                                    : NVRTC_SUCCESS;
  });
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* code) {
  if (programs().is_live(program) && !program->is_for_chip) return NVRTC_ERROR_INVALID_PROGRAM;
  return nvrtcGetPTX(program, code);
}
}
