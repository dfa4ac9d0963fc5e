// Compiles a program, or takes its object file from the cache; see compiled_code.hpp.
#include "compiled_code.hpp"

#include <utility>

#include "../compiled/background.hpp"
#include "../compiled/cache.hpp"
#include "../compiled/find.hpp"
#include "describe.hpp"

namespace bankproof::ptx {

struct CompiledCode::Job {
  Description description;
  CompileOptions options;
  std::size_t blocks = 0;  // counted blocks of the program
};

CompiledCode::~CompiledCode() {
  if (loaded_ != nullptr) compiler_->unload(loaded_);
}

void CompiledCode::consider(const Program& program, const CompileOptions& options,
                            std::uint64_t more) {
  using When = CompileOptions::When;
  if (options.when == When::never) return;
  const std::uint64_t all = executed_.fetch_add(more) + more;
  if (options.when == When::earned && all < options.after) return;
  if (begun_.exchange(true)) return;
  const compiled::Found& found = compiled::find_compiler();
  if (found.compiler == nullptr) return refuse(found.why);
  compiler_ = found.compiler;
  const auto job =
      std::make_shared<const Job>(Job{Description(program), options, program.block_sites.size()});
  if (options.when == When::always) return finish(*job);
  compiled::do_in_background([self = shared_from_this(), job] { self->finish(*job); });
}

void CompiledCode::refuse(const std::string& why) {
  const std::lock_guard lock(mutex_);
  why_not_ = why;
}

std::string CompiledCode::why_not() const {
  const std::lock_guard lock(mutex_);
  return why_not_;
}

std::string CompiledCode::status(const CompileOptions& options) const {
  if (options.when == CompileOptions::When::never) return "interpreted, as it was asked for";
  if (pieces() != nullptr) return std::string("compiled by ") + compiler_->shown;
  if (const std::string why = why_not(); !why.empty()) return "interpreted: " + why;
  if (begun_) return "interpreted while it is compiled";
  return "interpreted: its threads have not executed " + std::to_string(options.after) +
         " instructions yet";
}

void CompiledCode::finish(const Job& job) {
  const CompileOptions& options = job.options;
  const bool is_planted = options.mistake != compiled::Mistake::none;
  const compiled::Cache cache(is_planted ? std::string() : options.cache);
  const std::string key = std::to_string(compiled::interface_version) + " " + compiler_->name +
                          "\n" + job.description.key();
  if (const auto kept = cache.find(key)) loaded_ = compiler_->load(kept->data(), kept->size());
  if (loaded_ == nullptr) {
    const compiled::Object object = compiler_->compile(job.description.order(options.mistake));
    if (object.why != nullptr) return refuse(object.why);
    cache.keep(key, {static_cast<const char*>(object.data), object.bytes});
    loaded_ = compiler_->load(object.data, object.bytes);
  }
  if (loaded_ == nullptr) return refuse("LLVM cannot load the code that it made");
  table_.resize(job.blocks);
  for (const Description::Part& part : job.description.parts()) {
    const compiled::Run run = compiler_->find(loaded_, part.symbol.c_str());
    if (run == nullptr) return refuse("LLVM cannot find the code that it made");
    for (std::uint32_t b = 0; b < part.blocks.size(); ++b) {
      table_[part.blocks[b].count] = {run, part.ops, b};
    }
  }
  pieces_.store(table_.data(), std::memory_order_release);
}

}  // namespace bankproof::ptx
