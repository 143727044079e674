// SPDX-License-Identifier: MIT
#include "record/recording_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace hm::record {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartPrefix = "data.";

// Returns the number in "data.12"; nullopt for any other name.
std::optional<uint32_t> part_number(std::string_view name) {
  if (!name.starts_with(kPartPrefix)) return std::nullopt;
  name.remove_prefix(kPartPrefix.size());
  uint32_t number = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  bool canonical = error == std::errc() && end == name.data() + name.size() && name == std::to_string(number);
  return canonical ? std::optional(number) : std::nullopt;
}

Error cannot_list(const std::string& path, const std::error_code& error) {
  bool refused = error == std::errc::permission_denied;
  return make_error(refused ? ErrorCode::kPermission : ErrorCode::kIo, "cannot list the folder {}: {}", path,
                    error.message());
}

}  // namespace

Result<RecordingFolder> list_recording_folder(const std::string& path) {
  std::error_code error;
  std::vector<uint32_t> numbers;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    std::optional<uint32_t> number = part_number(entry->path().filename().native());
    if (number.has_value() && entry->is_regular_file(ignored)) numbers.push_back(*number);
  }
  if (error) return cannot_list(path, error);
  if (!fs::is_regular_file(fs::path(path) / kFolderHead, error)) {
    return make_error(
        ErrorCode::kNotFound,
        "{} is a folder without the file \"{}\" that perf record --threads puts there: name a recording",
        path, kFolderHead);
  }
  std::ranges::sort(numbers);
  RecordingFolder folder;
  for (uint32_t number : numbers) folder.parts.push_back(fmt::format("{}{}", kPartPrefix, number));
  if (!numbers.empty() && numbers.back() >= numbers.size()) {
    folder.problems.push_back(fmt::format("{} of the files data.0 to data.{} are missing, with their records",
                                          uint64_t{numbers.back()} + 1 - numbers.size(), numbers.back()));
  }
  return folder;
}

}  // namespace hm::record
