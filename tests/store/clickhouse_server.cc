// SPDX-License-Identifier: MIT
#include "store/clickhouse_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/unique_fd.h"
#include "http/client.h"

namespace hm::testing {
namespace {

constexpr const char* kProgram = "/usr/sbin/clickhouse-server";
constexpr auto kTimeout = std::chrono::seconds(60);

// Returns a port below the kernel's range for outgoing connections (ip_local_port_range), so that none of
// these takes it.
uint16_t free_port() {
  static uint16_t next = static_cast<uint16_t>(20'000 + ::getpid() * 16 % 10'000);
  for (;; ++next) {
    UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(next);
    if (::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) return next++;
  }
}

constexpr const char* kFromHere = "<ip>127.0.0.1</ip>";

std::string user(const std::string& name, const std::string& password, const std::string& networks,
                 const std::string& profile = "default") {
  return fmt::format(
      "<{0}><password>{1}</password><networks>{2}</networks><profile>{3}</profile><quota>default</quota></"
      "{0}>",
      name, password, networks, profile);
}

// As in docs/fleet.md, "The store's users".
constexpr const char* kProfiles =
    "<default/><agent><allow_ddl>0</allow_ddl></agent>"
    "<reader><readonly>2</readonly><allow_ddl>0</allow_ddl></reader>";

}  // namespace

std::vector<std::unique_ptr<ClickhouseServer>> ClickhouseServer::start(size_t shards) {
  std::vector<std::unique_ptr<ClickhouseServer>> servers;
  if (::access(kProgram, X_OK) != 0) return servers;
  std::string all;
  for (size_t i = 0; i < shards; ++i) {
    servers.emplace_back(new ClickhouseServer(free_port(), free_port()));
    all += fmt::format("<shard><replica><host>127.0.0.1</host><port>{}</port></replica></shard>",
                       servers.back()->tcp_port_);
  }
  for (const auto& each : servers) {
    each->configure("<remote_servers><hardmeter>" + all + "</hardmeter></remote_servers>",
                    user("default", "", kFromHere));
    each->start_again();
  }
  return servers;
}

std::unique_ptr<ClickhouseServer> ClickhouseServer::start_secure() {
  if (::access(kProgram, X_OK) != 0) return nullptr;
  std::unique_ptr<ClickhouseServer> server(new ClickhouseServer(free_port(), free_port()));
  server->secure_ = true;
  server->configure_securely();
  server->start_again();
  return server;
}

ClickhouseServer::~ClickhouseServer() { kill(); }

void ClickhouseServer::configure(const std::string& more, const std::string& users) const {
  std::ofstream(folder_.file("config.xml")) << fmt::format(
      "<?xml "
      "version=\"1.0\"?><yandex><logger><level>warning</level><log>{0}/log</log><errorlog>{0}/errors</"
      "errorlog>"
      "</logger><http{1}_port>{2}</http{1}_port><tcp_port>{3}</tcp_port><listen_host>127.0.0.1</listen_host>"
      "<path>{0}/data/</path><tmp_path>{0}/tmp/</tmp_path><users_config>users.xml</users_config>"
      "<default_profile>default</default_profile><default_database>default</default_database>"
      "<mark_cache_size>67108864</mark_cache_size>{4}</yandex>\n",
      folder_.file("."), secure_ ? "s" : "", http_port_, tcp_port_, more);
  std::ofstream(folder_.file("users.xml"))
      << "<?xml version=\"1.0\"?><yandex><profiles>" << kProfiles
      << "</profiles><quotas><default/></quotas><users>" << users << "</users></yandex>\n";
}

void ClickhouseServer::configure_securely() const {
  std::string made = fmt::format(
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext "
      "subjectAltName=IP:127.0.0.1 "
      "-keyout {0}/key.pem -out {0}/certificate.pem 2>/dev/null",
      folder_.file("."));
  ASSERT_EQ(std::system(made.c_str()), 0) << "openssl makes no certificate";
  configure(
      fmt::format(
          "<openSSL><server><certificateFile>{0}/certificate.pem</certificateFile>"
          "<privateKeyFile>{0}/key.pem</privateKeyFile><verificationMode>none</verificationMode></server>"
          "</openSSL>",
          folder_.file(".")),
      user("default", "", "") + user("owner", "it's secret", kFromHere) +
          user("agent", "it's secret", kFromHere, "agent") +
          user("reader", "it's secret", kFromHere, "reader"));
}

void ClickhouseServer::kill() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

void ClickhouseServer::start_again() {
  std::string program = kProgram, config = "--config-file=" + folder_.file("config.xml");
  char* words[] = {program.data(), config.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  ASSERT_EQ(::posix_spawn(&process_, kProgram, &actions, nullptr, words, environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  auto end = std::chrono::steady_clock::now() + kTimeout;
  while (!answers()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end)
        << "ClickHouse does not answer; see " << folder_.file("errors");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

bool ClickhouseServer::answers() const {
  http::ClientOptions options;
  if (secure_) {
    options.authority = certificate();
    options.headers = {{"X-ClickHouse-User", "agent"}, {"X-ClickHouse-Key", "it's secret"}};
  }
  Result<http::Client> client = http::Client::make(options);
  if (!client) return false;
  std::string url = fmt::format("http{}://127.0.0.1:{}/", secure_ ? "s" : "", http_port_);
  Result<http::Reply> reply = client->post(url, "text/plain", "SELECT 1");
  return reply && reply->body == "1\n";
}

std::string address_of(const std::vector<std::unique_ptr<ClickhouseServer>>& servers) {
  std::string hosts;
  for (const auto& each : servers)
    hosts += fmt::format("{}127.0.0.1:{}", hosts.empty() ? "" : ",", each->port());
  return fmt::format("http://{}/hardmeter?cluster=hardmeter", hosts);
}

}  // namespace hm::testing
