// SPDX-License-Identifier: MIT
// put_batches STORE FILE...: creates the store if it does not exist, and inserts batches in the format of an
// agent's spool.
#include <cstdio>

#include "base/mapped_file.h"
#include "store/batch.h"
#include "store/open_store.h"

namespace {

hm::Status put(hm::store::Store& store, const std::string& path) {
  hm::Result<hm::MappedFile> file = hm::MappedFile::open(path);
  if (!file) return file.error();
  std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  hm::Result<hm::store::Batch> batch = hm::store::read_batch(text, path);
  return batch ? store.insert(*batch) : hm::Status(batch.error());
}

hm::Status put_all(const std::string& name, int count, char** paths) {
  hm::Result<hm::store::Address> address = hm::store::parse_address(name);
  if (!address) return address.error();
  hm::Result<std::unique_ptr<hm::store::Store>> store = hm::store::open_store(*address, {});
  if (!store) return store.error();
  hm::Status done = (*store)->init();
  for (int i = 0; done && i < count; ++i) done = put(**store, paths[i]);
  return done;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  hm::Status done = put_all(words[1], count - 2, words + 2);
  if (!done) std::fprintf(stderr, "put_batches: %s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
