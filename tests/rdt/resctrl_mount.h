// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "pmu/rdt/provider.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt_test {

struct MountOptions {
  std::string root;  // a temporary folder if empty
  int ids = 8, domains = 2, control_ids = 4;
};

// The file system of resctrl_filesystem.cc, mounted in a private mount namespace.
class ResctrlMount {
 public:
  explicit ResctrlMount(const MountOptions& options);
  ResctrlMount(const ResctrlMount&) = delete;
  ResctrlMount& operator=(const ResctrlMount&) = delete;
  ~ResctrlMount();

  // Returns the reason why the mount failed; empty if it succeeded.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] const std::string& root() const { return root_; }
  // Returns paths with the mount's own file system for the groups of threads.
  [[nodiscard]] rdt::ResctrlPlaces places() const;
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

  // Sets the counters' values (filesystem/counters.h).
  void values(const std::string& lines);

  // Returns the paths of all groups except the root, relative to the root.
  [[nodiscard]] std::vector<std::string> groups() const;
  [[nodiscard]] std::string text(const std::string& path) const;
  // Return 0, or the error number.
  int write(const std::string& path, const std::string& text) const;
  int make(const std::string& group) const;
  int remove(const std::string& group) const;

  void unmount();

 private:
  TemporaryFolder folder_;
  std::string root_, failure_;
  pid_t server_ = 0;
  int versions_ = 0;
};

// Gives this thread and its children a private mount namespace. Returns "", or the reason for a failure.
std::string have_own_mounts();

// A process that waits to be ended.
class Sleeper {
 public:
  Sleeper();
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;
  ~Sleeper() { end(); }

  [[nodiscard]] pid_t pid() const { return pid_; }
  void end();

 private:
  pid_t pid_;
};

// A process that starts children on request; all end with it.
class Parent {
 public:
  Parent();
  Parent(const Parent&) = delete;
  Parent& operator=(const Parent&) = delete;
  ~Parent();

  [[nodiscard]] pid_t pid() const { return pid_; }
  pid_t start_child();

 private:
  pid_t pid_ = 0;
  int orders_ = -1, answers_ = -1;
};

// Returns the result of `body`, run in a separate process; -1 if that process did not end by itself.
int status_in_child(const std::function<int()>& body);

// A process that has run a function and lives on, without destructors, until it is killed.
class Holder {
 public:
  explicit Holder(const std::function<void(const std::function<void()>& done)>& body);
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { kill(); }

  void kill();

 private:
  pid_t pid_ = 0;
};

}  // namespace hm::rdt_test
