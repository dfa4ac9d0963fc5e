// Performs the stores as one access; see library_stores.hpp.
#include "library_stores.hpp"

#include "steps.hpp"

namespace bankproof::ptx {
namespace {

MemoryOperands store_of(std::uint32_t bytes) {
  MemoryOperands operands;
  operands.access.operation = Operation::store;
  operands.access.element_bytes = bytes;
  return operands;
}

}  // namespace

void perform(MemoryWarp& warp, LibraryStore& store) {
  static const MemoryOperands of_four = store_of(4);
  static const MemoryOperands of_eight = store_of(8);
  if (store.lanes == 0) return;
  Request request(warp, store.bytes == 4 ? of_four : of_eight, store.site, Operation::store,
                  store.bytes, store.values);
  request.is_priced = false;
  request.at = store.at;
  fill_inactive(request.at, store.lanes);
  serve(request, Space::global, true, store.lanes);
}

}  // namespace bankproof::ptx
