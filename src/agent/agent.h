// SPDX-License-Identifier: MIT
// Measures a machine in short windows, for as long as it runs, and sends what it sees to a store.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/budget.h"
#include "agent/spool.h"
#include "agent/window.h"
#include "base/result.h"
#include "http/address.h"
#include "store/open_store.h"

namespace hm::agent {

struct AgentOptions {
  store::Address store;
  store::Credentials credentials;
  std::string folder;  // of its own, for what no store has yet
  std::string host;
  double budget = 0.005;                              // of one CPU, in the mean
  uint64_t most_waiting_bytes = uint64_t{256} << 20;  // of what waits for the store
  Window window;                                      // of the whole machine
  bool occupancy = false;                             // of the last-level cache, by service
  std::vector<ChosenService> software;                // measured by the software PMU, too, in turn
  uint64_t most_windows = 0;                          // 0: until it is stopped
  std::string version;                                // hardmeter's
  std::optional<http::Address> listen;                // where metrics and the last measurement are served
  std::string otlp_url;  // where measurements are sent as profiles; empty: nowhere
};

struct Watcher {
  std::function<bool()> stops;                   // asked often
  std::function<void(const std::string&)> tell;  // a sentence for the log
};

struct Account {
  uint64_t windows = 0, failed_windows = 0;
  uint64_t batches_sent = 0, rows_sent = 0;
  double cpu_s = 0, elapsed_s = 0;
};

// Until it is stopped. An error where nothing of it can work; the store may be away.
[[nodiscard]] Result<Account> run_agent(const AgentOptions& options, const Watcher& watcher);

}  // namespace hm::agent
