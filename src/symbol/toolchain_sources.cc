// SPDX-License-Identifier: MIT
#include "symbol/toolchain_sources.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/program_path.h"

namespace hm::symbol {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Returns the first of the folders that has the file. A path with ".." could leave the folder.
std::optional<std::string> file_in(const std::vector<fs::path>& folders, const fs::path& file) {
  if (file.empty() || file.is_absolute() || std::ranges::find(file, fs::path("..")) != file.end()) return {};
  std::error_code error;
  for (const fs::path& folder : folders) {
    if (fs::is_regular_file(folder / file, error)) return folder / file;
  }
  return {};
}

// Returns the folder two above a program in PATH, following links: "/usr/lib/go" of "/usr/bin/go".
std::vector<fs::path> installation_of(const std::string& program) {
  std::error_code error;
  Result<std::string> path = find_program(program);
  fs::path real = path ? fs::canonical(*path, error) : fs::path();
  return error || real.empty() ? std::vector<fs::path>() : std::vector{real.parent_path().parent_path()};
}

// Go's module reference: GOMODCACHE, the first folder of GOPATH, and the default of GOPATH.
std::vector<fs::path> module_caches() {
  std::vector<fs::path> caches;
  if (std::string cache = variable("GOMODCACHE"); !cache.empty()) caches.emplace_back(cache);
  std::string path = variable("GOPATH");
  if (!path.empty()) caches.push_back(fs::path(path.substr(0, path.find(':'))) / "pkg/mod");
  if (std::string home = variable("HOME"); !home.empty()) caches.push_back(fs::path(home) / "go/pkg/mod");
  return caches;
}

// The cache writes upper-case letters of a module's name as "!" and the lower-case one.
std::string escaped_module(std::string_view path) {
  std::string out;
  size_t version = path.find('@');
  for (size_t i = 0; i < path.size(); ++i) {
    bool is_upper = i < version && path[i] >= 'A' && path[i] <= 'Z';
    if (is_upper) out += '!';
    out += is_upper ? static_cast<char>(path[i] - 'A' + 'a') : path[i];
  }
  return out;
}

std::vector<fs::path> go_sources() {
  std::vector<fs::path> folders;
  if (std::string root = variable("GOROOT"); !root.empty()) folders.emplace_back(root);
  std::ranges::copy(installation_of("go"), std::back_inserter(folders));
  folders.insert(folders.end(), {"/usr/local/go", "/usr/lib/go"});
  for (fs::path& folder : folders) folder /= "src";
  return folders;
}

// Both the folders of rustup's toolchains and of a distribution's (packages rust-src).
std::vector<fs::path> rust_sources() {
  std::vector<fs::path> folders = installation_of("rustc");
  std::string home = variable("RUSTUP_HOME");
  if (home.empty() && !variable("HOME").empty()) home = variable("HOME") + "/.rustup";
  std::error_code error;
  for (fs::directory_iterator each(home + "/toolchains", error); !error && each != fs::directory_iterator();
       each.increment(error))
    folders.push_back(each->path());
  folders.insert(folders.end(), {"/usr", "/usr/local"});
  for (fs::path& folder : folders) folder /= "lib/rustlib/src/rust";
  return folders;
}

std::string_view behind(std::string_view text, std::string_view part) {
  size_t at = text.find(part);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + part.size());
}

}  // namespace

std::optional<std::string> go_module_file(const std::string& path) {
  if (path.find("@v") == std::string::npos) return {};
  std::string_view module = path.starts_with('/') ? behind(path, "/pkg/mod/") : path;
  bool is_escaped = module.find('!') != std::string_view::npos;
  return file_in(module_caches(), is_escaped ? std::string(module) : escaped_module(module));
}

std::optional<std::string> toolchain_file(const std::string& path) {
  if (path.starts_with("/rustc/")) {
    std::string_view commit_and_file = std::string_view(path).substr(sizeof "/rustc/" - 1);
    return file_in(rust_sources(), behind(commit_and_file, "/"));
  }
  if (!path.ends_with(".go") && !path.ends_with(".s")) return {};
  return file_in(go_sources(), path.starts_with('/') ? behind(path, "/src/") : path);
}

}  // namespace hm::symbol
