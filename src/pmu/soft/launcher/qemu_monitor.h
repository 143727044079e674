// SPDX-License-Identifier: MIT
// QEMU's monitor: its machine protocol (QMP, docs/interop/qmp-spec.rst in QEMU), JSON objects a line each.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace hm::soft {

class QemuMonitor {
 public:
  // `socket`: connected to QEMU; stays the caller's.
  explicit QemuMonitor(int socket) : socket_(socket) {}

  // Saves the guest that runs to a file, which -incoming reads, and lets it run on. Returns false if that
  // fails, for want of room on the disk, for example: the guest then runs on, unless QEMU has ended.
  [[nodiscard]] bool save(const std::string& path);
  // Lets a saved guest run, once -incoming has read all of it. Returns false if QEMU has ended.
  [[nodiscard]] bool run();

 private:
  // Returns what the command returns; nullopt if it fails.
  std::optional<nlohmann::json> execute(const char* command, const nlohmann::json& arguments = nullptr);
  std::optional<nlohmann::json> send(const nlohmann::json& command);
  std::optional<nlohmann::json> next_message();
  // Returns true if the guest is saved, false if it cannot be.
  bool wait_until_saved();

  int socket_;
  bool is_ready_ = false;  // has told QEMU that it speaks the protocol
  std::string received_;   // the beginning of the next message
};

}  // namespace hm::soft
