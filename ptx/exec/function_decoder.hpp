// Decodes the statements of one function into operations.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../alu/row.hpp"
#include "../flow/flow.hpp"
#include "../flow/overwritten_loads.hpp"
#include "../flow/selected_loads.hpp"
#include "../flow/unread_arguments.hpp"
#include "../flow/used_bits.hpp"
#include "../memory/access.hpp"
#include "../syntax/syntax.hpp"
#include "control.hpp"
#include "first_reads.hpp"
#include "program.hpp"
#include "slots.hpp"
#include "variables.hpp"

namespace bankproof::ptx {

struct AreaOperands;
struct BarrierOperands;
struct CollectiveOperands;
struct FenceOperands;
struct ImageOperands;
struct MatrixOperands;

/// The parts of the program that the decoder of one function uses.
struct ProgramDecoder {
  const Module& module;
  Program& program;
  Variables& variables;
  /// The code of a function with a body, which may still have to be decoded. Null without a body.
  std::function<FunctionCode*(const std::string& name)> code_of;
  /// Returns the address of a function, and notes that the function's address is taken.
  std::function<std::uint64_t(const Symbol&)> address_of;
  /// A constant slot that holds an address in dynamic shared memory. The address is known only when
  /// all functions are decoded.
  struct Dynamic {
    FunctionCode* code;
    std::size_t constant;
  };
  std::vector<Dynamic> dynamic;
  Level level;  // the level of the arithmetic rows

  /// find_row() at this level.
  const Row* row(std::string_view opcode, std::size_t destinations = 0) const {
    return find_row(opcode, destinations, level);
  }
};

class FunctionDecoder {
 public:
  FunctionDecoder(ProgramDecoder& program, const Function& function, FunctionCode& code);

  /// Decodes the statements. The constructor has already set the frame's parameters and results.
  void run();

  /// The functions that this function calls by name.
  const std::vector<const FunctionCode*>& callees() const { return callees_; }
  bool calls_indirectly() const { return calls_indirectly_; }

 private:
  // ---- Emitting (function_decoder.cpp)
  [[noreturn]] void unsupported(const std::string& what) const;
  Op& emit(Step step);          // without guard
  Op& emit_guarded(Step step);  // with the instruction's guard
  /// The program keeps the operands.
  template <class Operands>
  Op& emit_guarded(StepWith<Operands> step, std::type_identity_t<Operands> operands) {
    note_slots(operands);
    Op& op = emit_guarded(step.step());
    op.use(step, *decoder_.program.keep(std::move(operands)));
    return op;
  }
  Op& emit_row(const std::string& opcode, std::size_t destinations = 0);
  // Emits the arithmetic operation `opcode` on the sources, without a guard; returns the result's
  // slot.
  Slot computed(const std::string& opcode, LaneType type, std::initializer_list<Slot> sources);
  // Notes the slots that are not among the operation's own (FunctionCode::read_by_steps).
  void note_slots(std::initializer_list<Slot> slots);
  void note_slots(const MemoryOperands& operands);
  void note_slots(const AreaOperands& operands);
  void note_slots(const BarrierOperands& operands);
  void note_slots(const ImageOperands& operands);
  void note_slots(const CollectiveOperands& operands);
  static void note_slots(const CallOperands&) {}  // areas, which no row touches
  static void note_slots(const TrapOperands&) {}
  static void note_slots(const FenceOperands&) {}
  void begin_counted_block();
  void instruction(const Instruction& i);
  void comparison_ahead(const Instruction& i);
  void note_named();

