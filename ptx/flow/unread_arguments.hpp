// Arguments that nobody reads, since the called function does not mention its parameter.
//
//   .param .b8    param7[1];
//   st.param.b8   [param7], %rs3;      an empty structure, passed by value
//   call.uni      f, (…, param7);      f has no ld.param of its last parameter
//
// clang copies the byte of an empty structure, such as a group of CUDA's cooperative groups, though
// nobody ever writes it.
#pragma once

#include <cstddef>
#include <set>

#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

/// The variables of the function's body, by statement, that it only stores to and passes to
/// functions of the module whose bodies do not mention the parameter.
std::set<std::size_t> unread_arguments(const Function& function, const Module& module);

}  // namespace bankproof::ptx
