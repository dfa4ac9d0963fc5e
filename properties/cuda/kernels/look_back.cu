// The device's part of look_back.hpp.
#include "../../../cuda/kernels/prefix_sums/look_back.cuh"
#include "../../../cuda/kernels/support/device.hpp"
#include "../../../cuda/kernels/support/elements.hpp"
#include "look_back.hpp"

namespace bankproof::cuda::tests {

namespace look_back_test {

template <class T>
__global__ void publish_and_look_back(const T* sums, const T* prefixes,
                                      const std::uint8_t* is_inclusive, std::size_t tiles,
                                      typename kernels::LookBack<T>::Tiles state, T* result) {
  for (std::size_t k = threadIdx.x; k < tiles; k += 32) {
    const bool inclusive = is_inclusive[k] != 0;
    state.publish(k, inclusive ? prefixes[k] : sums[k],
                  inclusive ? kernels::tile_inclusive : kernels::tile_partial);
  }
  const T sum = kernels::look_back<T>(state, tiles);
  if (threadIdx.x == 0) *result = sum;
}

/// The memory in which tiles publish; at first every tile is INVALID.
template <class T>
struct State {
  explicit State(std::size_t tiles)
      : status(std::vector<unsigned long long>(tiles)), sums(tiles), prefixes(tiles) {}

  void put(kernels::PublishedWords<T>& tiles) { tiles = {status.data()}; }
  void put(kernels::PublishedArrays<T>& tiles) {
    tiles = {reinterpret_cast<std::uint32_t*>(status.data()), sums.data(), prefixes.data()};
  }

  DeviceArray<unsigned long long> status;
  DeviceArray<T> sums;
  DeviceArray<T> prefixes;
};

}  // namespace look_back_test

template <class T>
T sum_by_look_back(const std::vector<T>& sums, const std::vector<T>& prefixes,
                   const std::vector<std::uint8_t>& is_inclusive) {
  const DeviceArray<T> all_sums(sums);
  const DeviceArray<T> all_prefixes(prefixes);
  const DeviceArray<std::uint8_t> all_inclusive(is_inclusive);
  look_back_test::State<T> state(sums.size());
  typename kernels::LookBack<T>::Tiles tiles{};
  state.put(tiles);
  DeviceArray<T> result(1);
  look_back_test::publish_and_look_back<T><<<1, 32>>>(all_sums.data(), all_prefixes.data(),
                                                      all_inclusive.data(), sums.size(), tiles,
                                                      result.data());
  require_launched("publish_and_look_back");
  return result.values()[0];
}

#define BANKPROOF_INSTANTIATE(T)                                               \
  template T sum_by_look_back<T>(const std::vector<T>&, const std::vector<T>&, \
                                 const std::vector<std::uint8_t>&);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(AffineMap)

}  // namespace bankproof::cuda::tests
