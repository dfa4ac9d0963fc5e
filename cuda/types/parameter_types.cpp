// Walks over the types in the debug information, by libdw; see parameter_types.hpp.
#include "parameter_types.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "debug_sections.hpp"

namespace bankproof::cuda {

namespace {

constexpr std::size_t most_values = 1024;
constexpr std::uint64_t most_elements = 64;
/// Deeper types are those of a damaged file, which may contain themselves.
constexpr int deepest_type = 64;

std::string name_of(Dwarf_Die* die) {
  const char* const name = dwarf_diename(die);
  return name == nullptr ? "" : name;
}

std::optional<std::uint64_t> number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  const bool has = dwarf_attr_integrate(die, attribute, &found) != nullptr &&
                   dwarf_formudata(&found, &value) == 0;
  return has ? std::optional<std::uint64_t>(value) : std::nullopt;
}

bool is_signed(std::uint64_t encoding) {
  return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

/// The type of a parameter, member or pointer, without its name by typedef and without const.
std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die named;
  Dwarf_Die type;
  const bool has = dwarf_attr_integrate(die, DW_AT_type, &attribute) != nullptr &&
                   dwarf_formref_die(&attribute, &named) != nullptr &&
                   dwarf_peel_type(&named, &type) == 0;
  return has ? std::optional(type) : std::nullopt;
}

/// The place of a member in its structure.
std::uint64_t place_of(Dwarf_Die* member) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  const bool has =
      dwarf_attr_integrate(member, DW_AT_data_member_location, &attribute) != nullptr &&
      dwarf_getlocation(&attribute, &operations, &count) == 0 && count == 1;
  return has ? operations->number : 0;  // members of unions have no place
}

/// Calls each(child) for the entries below this one.
template <typename Each>
void each_child(Dwarf_Die* parent, const Each& each) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do each(child);
  while (dwarf_siblingof(&child, &child) == 0);
}

class Values {
 public:
  std::vector<ParameterValue> all{};

  void add(Dwarf_Die type, const std::string& name, std::uint64_t offset, int depth = 0) {
    if (depth > deepest_type || all.size() >= most_values) return;
    switch (dwarf_tag(&type)) {
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
        add_members(type, name, offset, depth);
        break;
      case DW_TAG_array_type:
        add_elements(type, name, offset, depth);
        break;
      default:
        add_value(type, name, offset);
    }
  }

 private:
  void add_members(Dwarf_Die type, const std::string& name, std::uint64_t offset, int depth) {
    each_child(&type, [&](Dwarf_Die& member) {
      const int tag = dwarf_tag(&member);
      const bool is_member = tag == DW_TAG_member && dwarf_hasattr(&member, DW_AT_external) == 0 &&
                             dwarf_hasattr(&member, DW_AT_bit_size) == 0;
      if (!is_member && tag != DW_TAG_inheritance) return;
      const std::optional<Dwarf_Die> of_member = type_of(&member);
      if (!of_member) return;
      // Members of a base and of a union without a name belong to the structure itself.
      // nvcc calls the part that is a base `__b_4Base`.
      const std::string written = tag == DW_TAG_member ? name_of(&member) : "";
      const std::string own = written.starts_with("__b_") ? "" : written;
      add(*of_member, own.empty() ? name : name + "." + own, offset + place_of(&member), depth + 1);
    });
  }

  void add_elements(Dwarf_Die type, const std::string& name, std::uint64_t offset, int depth) {
    std::optional<Dwarf_Die> element = type_of(&type);
    if (!element) return;
    std::vector<std::uint64_t> sides;
    each_child(&type, [&](Dwarf_Die& child) {
      if (dwarf_tag(&child) != DW_TAG_subrange_type) return;
      const auto count = number(&child, DW_AT_count);
      const auto last = number(&child, DW_AT_upper_bound);
      sides.push_back(count ? *count : last ? *last + 1 : 0);
    });
    Dwarf_Word bytes = 0;
    if (dwarf_aggregate_size(&*element, &bytes) != 0) return;
    std::uint64_t elements = 1;
    for (const std::uint64_t side : sides) elements *= std::min(side, most_elements + 1);
    if (elements > most_elements) return;
    add_rows(*element, bytes, sides, 0, name, offset, depth);
  }

