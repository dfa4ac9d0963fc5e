// See additions.hpp.
#include "additions.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "../support/errors.hpp"
#include "../support/numbers.hpp"
#include "../support/words.hpp"

namespace bankproof::cli {
namespace {

/// An option's NAME=VALUE.
struct Assignment {
  std::string name;
  std::string value;
};

Assignment assignment(const std::string& text, const std::string& wanted_by,
                      const std::string& expected) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(wanted_by + ": expected " + expected);
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

const RequestedBuffer* KernelRequest::symbol(const std::string& name) const {
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [&](const RequestedBuffer& one) { return one.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

void add_save(KernelRequest& request, const std::string& name, const std::string& file,
              const std::string& wanted_by) {
  if (request.symbol(name) == nullptr) {
    const bool known = std::any_of(request.buffers.begin(), request.buffers.end(),
                                   [&](const RequestedBuffer& one) { return one.name == name; });
    const bool is_number = name.find_first_not_of("0123456789") == std::string::npos;
    if (!known && !is_number) {
      throw UsageError(wanted_by + ": there is no buffer " + in_quotes(name) +
                       "; if it is a variable of the file, give its type: " +
                       (request.file.empty()
                            ? "--symbol " + name + "=f32:16"
                            : "\"symbols\": {" + in_quotes(name) + ": \"f32:16\"}"));
    }
    request.buffer(name, wanted_by);
  }
  if (!file.ends_with(".npy")) throw UsageError(wanted_by + ": files are written as .npy");
  const bool again = std::any_of(request.saves.begin(), request.saves.end(),
                                 [&](const RequestedSave& save) { return save.file == file; });
  if (again) throw UsageError(wanted_by + ": another buffer is written to that file");
  request.saves.push_back({name, file});
}

void add_symbol(KernelRequest& request, const std::string& name, const std::string& description,
                const std::string& wanted_by) {
  if (request.symbol(name) != nullptr)
    throw UsageError(wanted_by + ": this variable is given twice");
  for (const RequestedBuffer& buffer : request.buffers) {
    if (buffer.name == name) throw UsageError(wanted_by + ": a buffer has that name");
  }
  RequestedBuffer symbol{name, "variable " + name, {}};
  constexpr std::string_view mark = "buffer:";
  if (description.starts_with(mark) && !request.file.empty()) {
    symbol.place = description.substr(mark.size());
    request.buffer(symbol.place, wanted_by);
  } else {
    symbol.description = cuda::parse_buffer(description);
  }
  request.symbols.push_back(std::move(symbol));
}

void add_to(KernelRequest& request, const TypedAdditions& typed) {
  for (const std::string& text : typed.symbols) {
    const std::string option = "--symbol " + in_quotes(text);
    const Assignment symbol =
        assignment(text, option, "a variable and what it holds, as in table=f32:16=iota");
    try {
      add_symbol(request, symbol.name, symbol.value, option);
    } catch (const cuda::ArgumentError& error) {
      throw UsageError(option + ": " + error.what());
    }
  }
  for (const std::string& text : typed.saves) {
    const std::string option = "--save " + in_quotes(text);
    const Assignment save = assignment(text, option, "a buffer and a file, as in 0=out.npy");
    add_save(request, save.name, save.value, option);
  }
  if (const auto most = positive_number("--max-instructions", typed.max_instructions)) {
    request.max_instructions = *most;
  }
  request.schedule = positive_number("--schedule", typed.schedule).value_or(0);
}

}  // namespace bankproof::cli
