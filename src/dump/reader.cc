// SPDX-License-Identifier: MIT
#include "dump/reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/hex.h"
#include "base/take_until.h"
#include "record/mmap.h"

namespace hm::dump {
namespace {

constexpr size_t kMaxLineBytes = 65536;
constexpr size_t kMaxLines = size_t{8} << 20;  // more lines would take over a gigabyte of memory

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  size_t size = std::min(text.find_first_of(" \t"), text.size());
  std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

template <typename Number>
std::optional<Number> parse(std::string_view word, int base = 10) {
  Number number{};
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::string_view trimmed(std::string_view text) {
  size_t first = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(" \r") + 1);
}

// Converts escapes such as "\012" back to bytes.
std::string unescaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::optional<unsigned> code;
    if (text[0] == '\\' && text.size() >= 4) code = parse<unsigned>(text.substr(1, 3), 8);
    bool escaped = code && *code < 256;
    result += escaped ? static_cast<char>(*code) : text[0];
    text.remove_prefix(escaped ? 4 : 1);
  }
  return result;
}

// Parses hexadecimal digits, or "-" for no bytes.
std::optional<std::vector<std::byte>> bytes_of_word(std::string_view word) {
  return word == "-" ? std::vector<std::byte>() : bytes_of_hex(word);
}

// Parses permissions such as "rw-s".
std::optional<DataPages> parse_permissions(std::string_view word) {
  if (word.size() != 4) return std::nullopt;
  return DataPages{.protection = record::protection_of(word), .shared = word[3] == 's', .identity = {}};
}

// Parses "199" or "199 (the mean, from 187 to 211)".
std::optional<Period> parse_period(std::string_view text) {
  auto mean = parse<uint64_t>(take_word(text));
  if (!mean) return std::nullopt;
  Period period{*mean, *mean, *mean};
  size_t from = text.find("from ");
  if (from == std::string_view::npos || !text.ends_with(')')) return period;
  text = text.substr(from + 5, text.size() - from - 6);
  auto min = parse<uint64_t>(take_word(text));
  bool has_to = take_word(text) == "to";
  auto max = parse<uint64_t>(take_word(text));
  return min && max && has_to ? Period{*mean, *min, *max} : period;
}

// Returns the register column that a word of the column line names.
std::optional<size_t> column_of(std::string_view word, bool& is_32_bit) {
  for (size_t column = 0; column < kColumns.size(); ++column) {
    if (word == kColumns[column].name) return column;
    if (word != kColumns[column].name_32) continue;
    is_32_bit = true;
    return column;
  }
  return std::nullopt;
}

class DumpReader {
 public:
  Result<Dump> read(std::string_view text) {
    for (uint64_t number = 1; !text.empty(); ++number) {
      std::string_view line = take_until(text, '\n');
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (dump_.lines.size() >= kMaxLines)
        return make_error(ErrorCode::kUnsupported,
                          "the dump has more than {} samples; measure with `hardmeter record` instead",
                          kMaxLines);
      if (take_line(line)) continue;
      if (dump_.damaged_lines++ == 0) dump_.first_damaged_line = number;
    }
    if (columns_.empty())
      return make_error(ErrorCode::kDamaged,
                        "the dump has no line with the names of its columns (linear_ip and the others)");
    return std::move(dump_);
  }

 private:
  bool take_line(std::string_view line) {
    if (line.empty()) return true;
    if (line.size() > kMaxLineBytes) return false;
    if (line[0] == '#') return take_comment(line.substr(1));
    if (columns_.empty() && take_columns(line)) return true;  // no # in the original's listing
    return !columns_.empty() && take_sample(line);
  }

  bool take_comment(std::string_view line) {
    if (columns_.empty() && take_columns(line)) return true;
    size_t colon = line.find(": ");
    if (colon == std::string_view::npos) return true;  // a free-form remark
    std::string_view key = trimmed(line.substr(0, colon));
    std::string_view value = trimmed(line.substr(colon + 2));
    for (const Remark& each : kRemarks) {
      if (key == each.key) return (this->*each.take)(value);
    }
    if (key == "run")
      dump_.run += line.substr(colon + 2);  // not trimmed: a JSON string may be cut at a blank
    else if (value != "unknown")
      take_header(key, value);
    return true;
  }

