// Decodes instructions on textures and surfaces: their names, and the registers of coordinates,
// levels, gradients and values. The handle of an object is in a register; references to textures,
// which modules declared before there were objects, are not known.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "function_decoder.hpp"
#include "images.hpp"

namespace bankproof::ptx {

namespace {

using ImageKind = ImageOperands::Kind;

struct NamedGeometry {
  std::string_view name;
  Geometry geometry;
};
constexpr std::array<NamedGeometry, 7> geometries{{{"1d", Geometry::line},
                                                   {"2d", Geometry::plane},
                                                   {"3d", Geometry::volume},
                                                   {"a1d", Geometry::lines},
                                                   {"a2d", Geometry::planes},
                                                   {"cube", Geometry::cube},
                                                   {"acube", Geometry::cubes}}};

std::optional<ImageKind> kind_of(std::string_view base) {
  if (base == "tex") return ImageKind::sample;
  if (base == "tld4") return ImageKind::gather;
  if (base == "suld") return ImageKind::load;
  if (base == "sust") return ImageKind::store;
  return std::nullopt;
}

}  // namespace

bool FunctionDecoder::image() {
  const std::optional<ImageKind> kind = kind_of(at_->base);
  if (!kind) return false;
  ImageOperands operands;
  operands.kind = *kind;
  bool known = false;
  for (const NamedGeometry& named : geometries) {
    if (!at_->has(named.name)) continue;
    operands.geometry = named.geometry;
    known = true;
  }
  if (!known) unsupported(opcode_);
  Access& access = operands.memory.access;
  access.operation = *kind == ImageKind::store ? Operation::store : Operation::load;
  access.space = Space::global;
  if (*kind == ImageKind::sample || *kind == ImageKind::gather) {
    texture(operands);
  } else {
    surface(operands);
  }
  emit_guarded(image_step, std::move(operands));
  return true;
}

// [object, {coordinates}] or [object, {layer, coordinates}]. Some vectors are longer than the
// geometry needs.
void FunctionDecoder::image_address(const Operand& operand, ImageOperands& operands) {
  const auto* const address = std::get_if<Address>(&operand.value);
  const auto* const object = address == nullptr ? nullptr : std::get_if<Register>(&address->base);
  if (object == nullptr) unsupported("a reference to a texture or surface instead of an object");
  if (!address->more.empty()) unsupported("a sampler besides the texture");
  if (slots_.type(*object) != LaneType::b64) unsupported("an object in a register of this size");
  operands.object = slots_.of(*object);
  std::size_t next = 0;
  const auto coordinate = [&] {
    if (next >= address->coordinates.size()) unsupported("a coordinate is missing");
    return source(address->coordinates[next++], LaneType::b32);
  };
  if (has_layer(operands.geometry)) operands.layer = coordinate();
  while (operands.coordinates.size() < axes_of(operands.geometry)) {
    operands.coordinates.push_back(coordinate());
  }
}

void FunctionDecoder::texture(ImageOperands& operands) {
  const std::vector<std::string>& modifiers = at_->modifiers;
  if (modifiers.size() < 2) unsupported(opcode_);
  const std::string& coordinates = modifiers.back();
  const std::string& result = modifiers[modifiers.size() - 2];
  operands.by_number = coordinates == "s32";
  operands.halves = result == "f16";
  const bool known = result == "f32" || result == "s32" || result == "u32" || operands.halves;
  if (!known || !(operands.by_number || coordinates == "f32")) unsupported(opcode_);
  constexpr std::array<std::string_view, 4> channels{"r", "g", "b", "a"};
  for (std::uint32_t k = 0; k < channels.size(); ++k) {
    if (at_->has(channels.at(k))) operands.channel = k;
  }
  const LaneType lane = operands.halves ? LaneType::b16 : LaneType::b32;
  writes_all_lanes_ = true;
  const std::vector<Scalar> values = elements(operand(0));
  if (values.empty() || values.size() > 4) unsupported("another number of results");
  for (const Scalar& value : values) {
    const bool is_sink = std::holds_alternative<Sink>(value);
    operands.memory.values.push_back(is_sink ? no_slot : destination(value, lane));
  }
  operands.memory.type = lane;
  image_address(operand(1), operands);
  const auto rest = [&](std::size_t index, std::vector<Slot>& to) {
    for (const Scalar& one : elements(operand(index))) to.push_back(source(one, LaneType::b32));
  };
  if (at_->has("level")) {
    operands.level = ImageOperands::Level::given;
    operands.given_level = source(operand(2), LaneType::b32);
    // The level of a texture of integers is an integer.
    if (operands.by_number) {
      operands.given_level = computed("cvt.rn.f32.s32", LaneType::b32, {operands.given_level});
    }
  } else if (at_->has("grad")) {
    operands.level = ImageOperands::Level::by_gradient;
    rest(2, operands.by_x);
    rest(3, operands.by_y);
  } else if (at_->operands.size() > 2) {
    unsupported("an offset or a depth to compare with");
  }
}

void FunctionDecoder::surface(ImageOperands& operands) {
  using Outside = ImageOperands::Outside;
  if (!at_->has("b")) unsupported(opcode_);  // .p converts
  if (at_->has("clamp")) operands.outside = Outside::clamp;
  if (at_->has("zero")) operands.outside = Outside::zero;
  const bool loads = operands.kind == ImageKind::load;
  image_address(operand(loads ? 1 : 0), operands);
  MemoryOperands& memory = operands.memory;
  constexpr std::array<const char*, 4> types{"b8", "b16", "b32", "b64"};
  const auto* const named =
      std::find_if(types.begin(), types.end(), [&](const char* name) { return at_->has(name); });
  if (named == types.end()) unsupported(opcode_);
  const Type type = *named;
  memory.access.element_bytes = bits_of(type) / 8;
  memory.type = lane_type_of(bits_type(std::max(bits_of(type), 16U)));
  const std::vector<Scalar> values = elements(operand(loads ? 0 : 1));
  memory.access.vector = static_cast<std::uint32_t>(values.size());
  writes_all_lanes_ = loads;
  for (const Scalar& value : values) {
    if (loads) {
      const bool is_sink = std::holds_alternative<Sink>(value);
      memory.values.push_back(is_sink ? no_slot : destination(value, memory.type));
    } else {
      memory.values.push_back(source(value, memory.type));
    }
  }
}

}  // namespace bankproof::ptx