  // ---- Operands (operands.cpp)
  const Scalar& scalar(const Operand& operand) const;
  const Operand& operand(std::size_t index) const;
  // The elements of an operand that is a vector; for a scalar, this scalar alone.
  static std::vector<Scalar> elements(const Operand& operand);
  Slot source(const Scalar& scalar, LaneType type);
  Slot source(const Operand& operand, LaneType type);
  Slot destination(const Scalar& scalar, LaneType type);
  Slot immediate(const Immediate& value, LaneType type);
  Slot special(const std::string& name, LaneType type);
  Slot grid_workspace(bool upper);
  Slot symbol_address(const Symbol& symbol);  // 64 bits, in its own space
  Slot converted(Slot from, LaneType have, LaneType want);
  Slot negated(Slot predicate);
  std::uint64_t parameter_offset(std::size_t index) const;
  const ParamArea* area(const Symbol& symbol);
  std::string type_modifier() const;

  // ---- Kinds of instructions
  void arithmetic();  // decode_arithmetic.cpp
  void vector_move();
  void convert_address();
  void test_space();
  bool memory();  // decode_memory.cpp; true if it decoded the instruction
  void memory_access();
  Slot address_slot(const Address& address, bool& wide);
  void parameter_load(const Symbol& symbol);
  void area_access(const ParamArea& area, std::int64_t offset);
  void copy_parameters();  // parameter_copies.cpp
  void copy_parameter(std::size_t index);
  bool group_of_copies();
  void fence();
  bool mbarrier();  // decode_mbarrier.cpp
  void initialize_mbarrier(MemoryOperands operands);
  void arrive_at_mbarrier(MemoryOperands operands);
  void test_mbarrier(MemoryOperands operands, bool by_parity);
  void access_mbarrier(MemoryOperands operands);
  bool control();  // decode_control.cpp
  void branch();
  void table_branch();
  void call();
  bool library_call(const std::string& name, const CallOperands& call);  // false: no such function
  void barrier();
  bool collective();  // decode_collective.cpp
  bool image();       // decode_image.cpp
  void image_address(const Operand& operand, ImageOperands& operands);
  void texture(ImageOperands& operands);
  void surface(ImageOperands& operands);
  bool matrix();  // decode_matrix.cpp
  std::vector<Slot> registers(const Operand& operand, std::size_t count, LaneType lane,
                              bool is_result);
  void multiply_operands(MatrixOperands& operands);
  void exchange_operands(MatrixOperands& operands);
  void tile_operands(MatrixOperands& operands);
  void matrix_address(const Operand& operand, MatrixOperands& operands);

  // A branch whose targets resolve() fills in when the positions of all operations are known.
  struct Fix {
    std::size_t op;
    std::vector<std::size_t> targets;  // blocks
    std::optional<std::size_t> reconvergence;
    std::size_t from;  // the block of the branch
    bool by_table = false;
  };
  void find_reconvergence();
  void resolve();

  ProgramDecoder& decoder_;
  const Function& function_;
  FunctionCode& code_;
  Slots slots_;
  Flow flow_;
  std::vector<std::optional<std::size_t>> reconvergence_;  // for each block
  std::vector<std::size_t> first_op_;                      // for each block
  std::vector<Fix> fixes_;
  std::map<std::size_t, ParamArea> areas_;  // of .param variables, by statement
  std::map<std::size_t, std::uint64_t> local_offsets_;
  std::map<std::size_t, std::uint64_t> parameter_copies_;  // in local memory, by parameter
  std::vector<NamedSlots> named_;                          // for each block
  std::vector<const FunctionCode*> callees_;
  bool calls_indirectly_ = false;

  // The instruction that is being decoded.
  const Instruction* at_ = nullptr;
  std::size_t statement_ = 0;
  std::size_t block_ = 0;
  std::string opcode_;
  std::optional<Slot> guard_;
  bool writes_all_lanes_ = false;  // every lane that executes it writes all of its results

  // Two analyses of which loads are used. The decoder makes them at the first load.
  std::optional<UsedBits> used_bits_;
  std::optional<std::set<const Instruction*>> overwritten_loads_;
  std::optional<SelectedLoads> selected_loads_;
};

}  // namespace bankproof::ptx
