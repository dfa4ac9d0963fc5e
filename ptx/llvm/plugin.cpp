// The plug-in: makes object files for this processor, and loads them with ORC.
#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "../compiled/interface.hpp"
#include "function.hpp"

namespace bankproof::ptx::compiled {
namespace {

std::string taken(char* text) {
  std::string copy = text == nullptr ? "" : text;
  LLVMDisposeMessage(text);
  return copy;
}

std::string text_of(LLVMErrorRef error) {
  char* const message = LLVMGetErrorMessage(error);
  std::string copy = message;
  LLVMDisposeErrorMessage(message);
  return copy;
}

/// This processor: its name and its features, as LLVM writes them. For tests and measurements,
/// $BANKPROOF_COMPILED_FOR names an older one, as in `haswell:+avx2,+fma`.
struct Host {
  Host() {
    const char* const other = std::getenv("BANKPROOF_COMPILED_FOR");
    if (other == nullptr || *other == '\0') return;
    const std::string_view named(other);
    processor = named.substr(0, named.find(':'));
    features = named.substr(std::min(processor.size() + 1, named.size()));
    shown = "LLVM " LLVM_VERSION_STRING " for " + processor;
    name = shown + " " + features;
  }
  std::string triple = taken(LLVMGetDefaultTargetTriple());
  std::string processor = taken(LLVMGetHostCPUName());
  std::string features = taken(LLVMGetHostCPUFeatures());
  std::string shown = "LLVM " LLVM_VERSION_STRING " for " + processor;
  std::string name = shown + " " + features;

  bool has(std::string_view feature) const {
    const std::string all = "," + features + ",";
    return all.find(",+" + std::string(feature) + ",") != std::string::npos;
  }
};

const Host& host() {
  static const Host found;
  return found;
}

LLVMTargetMachineRef make_machine(std::string& why) {
  LLVMTargetRef target = nullptr;
  char* message = nullptr;
  if (LLVMGetTargetFromTriple(host().triple.c_str(), &target, &message) != 0) {
    why = taken(message);
    return nullptr;
  }
  // The loader maps code and constants wherever there is room, which may be farther apart than 32
  // bits reach, and does not notice. The large model has addresses of 64 bits; its tables of jumps
  // have them only in code that is not position-independent.
  return LLVMCreateTargetMachine(target, host().triple.c_str(), host().processor.c_str(),
                                 host().features.c_str(), LLVMCodeGenLevelDefault, LLVMRelocStatic,
                                 LLVMCodeModelLarge);
}

struct Module {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("kernel", context);
  Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module() {
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
  }
};

/// Optimizes the module and writes its object file.
LLVMMemoryBufferRef object_of(const Module& of, LLVMTargetMachineRef machine, std::string& why) {
  char* message = nullptr;
  if (LLVMVerifyModule(of.module, LLVMReturnStatusAction, &message) != 0) {
    why = taken(message);
    return nullptr;
  }
  LLVMDisposeMessage(message);
  const LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
  const LLVMErrorRef error = LLVMRunPasses(of.module, "default<O1>", machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (error != nullptr) {
    why = text_of(error);
    return nullptr;
  }
  LLVMMemoryBufferRef object = nullptr;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, of.module, LLVMObjectFile, &message, &object) !=
      0) {
    why = taken(message);
    return nullptr;
  }
  return object;
}

struct DisposeBuffer {
  void operator()(LLVMMemoryBufferRef buffer) const { LLVMDisposeMemoryBuffer(buffer); }
};
using Buffer = std::unique_ptr<std::remove_pointer_t<LLVMMemoryBufferRef>, DisposeBuffer>;

Object compile(const Order& order) {
  thread_local Buffer kept;
  thread_local std::string why;
  why.clear();
  const LLVMTargetMachineRef machine = make_machine(why);
  if (machine == nullptr) return {nullptr, 0, why.c_str()};
  const Module module;
  LLVMSetTarget(module.module, host().triple.c_str());
  const LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module.module, data);
  LLVMDisposeTargetData(data);
  {
    const Ir ir(module.context, module.module);
    const Processor processor{host().has("fma"), host().has("avx2")};
    for (std::uint32_t k = 0; k < order.size; ++k) {
      emit_function(ir, processor, order, order.functions[k]);
    }
  }
  kept.reset(object_of(module, machine, why));
  LLVMDisposeTargetMachine(machine);
  if (kept == nullptr) return {nullptr, 0, why.c_str()};
  return {LLVMGetBufferStart(kept.get()), LLVMGetBufferSize(kept.get()), nullptr};
}

void* load(const void* data, std::size_t bytes) {
  LLVMOrcLLJITRef jit = nullptr;
  const LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  std::string ignored;
  const LLVMTargetMachineRef machine = make_machine(ignored);
  if (machine == nullptr) return nullptr;
  LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
  if (const LLVMErrorRef error = LLVMOrcCreateLLJIT(&jit, builder)) {
    LLVMConsumeError(error);
    return nullptr;
  }
  const LLVMMemoryBufferRef object =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(static_cast<const char*>(data), bytes, "kernel");
  if (const LLVMErrorRef error =
          LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), object)) {
    LLVMConsumeError(error);
    LLVMConsumeError(LLVMOrcDisposeLLJIT(jit));
    return nullptr;
  }
  return jit;
}

Run find(void* loaded, const char* symbol) {
  LLVMOrcExecutorAddress address = 0;
  auto* const jit = static_cast<LLVMOrcLLJITRef>(loaded);
  if (const LLVMErrorRef error = LLVMOrcLLJITLookup(jit, &address, symbol)) {
    LLVMConsumeError(error);
    return nullptr;
  }
  return std::bit_cast<Run>(address);
}

void unload(void* loaded) {
  if (loaded == nullptr) return;
  LLVMConsumeError(LLVMOrcDisposeLLJIT(static_cast<LLVMOrcLLJITRef>(loaded)));
}

bool knows(const Instruction& row) {
  const Module module;
  const Ir ir(module.context, module.module);
  const Value code =
      LLVMAddFunction(module.module, "f", LLVMFunctionType(ir.bits(32), nullptr, 0, 0));
  LLVMPositionBuilderAtEnd(ir.builder, LLVMAppendBasicBlockInContext(module.context, code, ""));
  std::array<Lanes, 5> sources{};
  for (std::size_t k = 0; k < row.sources; ++k) {
    if (row.s_type[k] == LaneType::b128) return false;
    sources[k].bits = LLVMGetUndef(ir.lanes(row.s_type[k]));
  }
  const Processor processor{host().has("fma"), host().has("avx2")};
  return emit_row(ir, processor, Mistake::none, row, sources).has_value();
}

}  // namespace
}  // namespace bankproof::ptx::compiled

extern "C" [[gnu::visibility("default")]] const bankproof::ptx::compiled::Compiler*
bankproof_compiler(std::uint32_t version) {
  using namespace bankproof::ptx::compiled;
  if (version != interface_version) return nullptr;
  static const bool is_ready =
      LLVMInitializeNativeTarget() == 0 && LLVMInitializeNativeAsmPrinter() == 0;
  if (!is_ready) return nullptr;
  static const Compiler compiler{.shown = host().shown.c_str(),
                                 .name = host().name.c_str(),
                                 .compile = compile,
                                 .load = load,
                                 .find = find,
                                 .unload = unload,
                                 .knows = knows};
  return &compiler;
}
