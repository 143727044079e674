// SPDX-License-Identifier: MIT
#include "symbol/files/debug_files.h"

#include "symbol/files/build_id.h"

namespace hm::symbol {
namespace {

namespace fs = std::filesystem;

// libdwfl would take a relative folder for one beside each program.
std::vector<fs::path> absolute_paths(const std::vector<std::string>& folders) {
  std::vector<fs::path> paths;
  for (const std::string& folder : folders) {
    std::error_code error;
    paths.push_back(fs::absolute(folder, error));
  }
  return paths;
}

std::vector<fs::path> roots_of(const DebugFiles::Options& options) {
  std::vector<fs::path> roots = absolute_paths(options.debug_folders);
  for (const fs::path& system : absolute_paths(options.system_roots))
    roots.push_back(system / "usr/lib/debug");
  roots.push_back(options.root);
  return roots;
}

// libdwfl separates the folders by colons, so a folder with a colon in its name is left out.
std::string search_path(const std::vector<fs::path>& roots) {
  std::string path = ":.debug";
  for (const fs::path& root : roots) {
    if (root.native().find(':') == std::string::npos) path += ":" + root.native();
  }
  return path;
}

fs::path below_build_id(const fs::path& root, const std::string& build_id, const char* ending) {
  return root / build_id.substr(0, 2) / (build_id.substr(2) + ending);
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

DebugFiles::DebugFiles() : DebugFiles(Options()) {}

DebugFiles::DebugFiles(const Options& options)
    : roots_(roots_of(options)),
      system_roots_(absolute_paths(options.system_roots)),
      debug_folders_(absolute_paths(options.debug_folders)),
      path_(search_path(roots_)),
      servers_(options.patience) {}

std::string DebugFiles::file_of_build(const std::string& build_id) {
  if (!is_build_id(build_id)) return {};
  for (const fs::path& root : roots_) {
    fs::path local = below_build_id(root / ".build-id", build_id, ".debug");
    if (is_file(local)) return local;
  }
  return servers_.fetch(build_id);
}

std::vector<std::string> DebugFiles::programs_of_build(const std::string& build_id,
                                                       const std::string& path) const {
  std::vector<std::string> found;
  if (!is_build_id(build_id)) return found;
  auto add = [&](const fs::path& place) {
    if (is_file(place)) found.push_back(place);
  };
  std::vector<fs::path> folders = debug_folders_;
  folders.insert(folders.end(), system_roots_.begin(), system_roots_.end());
  for (const fs::path& folder : folders) {
    for (const fs::path& builds : {folder / ".build-id", folder}) {
      add(below_build_id(builds, build_id, ""));
      add(below_build_id(builds, build_id, "") / "elf");
    }
    add(folder / fs::path(path).filename());
  }
  for (const fs::path& root : roots_) add(below_build_id(root / ".build-id", build_id, ""));
  return found;
}

void DebugFiles::add_archive(std::shared_ptr<const FileArchive> archive) {
  MutexLock lock(mutex_);
  archives_.push_back(std::move(archive));
}

UniqueFd DebugFiles::open_archived(ArchivedKind kind, const std::string& path,
                                   const std::string& build_id) const {
  MutexLock lock(mutex_);
  for (const std::shared_ptr<const FileArchive>& archive : archives_) {
    if (UniqueFd file = archive->open(kind, path, build_id); file.valid()) return file;
  }
  return {};
}

std::optional<std::string> DebugFiles::archived_source(const std::string& path) const {
  MutexLock lock(mutex_);
  for (const std::shared_ptr<const FileArchive>& archive : archives_) {
    if (std::optional<std::string> text = archive->source(path)) return text;
  }
  return std::nullopt;
}

DebugFiles& DebugFiles::usual() {
  static DebugFiles files;
  return files;
}

}  // namespace hm::symbol
