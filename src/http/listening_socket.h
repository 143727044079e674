// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "http/http_address.h"

namespace hm::http {

// Returns a non-blocking socket that listens at the address. Fails with kPermission, or with kIo if the
// address is not this machine's or its port is in use; `what` names in the message what is served there.
[[nodiscard]] Result<UniqueFd> listen_at(const Address& address, std::string_view what);

// Returns the port that the kernel has chosen if port 0 was bound.
[[nodiscard]] uint16_t bound_port(int socket);

}  // namespace hm::http
