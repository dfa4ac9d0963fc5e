// Reads what a user states; see premises.hpp.
#include "premises.hpp"

#include <algorithm>
#include <regex>

#include "../../ptx/exec/limits.hpp"
#include "../../ptx/report/function_names.hpp"
#include "../premises/constants.hpp"
#include "../premises/formula.hpp"

namespace bankproof::symbolic {

namespace {

const NamedValue& pointer_named(const std::string& name, const std::vector<NamedValue>& values) {
  std::string names;
  for (const NamedValue& one : values) {
    if (one.name == name || one.numbered == name) {
      if (one.bytes == 8) return one;
      throw PremiseError("--buffer " + name + ": " + name + " is no pointer");
    }
    if (one.is_pointer || !one.is_member) names += (names.empty() ? "" : ", ") + one.name;
  }
  throw PremiseError("--buffer " + name + ": the kernel's parameters are " + names);
}

/// The type of the elements, if --buffer has it.
void put_stated_type(NamedValue& pointer, const Request& request) {
  for (const auto& [name, text] : request.buffers) {
    const BufferSize size = buffer_size(text);
    if (!size.has_type || (name != pointer.name && name != pointer.numbered)) continue;
    pointer.element_bytes = size.element_bytes;
    pointer.is_signed = size.has_signed_elements;
    pointer.has_float_elements = size.has_float_elements;
  }
}

const std::vector<std::uint64_t>* directive(const ptx::Function& kernel, const std::string& name) {
  for (const ptx::FunctionDirective& one : kernel.directives) {
    if (one.name == name && !one.numbers.empty()) return &one.numbers;
  }
  return nullptr;
}

std::uint64_t volume(const std::vector<std::uint64_t>& sizes) {
  std::uint64_t product = 1;
  // Each is cut, so that no product wraps around.
  for (const std::uint64_t size : sizes) product *= std::min(size, most_threads_of_block);
  return std::min(product, most_threads_of_block);
}

/// Axes that no device has (CUDA C++ Programming Guide, "Technical Specifications").
void refuse_too_long(const Shape& shape) {
  const auto refuse = [](const char* option, const auto& sizes, const auto& most,
                         const std::string& things) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (!sizes[k] || (*sizes[k] >= 1 && *sizes[k] <= most[k])) continue;
      throw PremiseError(std::string(option) + ": there are 1 to " + std::to_string(most[k]) + ' ' +
                         things + " along " + "xyz"[k] + ", not " + std::to_string(*sizes[k]));
    }
  };
  refuse("--block", shape.block, most_in_block, "threads");
  refuse("--grid", shape.grid, most_in_grid, "blocks");
}

/// The launch has so many bytes of dynamic shared memory; no launch has more than a chip.
void state_dynamic_shared(Subject& subject, const std::string& text, Term bytes) {
  Pool& pool = subject.pool;
  const std::string most = std::to_string(ptx::most_shared_bytes);
  if (pool.is_constant(bytes)) {
    if (pool.node(bytes).value > ptx::most_shared_bytes) {
      throw PremiseError("--shared " + text + ": a block has at most " + most +
                         " bytes of shared memory");
    }
  } else {
    subject.premises.push_back(
        pool.at_most(bytes, pool.constant(ptx::most_shared_bytes, 64), false));
    subject.limited.push_back("--shared " + text + " is from 0 to " + most + " bytes");
  }
  subject.dynamic_shared = bytes;
  for (const auto& [address, object] : subject.inputs().objects()) {
    if (object.space == ptx::Space::shared && !object.bytes) subject.bytes[address] = bytes;
  }
}

}  // namespace

Shape shape_of(const Request& request, const std::vector<NamedValue>& values) {
  Shape shape = request.shape;
  // One condition may give a value to a name of another one.
  for (std::size_t turn = 0; turn < request.where.size(); ++turn) {
    const Shape before = shape;
    for (const std::string& where : request.where) {
      parsed(where, [&] { add_constants(shape, where, values); });
    }
    if (shape == before) break;
  }
  for (const NamedValue& value : values) {
    if (value.is_pointer) shape.pointers.emplace(value.index, value.offset);
  }
  if (const auto* const required = directive(*request.kernel, "reqntid")) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t size = k < required->size() ? (*required)[k] : 1;
      if (shape.block[k].value_or(size) != size) {
        throw PremiseError("--block: the kernel is compiled for blocks of " + std::to_string(size) +
                           " threads along " + "xyz"[k]);
      }
      shape.block[k] = static_cast<std::uint32_t>(size);
    }
  }
  refuse_too_long(shape);
  std::uint64_t stated = 1;
  for (const auto& size : shape.block) stated *= size.value_or(1);
  if (stated > most_threads_of_block) {
    throw PremiseError("--block: a block has at most " + std::to_string(most_threads_of_block) +
                       " threads, not " + std::to_string(stated));
  }
  const std::uint64_t most = most_threads_of(*request.kernel);
  if (stated > most && most < most_threads_of_block) {
    throw PremiseError("--block: the kernel is compiled for blocks of at most " +
                       std::to_string(most) + " threads, not " + std::to_string(stated));
  }
  return shape;
}

std::uint64_t most_threads_of(const ptx::Function& kernel) {
  for (const char* const name : {"maxntid", "reqntid"}) {
    if (const auto* const sizes = directive(kernel, name)) return volume(*sizes);
  }
  return most_threads_of_block;
}