  /// The elements of an array along its axes from `axis` on. Returns where the next one begins.
  std::uint64_t add_rows(const Dwarf_Die& element, std::uint64_t bytes,
                         const std::vector<std::uint64_t>& sides, std::size_t axis,
                         const std::string& name, std::uint64_t offset, int depth) {
    if (axis == sides.size()) {
      add(element, name, offset, depth + 1);
      return offset + bytes;
    }
    for (std::uint64_t k = 0; k < sides[axis] && all.size() < most_values; ++k) {
      offset = add_rows(element, bytes, sides, axis + 1, name + "[" + std::to_string(k) + "]",
                        offset, depth);
    }
    return offset;
  }

  void add_value(Dwarf_Die type, const std::string& name, std::uint64_t offset) {
    ParameterValue value{.name = name, .offset = offset};
    const int tag = dwarf_tag(&type);
    value.is_pointer = tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
                       tag == DW_TAG_rvalue_reference_type;
    Dwarf_Word bytes = 0;
    if (dwarf_aggregate_size(&type, &bytes) != 0 && !value.is_pointer) return;
    value.bytes = value.is_pointer ? 8 : static_cast<std::uint32_t>(bytes);
    if (value.is_pointer) {
      std::optional<Dwarf_Die> element = type_of(&type);
      Dwarf_Word size = 0;
      if (element && dwarf_aggregate_size(&*element, &size) == 0 && size != 0) {
        value.element_bytes = static_cast<std::uint32_t>(size);
        const std::uint64_t encoding = number(&*element, DW_AT_encoding).value_or(DW_ATE_unsigned);
        value.is_signed = is_signed(encoding);
        value.has_float_elements = encoding == DW_ATE_float;
      }
    } else {
      const std::optional<Dwarf_Die> under =
          tag == DW_TAG_enumeration_type ? type_of(&type) : std::nullopt;
      value.has_known_sign = tag != DW_TAG_enumeration_type || under.has_value();
      if (under) type = *under;
      const std::uint64_t encoding = number(&type, DW_AT_encoding).value_or(DW_ATE_unsigned);
      value.is_signed = is_signed(encoding);
      value.is_float = encoding == DW_ATE_float;
    }
    all.push_back(std::move(value));
  }
};

std::vector<ParameterType> parameters_of(Dwarf_Die* function) {
  std::vector<ParameterType> parameters;
  each_child(function, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_formal_parameter) return;
    ParameterType& made = parameters.emplace_back(ParameterType{name_of(&child), 0, {}});
    std::optional<Dwarf_Die> type = type_of(&child);
    if (!type) return;
    Dwarf_Word bytes = 0;
    if (dwarf_aggregate_size(&*type, &bytes) == 0) made.bytes = bytes;
    Values values;
    values.add(*type, made.name, 0);
    made.values = std::move(values.all);
  });
  return parameters;
}

bool is_function(Dwarf_Die* die, const std::string& mangled) {
  if (dwarf_tag(die) != DW_TAG_subprogram) return false;
  Dwarf_Attribute attribute;
  for (const unsigned one : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
    if (dwarf_attr_integrate(die, one, &attribute) == nullptr) continue;
    const char* const name = dwarf_formstring(&attribute);
    if (name != nullptr && name == mangled) return true;
  }
  return false;
}

/// Looks for the function in a unit or a namespace.
std::vector<ParameterType> found_in(Dwarf_Die* scope, const std::string& mangled, int depth) {
  std::vector<ParameterType> found;
  each_child(scope, [&](Dwarf_Die& child) {
    if (!found.empty() || depth > deepest_type) return;
    if (is_function(&child, mangled)) found = parameters_of(&child);
    if (dwarf_tag(&child) == DW_TAG_namespace) found = found_in(&child, mangled, depth + 1);
  });
  return found;
}

}  // namespace

std::vector<ParameterType> parameter_types(std::string_view ptx, const std::string& kernel) {
  std::string file = elf_of_debug_sections(ptx);
  if (file.empty() || elf_version(EV_CURRENT) == EV_NONE) return {};
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_memory(file.data(), file.size()), elf_end);
  if (!elf) return {};
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(
      dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr), dwarf_end);
  if (!dwarf) return {};
  std::size_t header = 0;
  for (Dwarf_Off at = 0, next = 0;
       dwarf_nextcu(dwarf.get(), at, &next, &header, nullptr, nullptr, nullptr) == 0; at = next) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf.get(), at + header, &unit) == nullptr) continue;
    std::vector<ParameterType> found = found_in(&unit, kernel, 0);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace bankproof::cuda
