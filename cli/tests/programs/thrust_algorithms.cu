// Thrust's algorithms on random numbers, compared with those of the standard library. A line for
// each comparison that fails; the exit code is 1 if there is one.
//
//   thrust_algorithms SEED SIZE…    all algorithms, for each number of items
//   thrust_algorithms race          thrust::unique in place, on many tiles
//
// Each algorithm is compiled once, since a compiler takes some seconds for ten of them.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using Numbers = std::vector<int>;
using OnDevice = thrust::device_vector<int>;

std::mt19937 bits;
int size_now = 0;
bool all_right = true;

struct Item {
  int key;
  int place;
};
bool operator==(const Item& a, const Item& b) { return a.key == b.key && a.place == b.place; }

struct LessKey {
  __host__ __device__ bool operator()(const Item& a, const Item& b) const { return a.key < b.key; }
};
struct IsOdd {
  __host__ __device__ bool operator()(int n) const { return n % 2 != 0; }
};
struct Mixed {
  __host__ __device__ int operator()(int a, int b) const { return 3 * a - b; }
};
/// Associative, and not commutative: the last number other than 0.
struct LastNonzero {
  __host__ __device__ int operator()(int a, int b) const { return b == 0 ? a : b; }
};

Numbers random_numbers(int count, int limit) {
  Numbers numbers(count);
  for (int& n : numbers) n = int(bits() % limit);
  return numbers;
}
Numbers sorted(Numbers numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

template <class T>
std::vector<T> back(const thrust::device_vector<T>& there) {
  std::vector<T> here(there.size());
  thrust::copy(there.begin(), there.end(), here.begin());
  return here;
}

template <class T>
void compare(const char* what, const T& found, const T& expected) {
  if (found == expected) return;
  std::printf("%s of %d items is wrong\n", what, size_now);
  all_right = false;
}

void sorts(const Numbers& numbers) {
  OnDevice keys = numbers;
  OnDevice places(numbers.size());
  thrust::copy(thrust::make_counting_iterator(0), thrust::make_counting_iterator(size_now),
               places.begin());
  std::vector<Item> items;
  for (int k = 0; k < size_now; ++k) items.push_back({numbers[k] % 50, k});
  thrust::device_vector<Item> on_device = items;
  thrust::stable_sort(on_device.begin(), on_device.end(), LessKey());
  std::stable_sort(items.begin(), items.end(), LessKey());
  compare("stable_sort", back(on_device), items);
  thrust::sort_by_key(keys.begin(), keys.end(), places.begin());
  compare("sort_by_key, keys", back(keys), sorted(numbers));
  Numbers order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return numbers[a] < numbers[b]; });
  compare("sort_by_key, values", back(places), order);
  thrust::sort(places.begin(), places.end());
  std::iota(order.begin(), order.end(), 0);
  compare("sort", back(places), order);
}

void reductions(const Numbers& numbers) {
  const OnDevice there = numbers;
  compare("reduce", thrust::reduce(there.begin(), there.end()),
          std::accumulate(numbers.begin(), numbers.end(), 0));
  compare("count_if", int(thrust::count_if(there.begin(), there.end(), IsOdd())),
          int(std::count_if(numbers.begin(), numbers.end(), IsOdd())));
  if (numbers.empty()) return;
  const auto extremes = thrust::minmax_element(there.begin(), there.end());
  compare("minmax_element, least", int(extremes.first - there.begin()),
          int(std::min_element(numbers.begin(), numbers.end()) - numbers.begin()));
  // The standard library gives the last of several largest numbers here, Thrust the first.
  compare("minmax_element, largest", int(extremes.second - there.begin()),
          int(std::max_element(numbers.begin(), numbers.end()) - numbers.begin()));
}

void scans(const Numbers& numbers) {
  const OnDevice there = numbers;
  OnDevice out(numbers.size());
  Numbers expected(numbers.size());
  thrust::inclusive_scan(there.begin(), there.end(), out.begin(), LastNonzero());
  std::partial_sum(numbers.begin(), numbers.end(), expected.begin(), LastNonzero());
  compare("inclusive_scan", back(out), expected);
  thrust::exclusive_scan(there.begin(), there.end(), out.begin(), 5);
  int sum = 5;
  for (int k = 0; k < size_now; ++k) {
    expected[k] = sum;
    sum += numbers[k];
  }
  compare("exclusive_scan", back(out), expected);
}

/// Runs of equal keys.
void by_keys(const Numbers& numbers) {
  const Numbers key = sorted(random_numbers(size_now, 1 + size_now / 10));
  const OnDevice keys = key;
  const OnDevice values = numbers;
  OnDevice out(numbers.size());
  Numbers sums = numbers;
  for (int k = 1; k < size_now; ++k) sums[k] += key[k] == key[k - 1] ? sums[k - 1] : 0;
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), out.begin());
  compare("inclusive_scan_by_key", back(out), sums);
  OnDevice heads(numbers.size());
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), heads.begin(), out.begin());
  heads.erase(ends.first, heads.end());
  out.resize(heads.size());
  Numbers expected_heads;
  Numbers expected_sums;
  for (int k = 0; k < size_now; ++k) {
    if (k + 1 < size_now && key[k] == key[k + 1]) continue;
    expected_heads.push_back(key[k]);
    expected_sums.push_back(sums[k]);
  }
  compare("reduce_by_key, keys", back(heads), expected_heads);
  compare("reduce_by_key, sums", back(out), expected_sums);
  OnDevice once(numbers.size());
  once.erase(thrust::unique_copy(keys.begin(), keys.end(), once.begin()), once.end());
  compare("unique_copy", back(once), expected_heads);
}