bool is_bounded(const Request& request, const NamedValue& value) {
  const auto escaped = [](const std::string& name) {
    return std::regex_replace(name, std::regex(R"([.[\]])"), R"(\$&)");
  };
  const std::string names = "(" + escaped(value.name) + "|" + escaped(value.numbered) + ")";
  const std::regex before_bound(R"((^|[^\w.]))" + names + R"(\s*(<|==))");
  const std::regex behind_bound(R"((>=?|==)\s*)" + names + R"((?![\w.[]))");
  // That two sizes are the same bounds neither of them.
  const std::regex same_sizes(
      R"(\s*[A-Za-z_][\w.[\]]*\s*==\s*(?!blockDim|gridDim)[A-Za-z_][\w.[\]]*\s*)");
  return std::any_of(request.where.begin(), request.where.end(), [&](const std::string& where) {
    // A choice compares a size without bounding it.
    if (std::regex_match(where, same_sizes) || where.find('?') != std::string::npos) return false;
    return std::regex_search(where, before_bound) || std::regex_search(where, behind_bound);
  });
}

namespace {

/// No array has more than 2^40 elements.
void state_usual_sizes(Subject& subject, const Request& request,
                       const std::vector<NamedValue>& values) {
  constexpr std::uint64_t usual = std::uint64_t{1} << 40;
  Pool& pool = subject.pool;
  for (const NamedValue& one : values) {
    if (!one.is_number() || one.bytes != 8 || is_bounded(request, one)) continue;
    // Kernels read few members.
    if (one.is_member && !subject.inputs().reads(one.index, one.offset, 8)) continue;
    const Term value = subject.inputs().parameter(one.index, one.offset, 8);
    const Term most = pool.constant(usual, 64);
    subject.premises.push_back(pool.at_most(value, most, one.is_signed));
    if (one.is_signed) subject.premises.push_back(pool.at_most(pool.negative(most), value, true));
    subject.usual.push_back(one.name);
  }
}

}  // namespace

std::vector<ElementCondition> take_element_conditions(Request& request,
                                                      const std::vector<NamedValue>& values) {
  std::vector<ElementCondition> all;
  std::erase_if(request.where, [&](const std::string& where) {
    auto condition = parsed(where, [&] { return element_condition(where, values); });
    if (!condition) return false;
    for (ElementCondition::Use& use : condition->uses) put_stated_type(use.pointer, request);
    all.push_back(std::move(*condition));
    return true;
  });
  return all;
}

void state_elements(Subject& subject, const std::vector<ElementCondition>& conditions,
                    const std::vector<NamedValue>& values) {
  Formulas formulas(subject, values);
  for (const ElementCondition& condition : conditions) {
    try {
      subject.elements.stated.push_back(formulas.statement(condition));
    } catch (const ElementError& error) {
      throw PremiseError(error.what());
    }
  }
}

std::set<std::string> overwritten_in(const Request& request) {
  std::set<std::string> names;
  for (const std::string& name : request.symbols) {
    try {
      names.insert(ptx::find_variable(request.file->module, name, request.file->source).name);
    } catch (const ptx::KernelNameError& error) {
      throw PremiseError("--symbol " + name + ": " + error.what());
    }
  }
  return names;
}

void state_premises(Subject& subject, const Request& request,
                    const std::vector<NamedValue>& values) {
  Pool& pool = subject.pool;
  subject.most_threads = most_threads_of(*request.kernel);
  subject.overwritten = overwritten_in(request);
  Formulas formulas(subject, values);
  for (const std::string& where : request.where) {
    const Term condition = parsed(where, [&] { return formulas.condition(where); });
    subject.premises.push_back(condition);
  }
  state_usual_sizes(subject, request, values);
  for (const auto& [name, text] : request.buffers) {
    const NamedValue& pointer = pointer_named(name, values);
    subject.names_members = subject.names_members || pointer.is_member;
    const BufferSize size = buffer_size(text);
    const auto bytes = size.element_bytes ? size.element_bytes : pointer.element_bytes;
    if (!bytes) {
      throw PremiseError("--buffer " + name + "=" + text +
                         ": the size of an element is not known; give a type or its bytes, as in " +
                         name + "=f32:" + text + " or " + name + "=12:" + text);
    }
    if (*bytes == 0) {
      throw PremiseError("--buffer " + name + "=" + text + ": an element has one byte or more");
    }
    const Term address = subject.inputs().parameter(pointer.index, pointer.offset, 8);
    if (subject.bytes.count(address) != 0) {
      throw PremiseError("--buffer " + name + " is given twice");
    }
    const Term elements = parsed(size.count, [&] { return formulas.value(size.count); });
    subject.bytes[address] = pool.scale(elements, *bytes);
    subject.elements_of_buffers.emplace_back(size.count, elements);
    // A buffer has no negative size, and its bytes can be counted.
    subject.premises.push_back(
        pool.at_most(elements, pool.constant(std::uint64_t{1} << 40, 64), false));
  }
  if (!request.shared.empty()) {
    const Term bytes = parsed(request.shared, [&] { return formulas.value(request.shared); });
    state_dynamic_shared(subject, request.shared, bytes);
  }
}

}  // namespace bankproof::symbolic
