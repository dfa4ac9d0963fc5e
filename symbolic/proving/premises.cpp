// Reads what a user states; see premises.hpp.
#include "premises.hpp"

#include "../premises/formula.hpp"

namespace bankproof::symbolic {

namespace {

std::size_t parameter_named(const std::string& name,
                            const std::vector<NamedParameter>& parameters) {
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].name == name || "arg" + std::to_string(k) == name) return k;
  }
  std::string names;
  for (const NamedParameter& one : parameters) names += (names.empty() ? "" : ", ") + one.name;
  throw PremiseError("--buffer " + name + ": the kernel's parameters are " + names);
}

}  // namespace

void state_premises(Subject& subject, const Request& request,
                    const std::vector<NamedParameter>& parameters) {
  Pool& pool = subject.pool;
  Formulas formulas(subject, *request.kernel, parameters);
  for (const std::string& where : request.where) {
    const Term condition = parsed(where, [&] { return formulas.condition(where); });
    subject.premises.push_back(condition);
  }
  for (const auto& [name, text] : request.buffers) {
    const std::size_t k = parameter_named(name, parameters);
    const BufferSize size = buffer_size(text);
    const auto bytes = size.element_bytes ? size.element_bytes : parameters[k].element_bytes;
    if (!bytes) {
      throw PremiseError("--buffer " + name + "=" + text +
                         ": the size of an element is not known; give a type or its bytes, as in " +
                         name + "=f32:" + text + " or " + name + "=12:" + text);
    }
    const Term elements = parsed(size.count, [&] { return formulas.value(size.count); });
    subject.bytes[subject.inputs().parameter(k, 0, 8)] = pool.scale(elements, *bytes);
    // A buffer has no negative size, and its bytes can be counted.
    subject.premises.push_back(
        pool.at_most(elements, pool.constant(std::uint64_t{1} << 40, 64), false));
  }
  if (request.shared_bytes) {
    for (const auto& [address, object] : subject.inputs().objects()) {
      if (object.space == ptx::Space::shared && !object.bytes) {
        subject.bytes[address] = pool.constant(*request.shared_bytes, 64);
      }
    }
  }
}

}  // namespace bankproof::symbolic
