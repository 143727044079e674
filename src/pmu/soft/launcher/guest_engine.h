// SPDX-License-Identifier: MIT
// Runs a command in a guest under QEMU, with this machine's files, and measures its user mode and its kernel.
#pragma once

#include <memory>
#include <string>

#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/launcher/guest_kernel.h"
#include "pmu/soft/launcher/guest_snapshot.h"

namespace hm::soft {

struct GuestOptions {
  std::string kernel;  // path of its kernel; empty: find_guest_kernel()
  unsigned cpus = 1;   // virtual CPUs
  unsigned memory_mib = 1024;
  bool always_boots = false;  // without this, a guest that has booted is saved, and continued later
};

class GuestEngine final : public Engine {
 public:
  GuestEngine(GuestOptions options, std::string qemu, std::string folder, GuestKernel kernel)
      : options_(std::move(options)),
        qemu_(std::move(qemu)),
        folder_(std::move(folder)),
        kernel_(std::move(kernel)) {}
  GuestEngine(const GuestEngine&) = delete;
  GuestEngine& operator=(const GuestEngine&) = delete;
  ~GuestEngine() override { snapshot_.give_up(); }  // QEMU may have been killed while it saved one

  [[nodiscard]] std::string name() const override {
    return "guest (Linux " + kernel_.release + " under QEMU)";
  }
  [[nodiscard]] bool runs_unknown_natively() const override { return true; }
  [[nodiscard]] bool has_many_cores() const override { return options_.cpus > 1; }
  [[nodiscard]] bool finds_callers() const override { return false; }
  [[nodiscard]] bool knows_event(event::EventId id) const override;
  [[nodiscard]] bool measures_parts() const override { return false; }
  [[nodiscard]] bool runs_here() const override { return false; }
  [[nodiscard]] std::function<std::optional<std::string>(const std::string& path)> kernel_files()
      const override;
  [[nodiscard]] std::vector<std::string> attachment_shortfalls() const override { return shortfalls_; }
  bool take_status(Session& session, pid_t pid, int status) override;
  Result<pid_t> start(Session& session, const std::string& session_folder, const std::string& program,
                      const std::vector<std::string>& command,
                      const std::vector<std::string>& environment) override;

 private:
  // `has_tables`: the guest passes on the files about its kernel.
  [[nodiscard]] Result<std::string> ram_disk(bool has_tables) const;
  [[nodiscard]] static std::string job(const std::string& program, const std::vector<std::string>& command,
                                       const std::vector<std::string>& environment);
  [[nodiscard]] GuestSnapshot snapshot(const std::string& ram_disk) const;
  // The words of QEMU's command with which the machine boots.
  [[nodiscard]] std::vector<std::string> boot_words(const std::string& session_folder,
                                                    const std::string& ram_disk) const;
  [[nodiscard]] std::string startable_image(const std::string& session_folder) const;
  [[nodiscard]] std::vector<std::string> qemu_command(const std::string& session_folder) const;

  GuestOptions options_;
  std::string qemu_;    // path of the program
  std::string folder_;  // of the plugin and of the guest's first process
  GuestKernel kernel_;
  GuestSnapshot snapshot_;
  pid_t qemu_process_ = 0;
  std::string session_folder_;
  std::string console_;  // path of the file with the console's output
  std::vector<std::string> shortfalls_;
};

// Fails with kNotFound or kUnsupported, and a sentence that says what to install.
Result<std::unique_ptr<Engine>> find_guest_engine(const GuestOptions& options);

}  // namespace hm::soft
