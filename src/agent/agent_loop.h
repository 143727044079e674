// SPDX-License-Identifier: MIT
// Measures a machine in short windows, as long as it runs, and sends the results to a store.
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
#include "http/http_address.h"
#include "store/open_store.h"

namespace hm::agent {

struct AgentOptions {
  store::Address store;
  store::Credentials credentials;
  std::string folder;  // the agent's own, for batches that no store has yet
  std::string host;
  double budget = 0.005;                             // average CPU use allowed, as a fraction of one CPU
  uint64_t max_waiting_bytes = uint64_t{256} << 20;  // limit on the batches that wait for the store
  Window window;                                     // measurement of the whole machine
  bool occupancy = false;                            // also measure last-level cache occupancy, by service
  std::vector<ChosenService> software;               // also measured by the software PMU, in turn
  uint64_t max_windows = 0;                          // 0: run until stopped
  std::string version;                               // version of hardmeter
  std::optional<http::Address> listen;               // address that serves metrics and the last measurement
  std::string otlp_url;                              // receiver of measurements as OTLP profiles; empty: none
};

struct Watcher {
  std::function<bool()> stops;                  // polled often
  std::function<void(const std::string&)> log;  // writes a sentence to the log
};

struct Account {
  uint64_t windows = 0, failed_windows = 0;
  uint64_t batches_sent = 0, rows_sent = 0;
  double cpu_s = 0, elapsed_s = 0;
};

// Runs until it is stopped. Fails if no part of it can work. The store may be unreachable.
[[nodiscard]] Result<Account> run_agent(const AgentOptions& options, const Watcher& watcher);

}  // namespace hm::agent
