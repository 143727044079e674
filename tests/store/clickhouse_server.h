// SPDX-License-Identifier: MIT
// A ClickHouse of a test's own, at ports that are free, with its data in a temporary folder.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace hm::testing {

class ClickhouseServer {
 public:
  // One server for each shard of the cluster "hardmeter". Empty where no ClickHouse is installed.
  [[nodiscard]] static std::vector<std::unique_ptr<ClickhouseServer>> start(size_t shards);
  // One that is spoken to by https alone, by users with the password "it's secret": "owner" may do all,
  // "agent" and "reader" what docs/fleet.md gives them. Null likewise.
  [[nodiscard]] static std::unique_ptr<ClickhouseServer> start_secure();
  ClickhouseServer(const ClickhouseServer&) = delete;
  ClickhouseServer& operator=(const ClickhouseServer&) = delete;
  ~ClickhouseServer();

  [[nodiscard]] uint16_t port() const { return http_port_; }
  // Of start_secure(): the file of its certificate.
  [[nodiscard]] std::string certificate() const { return folder_.file("certificate.pem"); }
  // With SIGKILL.
  void kill();
  void start_again();

 private:
  ClickhouseServer(uint16_t http_port, uint16_t tcp_port) : http_port_(http_port), tcp_port_(tcp_port) {}
  // In XML: what else stands in its configuration, and who may ask.
  void configure(const std::string& more, const std::string& users) const;
  void configure_securely() const;
  [[nodiscard]] bool answers() const;

  uint16_t http_port_, tcp_port_;
  TemporaryFolder folder_;
  pid_t process_ = -1;
  bool secure_ = false;
};

// "http://127.0.0.1:PORT,.../hardmeter?cluster=hardmeter"
[[nodiscard]] std::string address_of(const std::vector<std::unique_ptr<ClickhouseServer>>& servers);

}  // namespace hm::testing
