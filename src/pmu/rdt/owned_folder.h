// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::rdt {

// A resctrl group (a folder of that file system) made by this process. The destructor removes it; the kernel
// then returns its threads and CPUs to the parent group.
class OwnedFolder {
 public:
  // Makes a group with a unique name in the folder `parent`. Fails with kUnsupported if the processor's ids
  // are all in use, kIo if the free ids still have lines in the cache, kPermission, or kNotFound if `parent`
  // is missing.
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
  // The folder, locked (flock(2)) while this process lives: an unlocked folder is a leftover. A process id in
  // the name would not suffice, as it may be reused or belong to another namespace.
  UniqueFd lock_;
};

// Whether this tool made the folder, in this process or in another one.
[[nodiscard]] bool has_name_of_ours(std::string_view folder_name);

// Removes a group of a process that no longer exists, e.g. after kill -9. Returns whether a group was
// removed.
bool remove_leftover(const std::string& path);

// Returns the error for a group that cannot be made.
[[nodiscard]] Error cannot_make_group(const std::string& parent, int error_number);

}  // namespace hm::rdt
