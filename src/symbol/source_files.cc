// SPDX-License-Identifier: MIT
#include "symbol/source_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <string_view>

#include "base/modified.h"
#include "symbol/toolchain_sources.h"

namespace hm::symbol {
namespace {

namespace fs = std::filesystem;

std::string_view without_last_slashes(std::string_view path) {
  return path.substr(0, path.find_last_not_of('/') + 1);
}

// Returns whether the path is the folder or lies in it. The folder "" is the root.
bool lies_in(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// Returns the number of last components that two paths have in common.
size_t common_tail(const fs::path& one, const fs::path& other) {
  std::vector<fs::path> a(one.begin(), one.end()), b(other.begin(), other.end());
  auto [end, unused] = std::ranges::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  return static_cast<size_t>(end - a.rbegin());
}

}  // namespace

std::string check_source_rule(const std::string& rule) {
  size_t equals = rule.find('=');
  if (equals != std::string::npos && equals != 0) return {};
  return fmt::format("'{}' is no rule for source files; give FROM=TO, such as /build/x=/home/me/x", rule);
}

std::string apply_source_rules(const SourceRules& rules, const std::string& path) {
  std::string_view from, to;
  bool found = false;
  for (std::string_view rule : rules) {
    size_t equals = rule.find('=');
    std::string_view folder = without_last_slashes(rule.substr(0, equals));
    if (!lies_in(path, folder) || (found && folder.size() < from.size())) continue;
    found = true;
    from = folder;
    to = rule.substr(equals + 1);
  }
  if (!found) return path;
  std::string rest = path.substr(from.size());
  if (to.empty()) return rest.substr(rest.starts_with('/') ? 1 : 0);
  return std::string(without_last_slashes(to)) + rest;
}

SourceFiles::SourceFiles(Options options, Debuginfod& servers)
    : options_(std::move(options)), servers_(servers) {}

std::string SourceFiles::mapped(std::string path) const {
  if (options_.rules.empty()) return path;
  std::string to = apply_source_rules(options_.rules, path);
  if (to == path) return path;
  MutexLock lock(mutex_);
  recorded_.try_emplace(to, std::move(path));
  return to;
}

std::optional<SourceFile> SourceFiles::find(const std::string& path, const std::string& build_id) {
  MutexLock lock(mutex_);
  auto [found, is_new] = found_.try_emplace({path, build_id});
  if (is_new) found->second = look_for(path, build_id);
  return found->second;
}

std::optional<SourceFile> SourceFiles::look_for(const std::string& path, const std::string& build_id) {
  if (path.empty()) return std::nullopt;
  if (is_file(path)) return SourceFile{path, false, modified_s(path).value_or(0)};
  if (std::optional<std::string> module = go_module_file(path)) return SourceFile{*std::move(module)};
  auto recorded = recorded_.find(path);
  const std::string& asked = recorded == recorded_.end() ? path : recorded->second;
  if (std::string fetched = servers_.fetch_source(build_id, asked); !fetched.empty())
    return SourceFile{fetched};
  if (std::optional<std::string> file = toolchain_file(path)) return SourceFile{*std::move(file), true};
  return by_common_tail(path);
}

// Returns nullopt if two files have equally many components in common with the path.
std::optional<SourceFile> SourceFiles::by_common_tail(const std::string& path) {
  list_folder();
  fs::path wanted = fs::path(path).lexically_normal();
  const std::string* best = nullptr;
  size_t most = 0;
  bool is_tie = false;
  auto [begin, end] = listed_.equal_range(wanted.filename());
  for (auto each = begin; each != end; ++each) {
    size_t common = common_tail(wanted, each->second);
    if (common < most) continue;
    is_tie = common == most;
    most = common;
    best = &each->second;
  }
  if (best == nullptr || is_tie) return std::nullopt;
  std::string here = (fs::path(options_.folder) / *best).lexically_normal();
  int64_t time = modified_s(here).value_or(0);
  return SourceFile{std::move(here), true, time};
}

// Lists near folders first. The limits keep a search below "/" short.
void SourceFiles::list_folder() {
  constexpr size_t kMaxEntries = 200'000;
  if (std::exchange(is_listed_, true)) return;
  std::deque<fs::path> folders{fs::path()};
  size_t entries = 0;
  std::error_code error;
  for (; !folders.empty() && entries < kMaxEntries; folders.pop_front()) {
    fs::directory_iterator each(fs::path(options_.folder) / folders.front(),
                                fs::directory_options::skip_permission_denied, error);
    for (; !error && each != fs::directory_iterator() && entries < kMaxEntries;
         each.increment(error), ++entries) {
      fs::path name = folders.front() / each->path().filename();
      std::error_code gone;
      if (each->is_symlink(gone)) continue;
      if (each->is_directory(gone)) {
        if (name.filename() != ".git") folders.push_back(std::move(name));
      } else if (each->is_regular_file(gone)) {
        listed_.emplace(name.filename(), name);
      }
    }
  }
}

}  // namespace hm::symbol
