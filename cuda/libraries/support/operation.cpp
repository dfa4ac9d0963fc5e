// See operation.hpp.
#include "operation.hpp"

#include <memory>
#include <new>

#include "refuse.hpp"

namespace bankproof::cuda::libraries {

namespace {

struct Enqueued {
  std::string call;
  std::function<void(Operation&)> act;
  Reach reach;
};

int act(void* data) {
  const auto& enqueued = *static_cast<const Enqueued*>(data);
  try {
    Operation operation(enqueued.call, enqueued.reach);
    enqueued.act(operation);
    return cudaSuccess;
  } catch (const OperationError& error) {
    return error.error;
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  }
}

void drop(void* data) { const std::unique_ptr<Enqueued> owned(static_cast<Enqueued*>(data)); }

}  // namespace

std::size_t Operation::bytes_of(const Segments& segments) {
  std::size_t sum = 0;
  for (const BankproofSegment& segment : segments) sum += segment.bytes;
  return sum;
}

void Operation::read_bytes(const char* name, const void* pointer, const Segments& segments,
                           void* into) {
  const BankproofOperand operand{call_.c_str(), name, pointer, segments.data(), segments.size()};
  const int error = is_of_host(pointer) ? bankproof_library_read_of_host(&operand, into)
                                        : bankproof_library_read(&operand, into);
  if (error != 0) throw OperationError{error};
}

void Operation::write_bytes(const char* name, void* pointer, const Segments& segments,
                            const void* from) {
  const BankproofOperand operand{call_.c_str(), name, pointer, segments.data(), segments.size()};
  const int error = is_of_host(pointer) ? bankproof_library_write_of_host(&operand, from)
                                        : bankproof_library_write(&operand, from);
  if (error != 0) throw OperationError{error};
}

bool Operation::is_of_host(const void* pointer) const {
  return reach_ == Reach::device_or_host && bankproof_library_is_of_host(pointer) != 0;
}

void Operation::refuse_index(const std::string& what) const {
  bankproof_library_found_out_of_bounds((call_ + ": " + what).c_str());
  throw OperationError{cudaErrorIllegalAddress};
}

int perform(const std::string& call, cudaStream_t stream, std::function<void(Operation&)> function,
            Reach reach) {
  auto enqueued = std::make_unique<Enqueued>(Enqueued{call, std::move(function), reach});
  return bankproof_library_perform(call.c_str(), stream, act, drop, enqueued.release());
}

int read_host(const char* call, const char* name, const void* pointer, std::size_t bytes,
              void* into) {
  const BankproofSegment all{0, bytes};
  const BankproofOperand operand{call, name, pointer, &all, 1};
  return bankproof_library_read_host(&operand, into);
}

int write_host(const char* call, const char* name, void* pointer, std::size_t bytes,
               const void* from) {
  const BankproofSegment all{0, bytes};
  const BankproofOperand operand{call, name, pointer, &all, 1};
  return bankproof_library_write_host(&operand, from);
}

void say(const std::string& call, const std::string& why) {
  bankproof_library_failed((call + ": " + why).c_str());
}

int refuse(const char* function, const char* why, int status) {
  say(function, std::string("refused: ") + why);
  return status;
}

}  // namespace bankproof::cuda::libraries