void choices(const Numbers& numbers) {
  OnDevice there = numbers;
  OnDevice out(numbers.size());
  out.erase(thrust::copy_if(there.begin(), there.end(), out.begin(), IsOdd()), out.end());
  Numbers odd;
  Numbers rest;
  std::partition_copy(numbers.begin(), numbers.end(), std::back_inserter(odd),
                      std::back_inserter(rest), IsOdd());
  compare("copy_if", back(out), odd);
  OnDevice kept(numbers.size());
  kept.erase(thrust::remove_copy_if(there.begin(), there.end(), kept.begin(), IsOdd()), kept.end());
  compare("remove_copy_if", back(kept), rest);
  const auto middle = thrust::partition(there.begin(), there.end(), IsOdd());
  compare("partition, where", int(middle - there.begin()), int(odd.size()));
  Numbers parted = back(there);
  std::sort(parted.begin(), parted.begin() + int(odd.size()));
  std::sort(parted.begin() + int(odd.size()), parted.end());
  odd = sorted(odd);
  rest = sorted(rest);
  odd.insert(odd.end(), rest.begin(), rest.end());
  compare("partition", parted, odd);
}

void sets(const Numbers& numbers) {
  const Numbers a = sorted(numbers);
  const Numbers b = sorted(random_numbers(int(bits() % (size_now + 2)), 1000));
  const OnDevice first = a;
  const OnDevice second = b;
  const auto begin = first.begin();
  OnDevice out(a.size() + b.size());
  thrust::merge(begin, first.end(), second.begin(), second.end(), out.begin());
  Numbers expected;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  compare("merge", back(out), expected);
  expected.clear();
  out.erase(thrust::set_union(begin, first.end(), second.begin(), second.end(), out.begin()),
            out.end());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  compare("set_union", back(out), expected);
  expected.clear();
  out.resize(a.size() + b.size());
  out.erase(thrust::set_difference(begin, first.end(), second.begin(), second.end(), out.begin()),
            out.end());
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  compare("set_difference", back(out), expected);
}

void moves(const Numbers& numbers) {
  Numbers order(numbers.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), bits);
  const OnDevice there = numbers;
  const OnDevice map = order;
  OnDevice gathered(numbers.size());
  OnDevice scattered(numbers.size());
  Numbers expected(numbers.size());
  thrust::gather(map.begin(), map.end(), there.begin(), gathered.begin());
  for (int k = 0; k < size_now; ++k) expected[k] = numbers[order[k]];
  compare("gather", back(gathered), expected);
  thrust::scatter(gathered.begin(), gathered.end(), map.begin(), scattered.begin());
  compare("scatter", back(scattered), numbers);
  thrust::transform(gathered.begin(), gathered.end(), there.begin(), scattered.begin(), Mixed());
  std::transform(expected.begin(), expected.end(), numbers.begin(), expected.begin(), Mixed());
  compare("transform", back(scattered), expected);
}

/// The two usual ways: where each bin ends among the sorted numbers, and the sums of ones.
void histograms(const Numbers& numbers) {
  constexpr int bins = 40;
  Numbers here = numbers;
  for (int& n : here) n %= bins;
  OnDevice there = sorted(here);
  OnDevice ends(bins);
  thrust::upper_bound(there.begin(), there.end(), thrust::make_counting_iterator(0),
                      thrust::make_counting_iterator(bins), ends.begin());
  const Numbers found = back(ends);
  for (int bin = 0; bin < bins; ++bin) {
    const int count = found[bin] - (bin == 0 ? 0 : found[bin - 1]);
    compare("histogram", count, int(std::count(here.begin(), here.end(), bin)));
  }
}

void growth(const Numbers& numbers) {
  OnDevice there;
  Numbers here;
  for (int k = 0; k < std::min(size_now, 9); ++k) {
    there.push_back(numbers[k]);
    here.push_back(numbers[k]);
  }
  there.insert(there.begin() + here.size() / 2, numbers.begin(), numbers.end());
  here.insert(here.begin() + here.size() / 2, numbers.begin(), numbers.end());
  there.resize(there.size() + 33, 7);
  here.resize(here.size() + 33, 7);
  there.erase(there.begin() + 1, there.begin() + 4);
  here.erase(here.begin() + 1, here.begin() + 4);
  there.shrink_to_fit();
  const OnDevice copy = there;
  compare("device_vector", back(copy), here);
}

int unique_in_place() {
  OnDevice there = sorted(random_numbers(20000, 9000));
  return thrust::unique(there.begin(), there.end()) == there.begin();
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::string(arguments[1]) == "race") return unique_in_place();
  bits.seed(count > 1 ? std::atoi(arguments[1]) : 1);
  for (int k = 2; k < count; ++k) {
    size_now = std::atoi(arguments[k]);
    const Numbers numbers = random_numbers(size_now, 1000);
    for (const auto part :
         {sorts, reductions, scans, by_keys, choices, sets, moves, histograms, growth}) {
      part(numbers);
    }
  }
  return all_right ? 0 : 1;
}
