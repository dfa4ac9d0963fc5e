// What nvcc's own linker of device code leaves to the host: the functions by which objects that are
// compiled with -dc register their code (cuda/fatbin/wrapper.hpp).
//
// An object of nvcc or of clang calls __cudaRegisterLinkedBinary_ID, which nvcc defines when it
// links device code (crt/link.stub). The functions that are defined here hand the code of all
// objects to the machine's runtime, which links their PTX when the program first needs it.
#pragma once

#include <string>
#include <vector>

namespace bankproof::cli::nvcc {

/// C source with the functions that these objects and archives call and do not have. Without any it
/// is a comment.
std::string registration_source(const std::vector<std::string>& files);

}  // namespace bankproof::cli::nvcc
