// The host's side of permuting; see permutation.hpp.
#include <algorithm>
#include <string>

#include "../support/checks.hpp"
#include "../support/words.hpp"
#include "permutation.cuh"
#include "permutation.hpp"

namespace bankproof::cuda {

namespace {

/// Launches a variant in shared memory. The index arrays of `Source` and `Target` take `bytes`
/// bytes.
template <class T, class Source, class Target>
void launch_in_shared_memory(const char* what, std::span<const T> a, T* b, std::size_t lanes,
                             const Source& source_of, const Target& target_of, std::size_t bytes,
                             const OneBlock& block, cudaStream_t stream) {
  require_block(block.threads, what);
  if (a.empty()) return;
  bytes += 2 * a.size_bytes();
  auto* const kernel = kernels::permute_in_shared_memory<WordOf<T>, Source, Target>;
  allow_shared_memory(kernel, bytes, what);
  kernel<<<1, block.threads, bytes, stream>>>(
      words_of(a.data()), words_of(b), static_cast<std::uint32_t>(a.size()),
      static_cast<std::uint32_t>(lanes), source_of, target_of, block.repetitions);
  require_launched("permute_in_shared_memory");
}

/// Checks the arguments of a call that permutes a to b by indices; messages call the indices
/// `name`.
template <class T>
void require_arrays(const char* what, std::span<const T> a, T* b, const char* name,
                    const IndexSpan& indices) {
  require_apart(what, {{"a", a}, {"b", b, a.size()}, {name, indices}});
  if (indices.size() == a.size()) return;
  refuse(what,
         std::to_string(indices.size()) + " indices for " + std::to_string(a.size()) + " elements");
}

/// Launches a variant in global memory.
template <class T, class Source, class Target>
void launch_in_global_memory(std::span<const T> a, T* b, const Source& source_of,
                             const Target& target_of, cudaStream_t stream) {
  if (a.empty()) return;
  constexpr std::uint32_t threads = 256;
  constexpr std::size_t most_blocks = 0x7fffffff;
  const std::size_t blocks = std::min(ceil_div(a.size(), threads), most_blocks);
  kernels::permute_in_global_memory<WordOf<T>>
      <<<static_cast<std::uint32_t>(blocks), threads, 0, stream>>>(words_of(a.data()), words_of(b),
                                                                   a.size(), source_of, target_of);
  require_launched("permute_in_global_memory");
}

}  // namespace

template <class T>
void copy_in_shared_memory(std::span<const T> a, T* b, const OneBlock& block, cudaStream_t stream) {
  constexpr const char* what = "copy_in_shared_memory";
  require_apart(what, {{"a", a}, {"b", b, a.size()}});
  launch_in_shared_memory(what, a, b, a.size(), kernels::OwnElement{}, kernels::OwnElement{}, 0,
                          block, stream);
}

template <class T>
void permute_destination_designated_in_shared_memory(std::span<const T> a, T* b, const IndexSpan& p,
                                                     const OneBlock& block, cudaStream_t stream) {
  constexpr const char* what = "permute_destination_designated_in_shared_memory";
  require_arrays(what, a, b, "p", p);
  p.visit<std::uint16_t, std::uint32_t>(what, [&]<class Index>(const Index* indices) {
    launch_in_shared_memory(what, a, b, a.size(), kernels::OwnElement{},
                            kernels::ElementFrom<Index>{indices}, p.size() * sizeof(Index), block,
                            stream);
  });
}

template <class T>
void permute_source_designated_in_shared_memory(std::span<const T> a, T* b, const IndexSpan& q,
                                                const OneBlock& block, cudaStream_t stream) {
  constexpr const char* what = "permute_source_designated_in_shared_memory";
  require_arrays(what, a, b, "q", q);
  q.visit<std::uint16_t, std::uint32_t>(what, [&]<class Index>(const Index* indices) {
    launch_in_shared_memory(what, a, b, a.size(), kernels::ElementFrom<Index>{indices},
                            kernels::OwnElement{}, q.size() * sizeof(Index), block, stream);
  });
}

template <class T>
void permute_conflict_free_in_shared_memory(std::span<const T> a, T* b, const PlanTables& plan,
                                            const OneBlock& block, cudaStream_t stream) {
  constexpr const char* what = "permute_conflict_free_in_shared_memory";
  require_apart(what, {{"a", a}, {"b", b, a.size()}, {"s", plan.s}, {"d", plan.d}});
  if (const std::size_t lanes = plan.s.size();
      lanes < a.size() || lanes > rounded_up<std::uint64_t>(a.size(), 32)) {
    refuse(what, "a plan of " + std::to_string(lanes) + " lanes does not fit " +
                     std::to_string(a.size()) + " elements");
  }
  if (block.threads % 32 != 0) {
    refuse(what,
           std::to_string(block.threads) + " threads are not whole warps, which a plan needs");
  }
  visit_tables<std::uint16_t, std::uint32_t>(
      plan, what, [&]<class Index>(const Index* s, const Index* d) {
        launch_in_shared_memory(what, a, b, plan.s.size(), kernels::ElementFrom<Index, true>{s},
                                kernels::ElementFrom<Index, true>{d},
                                2 * plan.s.size() * sizeof(Index), block, stream);
      });
}

template <class T>
void permute_in_place_in_shared_memory(std::span<const T> a, T* b, InPlacePermutation permutation,
                                       InPlaceVariant variant, const OneBlock& block,
                                       cudaStream_t stream) {
  constexpr const char* what = "permute_in_place_in_shared_memory";
  require_apart(what, {{"a", a}, {"b", b, a.size()}});
  if (a.size() != InPlace{5}.size()) {
    refuse(what, "the formulas are for 1024 elements, not " + std::to_string(a.size()));
  }
  const auto launch = [&](const auto& source_of, const auto& target_of) {
    launch_in_shared_memory(what, a, b, a.size(), source_of, target_of, 0, block, stream);
  };
  const auto permute = [&]<class P>(const P& p, const auto& q) {
    switch (variant) {
      case InPlaceVariant::destination_designated:
        return launch(kernels::OwnElement{}, p);
      case InPlaceVariant::source_designated:
        return launch(q, kernels::OwnElement{});
      case InPlaceVariant::conflict_free:
        return launch(kernels::PlannedSource{}, kernels::PlannedTarget<P>{});
    }
    refuse_variant(what);
  };
  switch (permutation) {
    case InPlacePermutation::transpose:
      return permute(kernels::TransposedElement{}, kernels::TransposedElement{});
    case InPlacePermutation::shuffle:
      return permute(kernels::ShuffledElement{}, kernels::UnshuffledElement{});
    case InPlacePermutation::bit_reversal:
      return permute(kernels::ReversedElement{}, kernels::ReversedElement{});
  }
  refuse_variant(what);
}

template <class T>
void permute_destination_designated(std::span<const T> a, T* b, const IndexSpan& p,
                                    cudaStream_t stream) {
  constexpr const char* what = "permute_destination_designated";
  require_arrays(what, a, b, "p", p);
  p.visit<std::uint32_t, std::uint64_t>(what, [&]<class Index>(const Index* indices) {
    launch_in_global_memory(a, b, kernels::OwnElement{}, kernels::ElementFrom<Index>{indices},
                            stream);
  });
}

template <class T>
void permute_source_designated(std::span<const T> a, T* b, const IndexSpan& q,
                               cudaStream_t stream) {
  constexpr const char* what = "permute_source_designated";
  require_arrays(what, a, b, "q", q);
  q.visit<std::uint32_t, std::uint64_t>(what, [&]<class Index>(const Index* indices) {
    launch_in_global_memory(a, b, kernels::ElementFrom<Index>{indices}, kernels::OwnElement{},
                            stream);
  });
}

#define BANKPROOF_INSTANTIATE(T)                                                                  \
  template void copy_in_shared_memory<T>(std::span<const T>, T*, const OneBlock&, cudaStream_t);  \
  template void permute_destination_designated_in_shared_memory<T>(                               \
      std::span<const T>, T*, const IndexSpan&, const OneBlock&, cudaStream_t);                   \
  template void permute_source_designated_in_shared_memory<T>(                                    \
      std::span<const T>, T*, const IndexSpan&, const OneBlock&, cudaStream_t);                   \
  template void permute_conflict_free_in_shared_memory<T>(                                        \
      std::span<const T>, T*, const PlanTables&, const OneBlock&, cudaStream_t);                  \
  template void permute_in_place_in_shared_memory<T>(                                             \
      std::span<const T>, T*, InPlacePermutation, InPlaceVariant, const OneBlock&, cudaStream_t); \
  template void permute_destination_designated<T>(std::span<const T>, T*, const IndexSpan&,       \
                                                  cudaStream_t);                                  \
  template void permute_source_designated<T>(std::span<const T>, T*, const IndexSpan&,            \
                                             cudaStream_t);
BANKPROOF_INSTANTIATE(std::int32_t)
BANKPROOF_INSTANTIATE(std::uint32_t)
BANKPROOF_INSTANTIATE(std::int64_t)
BANKPROOF_INSTANTIATE(float)
BANKPROOF_INSTANTIATE(double)

}  // namespace bankproof::cuda
