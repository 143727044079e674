// SPDX-License-Identifier: MIT
// Reads the build ID of any bytes as of a file of another user's process.
#include <sys/mman.h>
#include <unistd.h>

#include "base/process_files.h"
#include "input.h"
#include "symbol/files/build_id.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  UniqueFd file(::memfd_create("fuzz", MFD_CLOEXEC));
  fuzz::require(::write(file.get(), data, size) == static_cast<ssize_t>(size));
  std::string id = symbol::build_id_of(file.get());
  constexpr size_t kMaxNoteBytes = size_t{1} << 16;
  fuzz::require(id.size() <= 2 * kMaxNoteBytes && id.size() % 2 == 0);
  UniqueFd copy = copy_to_memory(file.get(), size);
  fuzz::require(copy.valid() && symbol::build_id_of(copy.get()) == id);
  return 0;
}
