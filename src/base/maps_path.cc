// SPDX-License-Identifier: MIT
#include "base/maps_path.h"

#include <sys/stat.h>

#include <optional>

namespace hm {
namespace {

constexpr std::string_view kLineFeed = "\\012";

std::string with_line_feeds(std::string path) {
  for (size_t at = 0; (at = path.find(kLineFeed, at)) != std::string::npos; ++at)
    path.replace(at, kLineFeed.size(), 1, '\n');
  return path;
}

// Returns nullopt if there is no such file.
std::optional<uint64_t> inode_of(const std::string& path) {
  struct stat file {};
  return ::stat(path.c_str(), &file) == 0 ? std::optional<uint64_t>(file.st_ino) : std::nullopt;
}

}  // namespace

std::string path_in_maps(std::string_view shown, uint64_t inode) {
  std::string literal(shown);
  if (shown.find(kLineFeed) == std::string_view::npos) return literal;
  std::string other = with_line_feeds(literal);
  std::optional<uint64_t> of_literal = inode_of(literal), of_other = inode_of(other);
  if (of_literal && of_other) return *of_other == inode && *of_literal != inode ? other : literal;
  return of_other ? other : literal;
}

std::string_view without_mark_of_deleted(std::string_view shown) {
  constexpr std::string_view kMark = " (deleted)";
  return shown.ends_with(kMark) ? shown.substr(0, shown.size() - kMark.size()) : shown;
}

}  // namespace hm
