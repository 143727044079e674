// SPDX-License-Identifier: MIT
// A file system that behaves as the kernel's resctrl, for machines with processors that monitor no cache
// (Documentation/arch/x86/resctrl.rst and fs/resctrl/ in the Linux source). Groups are created and removed as
// folders. A thread is in one control group and in at most one of its monitor groups. Ids run out, and files
// of a removed group return errors. The program ends when the file system is unmounted.
//
//   resctrl_filesystem MOUNTPOINT IDS DOMAINS VALUES [CONTROL_IDS]
//
// VALUES: the counters' values (filesystem/counters.h).
#define FUSE_USE_VERSION 35
#include <fuse3/fuse.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>

#include "rdt/filesystem/tree.h"

namespace hm::resctrl_filesystem {
namespace {

struct OpenFile {
  Node node;
  // Contents at the last read from the beginning, as in the kernel (seq_file); a folder's path.
  std::string text;
};

Tree& tree() { return *static_cast<Tree*>(fuse_get_context()->private_data); }

OpenFile& open_file(const fuse_file_info* info) { return *reinterpret_cast<OpenFile*>(info->fh); }

Node node_at(const char* path) { return tree().node_at(path + 1); }

void* start(fuse_conn_info*, fuse_config* config) {
  // The kernel caches nothing, because domains appear and disappear by themselves. Open files are identified
  // without their path, which may no longer exist.
  config->entry_timeout = 0;
  config->attr_timeout = 0;
  config->negative_timeout = 0;
  config->nullpath_ok = 1;
  return fuse_get_context()->private_data;
}

int get_attributes(const char* path, struct stat* found, fuse_file_info* info) {
  Node node = path == nullptr ? open_file(info).node : node_at(path);
  if (node.kind == Node::Kind::kNone) return -ENOENT;
  *found = {};
  found->st_nlink = node.is_folder() ? 2 : 1;
  mode_t written = tree().is_written(node) ? 0200 : 0;
  found->st_mode = node.is_folder() ? S_IFDIR | 0755 : S_IFREG | 0444 | written;
  return 0;
}

int open_folder(const char* path, fuse_file_info* info) {
  info->fh = reinterpret_cast<uint64_t>(new OpenFile{node_at(path), path + 1});
  return 0;
}

int read_folder(const char*, void* buffer, fuse_fill_dir_t fill, off_t, fuse_file_info* info,
                fuse_readdir_flags) {
  const OpenFile& folder = open_file(info);
  std::string prefix = folder.text.empty() ? "" : folder.text + '/';
  for (const std::string& name : tree().names_in(folder.node)) {
    struct stat type = {};
    type.st_mode = tree().node_at(prefix + name).is_folder() ? S_IFDIR : S_IFREG;
    fill(buffer, name.c_str(), &type, 0, fuse_fill_dir_flags{});
  }
  return 0;
}

int open_node(const char* path, fuse_file_info* info) {
  Node node = node_at(path);
  if (node.kind == Node::Kind::kNone) return -ENOENT;
  info->fh = reinterpret_cast<uint64_t>(new OpenFile{node, {}});
  info->direct_io = 1;  // as in the kernel: the size is unknown beforehand
  return 0;
}

int close_node(const char*, fuse_file_info* info) {
  delete &open_file(info);
  return 0;
}

int read_node(const char*, char* buffer, size_t size, off_t offset, fuse_file_info* info) {
  OpenFile& file = open_file(info);
  if (offset == 0) {
    if (int error = tree().read(file.node, file.text); error != 0) return error;
  }
  size_t from = std::min(static_cast<size_t>(offset), file.text.size());
  size_t bytes = file.text.copy(buffer, size, from);
  return static_cast<int>(bytes);
}

int write_node(const char*, const char* data, size_t size, off_t, fuse_file_info* info) {
  int error = tree().write(open_file(info).node, std::string(data, size), fuse_get_context()->pid);
  return error != 0 ? error : static_cast<int>(size);
}

int truncate_node(const char*, off_t, fuse_file_info*) { return 0; }

int make_folder(const char* path, mode_t) { return tree().make_folder(path + 1); }

int remove_folder(const char* path) { return tree().remove_folder(path + 1); }

fuse_operations operations() {
  fuse_operations found{};
  found.init = start;
  found.getattr = get_attributes;
  found.opendir = open_folder;
  found.readdir = read_folder;
  found.releasedir = close_node;
  found.open = open_node;
  found.release = close_node;
  found.read = read_node;
  found.write = write_node;
  found.truncate = truncate_node;
  found.mkdir = make_folder;
  found.rmdir = remove_folder;
  return found;
}

}  // namespace
}  // namespace hm::resctrl_filesystem

int main(int count, char** arguments) {
  using namespace hm::resctrl_filesystem;
  if (count != 5 && count != 6) return 2;
  Processor processor;
  processor.monitoring_ids = std::strtoul(arguments[2], nullptr, 10);
  processor.domains = static_cast<uint32_t>(std::strtoul(arguments[3], nullptr, 10));
  if (count == 6) processor.control_ids = std::strtoul(arguments[5], nullptr, 10);
  auto tree = std::make_unique<Tree>(processor, arguments[4]);
  fuse_operations all = operations();
  // The kernel checks users and modes, as in its own file systems.
  std::string words[] = {"-f", "-s", "-o", "allow_other,default_permissions,fsname=resctrl,subtype=resctrl"};
  char* options[] = {arguments[0],    words[0].data(), words[1].data(), words[2].data(),
                     words[3].data(), arguments[1],    nullptr};
  return fuse_main(6, options, &all, tree.get());
}
