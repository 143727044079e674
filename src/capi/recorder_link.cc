// SPDX-License-Identifier: MIT
#include "capi/recorder_link.h"

#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace hm::capi {

soft::RegionAnswer send_to_engine(soft::RegionOperation operation, std::string_view region) {
  soft::RegionCall call{soft::kRegionTag, operation, soft::RegionAnswer::kNoEngine, {}};
  std::memcpy(call.name, region.data(), std::min<size_t>(region.size(), soft::kMaxRegionName - 1));
  int before = errno;
  // Fails with EINVAL if no engine intercepts the system call.
  (void)::prctl(static_cast<int>(soft::kRegionOption), &call, 0, 0, 0);
  errno = before;
  return call.answer;
}

}  // namespace hm::capi
