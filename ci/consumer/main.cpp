// Counts the stages of one warp's access: 7 and 15 share bank 3 of 4, hence 2.
#include <array>
#include <bankproof/model/cost.hpp>
#include <iostream>

int main() {
  const std::array<bankproof::Address, 4> addresses = {7, 5, 15, 0};
  std::cout << bankproof::StageCounter(4).bank_stages(addresses) << " stages\n";
}
