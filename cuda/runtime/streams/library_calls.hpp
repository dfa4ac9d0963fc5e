// How CUDA's libraries (cuda/libraries) use the runtime: a library's call is one operation of a
// stream, which says what it reads and what it writes.
//
// Each library is a shared library of its own, as in CUDA, and finds these functions in the library
// of the runtime, which exports them beside CUDA's names. They are functions of C, with plain
// structures, so that only this file ties the two together. (All in one library would make every
// CUDA program load code that few programs need.)
//
// While an operation is performed, it copies its operands out of the machine's memory and its
// results into it. Each copy is checked as a whole: that the memory is there, that it was written
// before it is read, and that nothing unordered touches it. What happens between the copies is not
// seen, and nothing is counted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../headers/cuda_runtime_api.h"

extern "C" {

/// Some bytes of an operand, by their distance from its pointer.
struct BankproofSegment {
  std::uint64_t offset;
  std::uint64_t bytes;
};

/// An argument of a call that points to memory, and the bytes of it that the call uses. Messages
/// name it: "cublasSaxpy_v2 reads x at …".
struct BankproofOperand {
  const char* call;
  const char* name;
  const void* pointer;
  const BankproofSegment* segments;
  std::size_t count;  // of segments
};

/// Enqueues the operation act(data), which returns an error of CUDA's runtime. drop(data) follows
/// when it will not be performed again, or the stream does not exist.
int bankproof_library_perform(const char* call, cudaStream_t stream, int (*act)(void*),
                              void (*drop)(void*), void* data);
/// The operation that is being performed reads an operand: its segments go to `into`, one after the
/// other. Fails if the memory is not there. Memory that was not written is a finding, and no
/// failure.
int bankproof_library_read(const BankproofOperand* operand, void* into);
/// Likewise writes the operand's segments.
int bankproof_library_write(const BankproofOperand* operand, const void* from);
/// Whether the operand can only be memory of the host: no memory of the machine is there, or was.
int bankproof_library_is_of_host(const void* pointer);
/// Likewise reads or writes an operand that is memory of the host, whose bounds are those of its
/// pages.
int bankproof_library_read_of_host(const BankproofOperand* operand, void* into);
int bankproof_library_write_of_host(const BankproofOperand* operand, const void* from);
/// An index that an operand holds leads out of another operand: a finding of the operation.
void bankproof_library_found_out_of_bounds(const char* message);
/// The call itself reads or writes memory of the host, for a scalar.
int bankproof_library_read_host(const BankproofOperand* operand, void* into);
int bankproof_library_write_host(const BankproofOperand* operand, const void* from);
/// The host waits for the stream.
int bankproof_library_wait(cudaStream_t stream);
/// Whether the stream exists.
int bankproof_library_has_stream(const char* call, cudaStream_t stream);
/// A call failed; `why` begins with its name.
void bankproof_library_failed(const char* why);
}
