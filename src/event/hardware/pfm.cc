// SPDX-License-Identifier: MIT
#include "event/hardware/pfm.h"

#include <fmt/format.h>
#include <perfmon/pfmlib_perf_event.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <utility>

namespace hm::event {
namespace {

std::atomic<bool> environment_is_ours{true};

// libpfm4 encodes events of other processors than the host's only if LIBPFM_ENCODE_INACTIVE is set at its
// start (pfm_initialize(3)). Other variables hide tables or print. Therefore libpfm4 is started once with an
// environment that only holds this variable.
int start_library() {
  if (!environment_is_ours) return pfm_initialize();
  std::array<char, 25> encode_inactive{"LIBPFM_ENCODE_INACTIVE=1"};
  std::array<char*, 2> environment{encode_inactive.data(), nullptr};
  char** users = std::exchange(environ, environment.data());
  int status = pfm_initialize();
  environ = users;
  return status;
}

}  // namespace

void leave_environment_alone() { environment_is_ours = false; }

Result<PfmCode> pfm_encode(std::string_view tables, std::string_view name) {
  static const int started = start_library();
  if (started != PFM_SUCCESS) {
    return make_error(ErrorCode::kUnsupported, "cannot start libpfm4, which knows the processors' events: {}",
                      pfm_strerror(started));
  }
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  pfm_perf_encode_arg_t request{};
  request.attr = &attr;
  request.size = sizeof(request);
  std::string event = fmt::format("{}::{}", tables, name);
  int status = pfm_get_os_event_encoding(event.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &request);
  if (status != PFM_SUCCESS) {
    return make_error(ErrorCode::kUnsupported, "libpfm4 does not know the event {}: {}", event,
                      pfm_strerror(status));
  }
  return PfmCode{.config = attr.config, .config1 = attr.config1, .config2 = attr.config2};
}

}  // namespace hm::event
