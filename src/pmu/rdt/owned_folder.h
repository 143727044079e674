// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::rdt {

// A group of resctrl that this process made, a folder of that file system: removed when this goes. The kernel
// then gives its threads and CPUs back to the group above it.
class OwnedFolder {
 public:
  // In the folder `parent`, with a name of its own. kUnsupported where the processor's ids are all in use;
  // kIo where those that are free still have lines in the cache; kPermission; kNotFound without `parent`.
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
  // The folder, locked (flock(2)) as long as this process lives: what nobody has locked is a left-over. The
  // number of a process would not tell: another one may have it now, or it may be in another namespace.
  UniqueFd lock_;
};

// Made by this tool, in this process or in another one.
[[nodiscard]] bool has_name_of_ours(std::string_view folder_name);

// Whether it was one of a process that is no more, as after kill -9, and could be removed.
bool remove_leftover(const std::string& path);

// What the kernel says where a group cannot be made.
[[nodiscard]] Error cannot_make_group(const std::string& parent, int error_number);

}  // namespace hm::rdt
