// SPDX-License-Identifier: MIT
// fill_example_fleet STORE [LETTERS]: creates a store with the example of store/example_fleet.h. With
// LETTERS, that number of letters without a blank follows each name of hosts, services, releases, files and
// functions.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "store/example_fleet.h"
#include "store/open_store.h"

namespace {

void lengthen(hm::store::Batch& batch, const std::string& letters) {
  batch.host += letters;
  for (hm::store::Row& row : batch.rows) {
    for (std::string* name : {&row.series.service, &row.series.release, &row.place.build_id,
                              &row.place.module, &row.place.function, &row.place.file, &row.place.object})
      if (!name->empty()) *name += letters;
  }
}

hm::Status fill(const char* where, size_t letters) {
  hm::Result<hm::store::Address> address = hm::store::parse_address(where);
  if (!address) return address.error();
  auto store = hm::store::open_store(*address, {});
  if (!store) return store.error();
  if (hm::Status made = (*store)->init(); !made) return made;
  for (hm::store::Batch& batch : hm::testing::example_fleet()) {
    lengthen(batch, std::string(letters, 'e'));  // a valid digit of releases, which are build-ids in hex
    if (hm::Status stored = (*store)->insert(batch); !stored) return stored;
  }
  return {};
}

}  // namespace

int main(int count, char** words) {
  if (count != 2 && count != 3) return 2;
  hm::Status filled = fill(words[1], count == 3 ? std::strtoul(words[2], nullptr, 10) : 0);
  if (filled) return 0;
  fmt::print(stderr, "{}\n", filled.error().message);
  return 1;
}
