// SPDX-License-Identifier: MIT
#include "profile/process_files.h"

#include <sys/stat.h>

#include "profile/file_trust.h"

namespace hm::profile {
namespace {

bool has_inode(const std::string& path, uint64_t inode) {
  struct stat file {};
  return ::stat(path.c_str(), &file) == 0 && file.st_ino == inode;
}

}  // namespace

ProcessFiles::ProcessFiles(const record::Features& features) : made_here_(is_this_machine(features)) {}

ProcessMapping ProcessFiles::find(const std::string& path, const record::Mmap& mmap) {
  bool may_be_one = made_here_ && path.starts_with('/') && !path.starts_with("//") && mmap.identity &&
                    mmap.identity->inode != 0;
  if (!may_be_one) return {};
  const record::FileIdentity& file = *mmap.identity;
  Known& known = known_[{path, file.major, file.minor, file.inode}];
  if (known.is_final || known.tries >= kMaxTries) return known.process;
  ++known.tries;
  auto pid = static_cast<pid_t>(mmap.pid);
  bool is_here = has_inode(path, file.inode) && !has_own_files(pid);
  ProcessMapping process{pid, mmap.address, mmap.address + mmap.length, file.inode, path};
  known.is_final = is_here || open_mapped_file(process).valid();
  if (known.is_final && !is_here) known.process = process;
  return known.process;
}

}  // namespace hm::profile
