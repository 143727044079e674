// SPDX-License-Identifier: MIT
// A guest that has booted and waits for its job, saved in the user's cache: it continues in less time than
// booting takes.
#pragma once

#include <string>

namespace hm::soft {

// Where snapshots are kept: $XDG_CACHE_HOME/hardmeter or ~/.cache/hardmeter; empty if there is no such place.
[[nodiscard]] std::string snapshot_folder();

class GuestSnapshot {
 public:
  // There is none, and none can be saved.
  GuestSnapshot() = default;
  // `folder`: of all snapshots. `machine`: all that the saved state depends on, as text.
  GuestSnapshot(const std::string& folder, const std::string& machine);

  [[nodiscard]] bool can_be_saved() const { return !path_.empty(); }
  // True if a guest of this machine has been saved. It is then kept for longer than those that nobody uses.
  [[nodiscard]] bool exists() const;

  // QEMU's file.
  [[nodiscard]] std::string state() const { return path_ + "/state"; }
  // Copies the files about the guest's kernel, which it passed on before it was saved.
  [[nodiscard]] bool copy_tables(const std::string& session_folder) const;

  // Returns the path for QEMU's file of a new snapshot; empty if there is no room for it.
  [[nodiscard]] std::string begin() const;
  // The file is complete, and the tables are in the session's folder. Keeps the snapshot, and removes old
  // ones.
  void keep(const std::string& session_folder) const;
  // Removes what begin() has made, if it was not kept. Also in a copy of the object, and in a parent process.
  void give_up() const;
  // Removes the snapshot. For one that does not work.
  void remove() const;

 private:
  std::string path_;        // folder of the snapshot; empty: can_be_saved() is false
  std::string unfinished_;  // its folder while it is being saved
};

}  // namespace hm::soft
