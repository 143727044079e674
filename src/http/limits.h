// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>

namespace hm::http {

// Limits on the resources that clients of a server can use.
struct Limits {
  size_t connections = 128;  // open at a time; further clients wait until one is closed
  size_t handlers = 8;       // running at a time
  std::chrono::milliseconds request_timeout{5000};  // from accepting a connection to its request's last byte
  std::chrono::milliseconds send_timeout{30000};    // for every 64 KiB of a response
};

}  // namespace hm::http