  bool take_columns(std::string_view line) {
    std::vector<size_t> columns;
    bool is_32_bit = false, has_ip = false;
    uint32_t seen = 0;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      std::optional<size_t> column = column_of(word, is_32_bit);
      if (!column || (seen >> *column & 1) != 0) return false;
      seen |= uint32_t{1} << *column;
      has_ip |= *column == kIpColumn;
      columns.push_back(*column);
    }
    if (!has_ip) return false;
    columns_ = std::move(columns);
    dump_.is_32_bit = is_32_bit;
    return true;
  }

  void take_header(std::string_view key, std::string_view value) {
    Header& header = dump_.header;
    const auto text = [&](const char* name, std::string& to) {
      if (key == name) to = unescaped(value);
    };
    const auto number = [&](const char* name, std::optional<uint64_t>& to) {
      if (key == name) to = parse<uint64_t>(value);
    };
    text("date", header.date);
    text("command", header.command);
    text("event", header.event);
    text("PMU", header.pmu);
    text("counter", header.counter);
    text("sample type", header.sample_type);
    text("extent", header.extent);
    text("sample filename", header.file);
    number("samples to buffer", header.samples_to_buffer);
    number("max samples", header.max_samples);
    number("samples collected", header.collected);
    number("dropped samples", header.dropped);
    if (key == "EBS type") header.precise = value == "precise";
    if (key == "events per sample") header.events_per_sample = parse_period(value);
  }

  // Format: LEVEL TYPE LINE_BYTES SETS WAYS
  bool take_cache(std::string_view line) {
    auto level = parse<uint32_t>(take_word(line));
    std::string type(take_word(line));
    auto line_bytes = parse<uint32_t>(take_word(line));
    auto sets = parse<uint32_t>(take_word(line));
    auto ways = parse<uint32_t>(take_word(line));
    if (!level || !line_bytes || !sets || !ways) return false;
    dump_.header.caches.push_back({*level, *line_bytes, *sets, *ways, std::move(type)});
    return true;
  }

  // Format: HEX PATH
  bool take_build_id(std::string_view line) {
    auto id = bytes_of_word(take_word(line));
    if (!id || id->empty() || id->size() > record::kMaxBuildIdBytes) return false;
    dump_.build_ids.push_back({.id = *std::move(id), .path = unescaped(trimmed(line))});
    return true;
  }

  // Format: PID START-END OFFSET PATH
  bool take_mapping(std::string_view line) {
    std::optional<Mapping> mapping = parse_range(line);
    if (!mapping) return false;
    mapping->path = unescaped(trimmed(line));
    dump_.lines.emplace_back(*std::move(mapping));
    return true;
  }

  // Format: PID START-END OFFSET PERMISSIONS MAJOR:MINOR INODE PATH
  bool take_data_mapping(std::string_view line) {
    std::optional<Mapping> mapping = parse_range(line);
    if (!mapping) return false;
    mapping->data = parse_permissions(take_word(line));
    std::string_view device = take_word(line);
    auto major = parse<uint32_t>(take_until(device, ':'), 16);
    auto minor = parse<uint32_t>(device, 16);
    auto inode = parse<uint64_t>(take_word(line));
    if (!mapping->data || !major || !minor || !inode) return false;
    mapping->data->identity = {*major, *minor, *inode, 0};
    mapping->path = unescaped(trimmed(line));
    dump_.lines.emplace_back(*std::move(mapping));
    return true;
  }

  // Parses PID START-END OFFSET and removes these words from the line.
  static std::optional<Mapping> parse_range(std::string_view& line) {
    auto pid = parse<uint32_t>(take_word(line));
    std::string_view range = take_word(line);
    auto start = parse<uint64_t>(take_until(range, '-'), 16);
    auto end = parse<uint64_t>(range, 16);
    auto offset = parse<uint64_t>(take_word(line), 16);
    if (!pid || !start || !end || !offset || *end <= *start) return std::nullopt;
    return Mapping{*pid, *start, *end, *offset, {}};
  }

  // Format: PID PARENT
  bool take_fork(std::string_view line) {
    auto pid = parse<uint32_t>(take_word(line));
    auto parent = parse<uint32_t>(take_word(line));
    if (!pid || !parent) return false;
    dump_.lines.emplace_back(Fork{*pid, *parent});
    return true;
  }

  // Format: PID NAME
  bool take_exec(std::string_view line) {
    auto pid = parse<uint32_t>(take_word(line));
    if (!pid) return false;
    dump_.lines.emplace_back(Exec{*pid, unescaped(trimmed(line))});
    return true;
  }

  // Format: PID TID VALUE ENABLED RUNNING
  bool take_counted(std::string_view line) {
    auto pid = parse<uint32_t>(take_word(line));
    auto tid = parse<uint32_t>(take_word(line));
    auto value = parse<uint64_t>(take_word(line));
    auto enabled = parse<uint64_t>(take_word(line));
    auto running = parse<uint64_t>(take_word(line));
    if (!pid || !tid || !value || !enabled || !running) return false;
    dump_.lines.emplace_back(Counted{{*pid, *tid}, *value, *enabled, *running});
    return true;
  }

  // Format: NUMBER PID TID any|one RETURN_ADDRESS REGISTERS... STACK; the registers are those of kColumns.
  bool take_heap_site(std::string_view line) {
    HeapSite site;
    auto number = parse<uint32_t>(take_word(line));
    auto pid = parse<uint32_t>(take_word(line));
    auto tid = parse<uint32_t>(take_word(line));
    site.any_caller = take_word(line) == "any";
    auto return_address = parse<uint64_t>(take_word(line), 16);
    if (!number || !pid || !tid || !return_address) return false;
    site.number = *number;
    site.at.thread = {*pid, *tid};
    site.return_address = *return_address;
    for (size_t column = 0; column < kColumns.size(); ++column) {
      if (!take_value(take_word(line), column, site.at)) return false;
    }
    auto stack = bytes_of_word(take_word(line));
    if (!stack) return false;
    site.stack = *std::move(stack);
    dump_.lines.emplace_back(std::move(site));
    return true;
  }

  // Keeps the details for the next sample.
  bool take_details(std::string_view line) {
    std::optional<Details> details = parse_details(line);
    if (details) details_ = *details;
    return details.has_value();
  }

  // Format: PID TID NAME
  bool take_thread(std::string_view line) {
    auto pid = parse<uint32_t>(take_word(line));
    auto tid = parse<uint32_t>(take_word(line));
    if (!pid || !tid) return false;
    thread_ = {*pid, *tid};
    dump_.lines.emplace_back(Name{thread_, unescaped(trimmed(line))});
    return true;
  }

  static bool take_value(std::string_view word, size_t column, Sample& sample) {
    if (word == "-") return true;
    auto value = parse<uint64_t>(word, 16);
    if (value) sample.set(column, *value);
    return value.has_value();
  }

  bool take_sample(std::string_view line) {
    Sample sample;
    sample.thread = thread_;
    sample.details = std::exchange(details_, {});
    for (size_t column : columns_) {
      if (!take_value(take_word(line), column, sample)) return false;
    }
    if (!take_word(line).empty() || !sample.knows(kIpColumn)) return false;
    dump_.lines.emplace_back(sample);
    return true;
  }

  // Handlers of # lines that are not part of the header.
  struct Remark {
    std::string_view key;
    bool (DumpReader::*take)(std::string_view line);
  };
  static constexpr Remark kRemarks[] = {
      {"cache", &DumpReader::take_cache},         {"build id", &DumpReader::take_build_id},
      {"mapping", &DumpReader::take_mapping},     {"data mapping", &DumpReader::take_data_mapping},
      {"fork", &DumpReader::take_fork},           {"exec", &DumpReader::take_exec},
      {"heap site", &DumpReader::take_heap_site}, {"counted", &DumpReader::take_counted},
      {"details", &DumpReader::take_details},     {"thread", &DumpReader::take_thread}};

  Dump dump_;
  Details details_;              // for the next sample
  std::vector<size_t> columns_;  // columns of a sample line, in order
  Thread thread_;                // thread of the samples that follow
};

}  // namespace

bool is_dump(std::string_view beginning) {
  if (beginning.starts_with("PERFILE2") || beginning.starts_with("2ELIFREP")) return false;  // perf's format
  return beginning.starts_with(kMagic) || beginning.find("flags linear_ip ") != std::string_view::npos;
}

Result<Dump> read(std::string_view text) { return DumpReader().read(text); }

}  // namespace hm::dump
