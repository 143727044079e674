// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/ram_disk.h"

#include <fmt/format.h>

namespace hm::soft {

void RamDisk::pad() {
  constexpr size_t kAlignment = 4;
  archive_.resize((archive_.size() + kAlignment - 1) / kAlignment * kAlignment);
}

// The header's fields: inode, mode, user, group, links, time, size, four device numbers, the name's size with
// its NUL, and a checksum that this format does not use.
void RamDisk::add(const std::string& path, uint32_t mode, std::string_view content) {
  ++entries_;
  archive_ += "070701";
  for (size_t field :
       {size_t{entries_}, size_t{mode}, size_t{0}, size_t{0}, size_t{1}, size_t{0}, content.size(), size_t{0},
        size_t{0}, size_t{0}, size_t{0}, path.size() + 1, size_t{0}})
    archive_ += fmt::format("{:08x}", field);
  archive_ += path;
  archive_ += '\0';
  pad();
  archive_ += content;
  pad();
}

std::string RamDisk::finish() {
  add("TRAILER!!!", 0, {});
  return std::move(archive_);
}

}  // namespace hm::soft
