// SPDX-License-Identifier: MIT
#include "cli/file_options.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <optional>

#include "base/byte_size.h"
#include "record/compressor.h"

namespace hm::cli {
namespace {

constexpr const char* kFiles = "The recording's files";

std::optional<uint64_t> whole_number(std::string_view word) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && value != 0 ? std::optional(value)
                                                                                : std::nullopt;
}

// An option without a value has the word "true".
std::optional<int> parse_level(std::string_view word) {
  if (word == "true") return record::kDefaultCompressionLevel;
  std::optional<uint64_t> level = whole_number(word);
  return level && *level <= record::kMaxCompressionLevel ? std::optional(static_cast<int>(*level))
                                                         : std::nullopt;
}

// Parses "90s", "10m", "1h" or "1d", as in perf's --switch-output, into nanoseconds.
std::optional<uint64_t> parse_duration(std::string_view word) {
  constexpr std::pair<char, uint64_t> kSeconds[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
  constexpr uint64_t kSecondNs = 1'000'000'000, kMaxSeconds = uint64_t{366} * 86400;
  for (auto [unit, seconds] : kSeconds) {
    if (!word.ends_with(unit)) continue;
    std::optional<uint64_t> number = whole_number(word.substr(0, word.size() - 1));
    return number && *number <= kMaxSeconds / seconds ? std::optional(*number * seconds * kSecondNs)
                                                      : std::nullopt;
  }
  return std::nullopt;
}

// Parses SIZE|TIME[,FILES]. A lower-case m means minutes.
std::optional<record::Rotation> parse_rotation(std::string_view words) {
  record::Rotation rotation;
  size_t comma = words.find(',');
  std::string_view limit = words.substr(0, comma);
  std::optional<uint64_t> ns = parse_duration(limit);
  std::optional<uint64_t> bytes = ns ? std::nullopt : parse_byte_size(limit);
  if (!ns && !bytes) return std::nullopt;
  rotation.ns = ns.value_or(0);
  rotation.bytes = bytes.value_or(0);
  if (comma == std::string_view::npos) return rotation;
  std::optional<uint64_t> files = whole_number(words.substr(comma + 1));
  if (!files) return std::nullopt;
  rotation.max_files = *files;
  return rotation;
}

std::string check_size(std::string& word) {
  return parse_byte_size(word) ? "" : fmt::format("{} is not a size such as 100K, 20M or 1G", word);
}

std::string check_level(std::string& word) {
  return parse_level(word)
             ? ""
             : fmt::format("{} is not a compression level from 1 to {}", word, record::kMaxCompressionLevel);
}

std::string check_rotation(std::string& words) {
  return parse_rotation(words)
             ? ""
             : fmt::format(
                   "{} is not a size or time such as 20M, 90s, 10m or 1h, optionally with a number of files: 20M,5",
                   words);
}

Error excludes(const char* one, const char* other) {
  return make_error(ErrorCode::kInvalidArgument, "--rotate cannot be combined with {}: {}", one, other);
}

bool is_regular_or_new(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

}  // namespace

void add_file_options(CommandLine& line, FileFlags& flags) {
  line.add_option(
          "--max-size", flags.max_size,
          "stop recording when the file reaches this size, such as 100K, 20M or 1G; the program continues without sampling")
      .check(check_size, "")
      .type("SIZE")
      .group(kFiles);
  line.add_flag(
          "-z,--compression-level", flags.compression,
          "compress the recording with zstd, at level 1 or the given one (--compression-level=9); perf reads it")
      .check(check_level, "")
      .type("LEVEL")
      .group(kFiles);
}

void add_rotation_option(CommandLine& line, FileFlags& flags) {
  line.add_option(
          "--rotate", flags.rotate,
          "begin a new file, FILE.TIME, when the current one reaches this size or age, such as 20M, 90s, 10m or 1h; keep only the last FILES files")
      .check(check_rotation, "")
      .type("SIZE|TIME[,FILES]")
      .group(kFiles);
}

Status take_file_flags(const FileFlags& flags, measure::RecordOptions& options) {
  if (!flags.max_size.empty()) options.file.max_bytes = *parse_byte_size(flags.max_size);
  if (!flags.compression.empty()) options.file.compression_level = *parse_level(flags.compression);
  if (flags.rotate.empty()) return {};
  if (!flags.max_size.empty())
    return excludes("--max-size", "limit the number of files instead, as in --rotate=20M,5");
  if (options.what.software.sizes.lines.set_counts != 0)
    return excludes("--sizes", "--sizes counts over the whole run");
  if (options.output == "-" || !is_regular_or_new(options.output))
    return excludes("this output", "--rotate writes regular files");
  options.rotation = parse_rotation(flags.rotate);
  options.rotation->compression_level = options.file.compression_level;
  // All files should have the same resolution.
  options.sampling.periods_may_grow = false;
  return {};
}

}  // namespace hm::cli
