// What nvcc's own linker of device code leaves to the host: the functions by which objects that nvcc
// compiled with -dc register their code.
//
// Such an object calls __cudaRegisterLinkedBinary_ID, which nvcc defines when it links device code
// (crt/link.stub). Here each of these functions registers the PTX of its own object, as objects without
// -dc do; the machine's runtime links what refers to other objects.
#pragma once

#include <string>
#include <vector>

namespace bankproof::cli::nvcc {

/// C source with the functions that these objects and archives call and do not have. Without any it is
/// a comment.
std::string registration_source(const std::vector<std::string>& files);

}  // namespace bankproof::cli::nvcc
