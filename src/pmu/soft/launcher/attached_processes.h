// SPDX-License-Identifier: MIT
// The running processes that a measurement is attached to, and the children that these processes fork during
// the measurement.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pmu/soft/inject/attached_process.h"
#include "pmu/soft/launcher/cleaner.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

class AttachedProcesses {
 public:
  // `image` must outlive this object.
  explicit AttachedProcesses(const EngineImage& image) : image_(image) {}
  AttachedProcesses(const AttachedProcesses&) = delete;
  AttachedProcesses& operator=(const AttachedProcesses&) = delete;
  ~AttachedProcesses();

  // Fails with kNotFound, kUnsupported or kPermission if the process cannot be measured; the process is then
  // unchanged.
  Status attach(Session& session, const std::string& session_folder, pid_t process);
  // `recorded`: ids of the processes that have a ring. Attaches those that are children of attached
  // processes.
  void adopt(const std::vector<pid_t>& recorded);
  void serve(Session& session);
  void let_go(Session& session);
  void pause(Session& session);
  void resume(Session& session);

  [[nodiscard]] bool knows(pid_t process) const;
  [[nodiscard]] bool any() const;
  [[nodiscard]] bool all_rest() const;
  [[nodiscard]] std::vector<pid_t> ids() const;
  // One sentence for each process that could not be measured and for each other limitation.
  [[nodiscard]] std::vector<std::string> shortfalls() const;

 private:
  Status begin(Session& session, pid_t process);
  void add_shortfall(const std::string& sentence);

  const EngineImage& image_;
  std::string session_folder_;
  std::optional<Cleaner> cleaner_;  // set by the first attach()
  std::vector<std::unique_ptr<AttachedProcess>> processes_;
  std::set<pid_t> refused_;
  std::map<pid_t, std::string> refused_for_now_;  // process id and the error message
  std::set<pid_t> sharing_;                       // those that had their parents' memory
  std::vector<std::string> shortfalls_;
};

}  // namespace hm::soft
