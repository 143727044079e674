// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/spare_rings.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/unique_fd.h"
#include "pmu/soft/ring/spare_ring.h"
#include "pmu/soft/ring/system_call.h"

namespace hm::soft {

bool SpareRings::serve() {
  Session& session = folder_.session();
  uint32_t wanted = std::min(__atomic_load_n(&session.spares_wanted, __ATOMIC_ACQUIRE), kMaxSpares);
  uint32_t ready = 0, taken = 0;
  for (uint32_t i = 0; i < kMaxSpares; ++i) {
    uint32_t state = __atomic_load_n(&session.spare_states[i], __ATOMIC_ACQUIRE);
    if (state == kSpareReady) ++ready;
    if (state != kSpareTaken) continue;
    rename_taken(i);
    ++taken;
  }
  for (uint32_t i = 0; i < kMaxSpares && ready < wanted; ++i) {
    if (__atomic_load_n(&session.spare_states[i], __ATOMIC_ACQUIRE) != kSpareNone) continue;
    make(i);
    ++ready;
  }
  return taken != 0;
}

// If there is no memory, the process continues without a ring after a while.
void SpareRings::make(uint32_t index) {
  std::string path = folder_.path() + "/" + SpareFileName(index).text;
  uint64_t data_bytes = folder_.settings().ring_data_bytes;
  uint64_t bytes = ring_file_bytes(static_cast<uint32_t>(data_bytes));
  ::unlink(path.c_str());
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  bool made = fd.valid() && ::ftruncate(fd.get(), static_cast<off_t>(bytes)) == 0 &&
              allocate_file(fd.get(), 0, kFirstBytes) && allocate_file(fd.get(), kDataOffset, data_bytes) &&
              ::fchmod(fd.get(), 0666) == 0;
  if (!made) {
    if (fd.valid()) ::unlink(path.c_str());
    return;
  }
  Session& session = folder_.session();
  __atomic_store_n(&session.spare_states[index], uint32_t{kSpareReady}, __ATOMIC_RELEASE);
  __atomic_fetch_add(&session.spares_made, 1, __ATOMIC_SEQ_CST);
  futex_wake(&session.spares_made);
}

void SpareRings::rename_taken(uint32_t index) {
  std::string spare = folder_.path() + "/" + SpareFileName(index).text;
  std::string ring = fmt::format("{}/{}{}{}", folder_.path(), kRingFilePrefix, kSpareFilePrefix, taken_++);
  (void)std::rename(spare.c_str(), ring.c_str());
  __atomic_store_n(&folder_.session().spare_states[index], uint32_t{kSpareNone}, __ATOMIC_RELEASE);
}

}  // namespace hm::soft
