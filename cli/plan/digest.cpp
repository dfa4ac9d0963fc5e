// SHA-256 by OpenSSL; see digest.hpp.
#include "digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace bankproof::cli {
namespace {

void require(int result) {
  if (result != 1) throw std::runtime_error("OpenSSL cannot compute a SHA-256");
}

std::array<std::uint8_t, 8> little_endian(std::uint64_t value) {
  std::array<std::uint8_t, 8> bytes;
  for (std::size_t k = 0; k < 8; ++k) bytes[k] = static_cast<std::uint8_t>(value >> (8 * k));
  return bytes;
}

}  // namespace

std::string digest_of(const Values& permutation) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  require(EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr));
  std::array<std::array<std::uint8_t, 8>, 1024> block;
  std::visit(
      [&](const auto& values) {
        for (std::size_t begin = 0; begin < values.size(); begin += block.size()) {
          const std::size_t count = std::min(block.size(), values.size() - begin);
          for (std::size_t i = 0; i < count; ++i) block[i] = little_endian(values[begin + i]);
          require(EVP_DigestUpdate(context.get(), block.data(), count * sizeof(block[0])));
        }
      },
      permutation);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  require(EVP_DigestFinal_ex(context.get(), digest.data(), &length));
  std::string text;
  for (unsigned k = 0; k < length; ++k) text += fmt::format("{:02x}", digest[k]);
  return text;
}

}  // namespace bankproof::cli
