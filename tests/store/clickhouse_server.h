// SPDX-License-Identifier: MIT
// A ClickHouse server for one test, on free ports, with its data in a temporary folder.
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
  // Starts one server for each shard of the cluster "hardmeter". Returns an empty list if ClickHouse is not
  // installed.
  [[nodiscard]] static std::vector<std::unique_ptr<ClickhouseServer>> start(size_t shards);
  // Starts a server that accepts only https, from users with the password "it's secret": "owner" may do
  // everything, "agent" and "reader" have the rights of docs/fleet.md. Returns null if ClickHouse is not
  // installed.
  [[nodiscard]] static std::unique_ptr<ClickhouseServer> start_secure();
  ClickhouseServer(const ClickhouseServer&) = delete;
  ClickhouseServer& operator=(const ClickhouseServer&) = delete;
  ~ClickhouseServer();

  [[nodiscard]] uint16_t port() const { return http_port_; }
  // Returns the file of start_secure()'s certificate.
  [[nodiscard]] std::string certificate() const { return folder_.file("certificate.pem"); }
  // With SIGKILL.
  void kill();
  void start_again();

 private:
  ClickhouseServer(uint16_t http_port, uint16_t tcp_port) : http_port_(http_port), tcp_port_(tcp_port) {}
  // Write the XML files of the additional configuration and of the users.
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
