// SPDX-License-Identifier: MIT
// Starts the copying engine. A command starts natively and stops at its first instruction, and then the
// engine is loaded into it. A running process is taken over thread by thread.
#pragma once

#include <memory>
#include <optional>

#include "pmu/soft/launcher/attached_processes.h"
#include "pmu/soft/launcher/engine.h"
#include "pmu/soft/launcher/followed_processes.h"

namespace hm::soft {

class DirectEngine final : public Engine {
 public:
  explicit DirectEngine(EngineImage image) : image_(std::move(image)) {}
  DirectEngine(const DirectEngine&) = delete;
  DirectEngine& operator=(const DirectEngine&) = delete;

  [[nodiscard]] std::string name() const override { return "copying engine"; }
  [[nodiscard]] bool runs_unknown_natively() const override { return true; }
  [[nodiscard]] bool has_many_cores() const override { return true; }
  [[nodiscard]] bool traces_blocks() const override { return true; }
  [[nodiscard]] bool measures_bursts() const override { return true; }
  [[nodiscard]] bool defines_machine() const override { return true; }
  Result<pid_t> start(Session& session, const std::string& session_folder, const std::string& program,
                      const std::vector<std::string>& command,
                      const std::vector<std::string>& environment) override;
  Status attach(Session& session, const std::string& session_folder, pid_t process) override {
    return attached_.attach(session, session_folder, process);
  }
  [[nodiscard]] bool knows(pid_t process) const override { return attached_.knows(process); }
  void note_recorded(const std::vector<pid_t>& recorded) override { attached_.adopt(recorded); }
  void let_go(Session& session) override { attached_.let_go(session); }
  void pause(Session& session) override { attached_.pause(session); }
  void resume(Session& session) override { attached_.resume(session); }
  [[nodiscard]] bool is_paused() const override { return attached_.all_rest(); }
  [[nodiscard]] std::vector<pid_t> attached() const override { return attached_.ids(); }
  [[nodiscard]] bool is_attached() const override { return attached_.any(); }
  [[nodiscard]] std::vector<std::string> attachment_shortfalls() const override {
    return followed_ ? followed_->shortfalls() : attached_.shortfalls();
  }
  void serve(Session& session) override {
    if (followed_) followed_->serve(session);
    attached_.serve(session);
  }
  bool take_status(Session& session, pid_t pid, int status) override {
    return followed_ && followed_->take(session, pid, status);
  }
  [[nodiscard]] bool awaits_program() const override { return followed_ && !followed_->empty(); }
  void stop_serving(Session& session) override {
    if (followed_) followed_->stop(session);
  }

 private:
  Status bring_to_program(Session& session, const std::string& program, pid_t child);

  EngineImage image_;
  AttachedProcesses attached_{image_};
  std::optional<FollowedProcesses> followed_;  // set by start()
};

// Returns the copying engine, or the reason why it cannot run on this machine.
Result<std::unique_ptr<Engine>> find_direct_engine();

}  // namespace hm::soft
