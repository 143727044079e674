// SPDX-License-Identifier: MIT
// fill_example_fleet STORE: makes a store, and puts the example of store/example_fleet.h there.
#include <fmt/format.h>

#include "store/example_fleet.h"
#include "store/open_store.h"

namespace {

hm::Status fill(const char* where) {
  hm::Result<hm::store::Address> address = hm::store::parse_address(where);
  if (!address) return address.error();
  auto store = hm::store::open_store(*address, {});
  if (!store) return store.error();
  if (hm::Status made = (*store)->init(); !made) return made;
  for (const hm::store::Batch& batch : hm::testing::example_fleet()) {
    if (hm::Status stored = (*store)->insert(batch); !stored) return stored;
  }
  return {};
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  hm::Status filled = fill(words[1]);
  if (filled) return 0;
  fmt::print(stderr, "{}\n", filled.error().message);
  return 1;
}
