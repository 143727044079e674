// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::rdt {

// A resctrl group created by this process: a folder of that file system, removed by the destructor. The
// kernel then returns its threads and CPUs to the parent group.
class OwnedFolder {
 public:
  // Creates a group with a unique name in the folder `parent`. Fails with kUnsupported if all ids of the
  // processor are in use, and with kIo if the free ids still have lines in the cache. Fails with kNotFound if
  // `parent` does not exist, or with kPermission.
  [[nodiscard]] static Result<OwnedFolder> make(const std::string& parent);

  OwnedFolder(OwnedFolder&&) noexcept = default;
  OwnedFolder& operator=(OwnedFolder&&) = delete;
  OwnedFolder(const OwnedFolder&) = delete;
  OwnedFolder& operator=(const OwnedFolder&) = delete;
  ~OwnedFolder();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  OwnedFolder(std::string path, UniqueFd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  // The folder, locked with flock(2) as long as this process lives. A folder without a lock is a left-over of
  // a dead process. A process id in the name would not show that: it may be reused or from another namespace.
  UniqueFd lock_;
};

// True if the name is that of a group made by hardmeter, in this process or in another.
[[nodiscard]] bool has_name_of_ours(std::string_view folder_name);

// Removes the group if the process that made it has ended, for example by kill -9. Returns true if the group
// was removed.
bool remove_leftover(const std::string& path);

// Translates the kernel's error number for a group that cannot be made.
[[nodiscard]] Error cannot_make_group(const std::string& parent, int error_number);

}  // namespace hm::rdt
