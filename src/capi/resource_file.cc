// SPDX-License-Identifier: MIT
#include "capi/resource_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <ctime>
#include <set>

#include "event/event_template.h"

namespace hm::capi {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr uint64_t kLongestInterval = uint64_t{1} << 40;

std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// A comment begins at the start of a line or after a blank. A '#' within a file name does not start one.
std::string_view without_comment(std::string_view line) {
  for (size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || kBlank.find(line[at - 1]) != std::string_view::npos) return line.substr(0, at);
  }
  return line;
}

class ResourceReader {
 public:
  ResourceReader(std::string_view name, const std::string& path) : path_(path) { resource_.name = name; }

  Result<Resource> read(std::string_view text) {
    for (line_ = 1; !text.empty(); ++line_) {
      size_t size = std::min(text.find('\n'), text.size());
      if (Status taken = take_line(trimmed(without_comment(text.substr(0, size)))); !taken)
        return taken.error();
      text.remove_prefix(std::min(size + 1, text.size()));
    }
    if (Status complete = check(); !complete) return complete.error();
    return std::move(resource_);
  }

 private:
  template <typename... Args>
  [[nodiscard]] Error wrong(fmt::format_string<Args...> what, Args&&... args) const {
    return make_error(ErrorCode::kInvalidArgument, "{} line {}: {}", path_, line_,
                      fmt::format(what, std::forward<Args>(args)...));
  }

  // Parses "resource_name.parameter value".
  Status take_line(std::string_view line) {
    if (line.empty()) return {};
    size_t key_size = std::min(line.find_first_of(kBlank), line.size());
    std::string_view key = line.substr(0, key_size), value = trimmed(line.substr(key_size));
    size_t dot = key.find('.');
    if (dot == std::string_view::npos || dot == 0 || value.empty())
      return wrong("'{}' is not of the form 'resource_name.parameter value'", line);
    if (key.substr(0, dot) != resource_.name) return {};
    std::string_view parameter = key.substr(dot + 1);
    if (!seen_.insert(std::string(parameter)).second) return wrong("{} is given twice", key);
    return take_parameter(parameter, value);
  }

  Status take_parameter(std::string_view parameter, std::string_view value) {
    if (parameter == "user") return take_flag(value, resource_.user);
    if (parameter == "kernel") return take_flag(value, resource_.kernel);
    if (parameter == "event") return take_event(value);
    if (parameter == "dumpfile") return resource_.dump_file = value, Status();
    if (parameter == "format") return take_format(value);
    if (parameter == "count") return take_number(value, kMaxSamples, resource_.count);
    if (parameter == "interval") return take_number(value, kLongestInterval, resource_.interval);
    return wrong("unknown parameter '{}': use user, kernel, event, dumpfile, format, count or interval",
                 parameter);
  }

  Status take_flag(std::string_view value, bool& flag) const {
    if (value != "0" && value != "1") return wrong("'{}' is neither 0 nor 1", value);
    flag = value == "1";
    return {};
  }

  Status take_number(std::string_view value, uint64_t most, uint64_t& number) const {
    auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number == 0 || number > most)
      return wrong("'{}' is not a number from 1 to {}", value, most);
    return {};
  }

  Status take_event(std::string_view value) {
    auto events = event::parse_selections(value);
    if (!events) return wrong("{}", events.error().message);
    if (events->size() != 1) return wrong("'{}' is more than one event", value);
    resource_.event = events->front();
    return {};
  }

  Status take_format(std::string_view value) {
    if (value != "dump" && value != "perf") return wrong("unknown format '{}': use dump or perf", value);
    resource_.format = value == "perf" ? Format::kPerf : Format::kDump;
    return {};
  }

  [[nodiscard]] Status check() const {
    const std::string& name = resource_.name;
    if (seen_.empty()) return make_error(ErrorCode::kNotFound, "{} has no resource '{}'", path_, name);
    const auto missing = [&](const char* what) {
      return make_error(ErrorCode::kInvalidArgument, "{}: resource '{}' {}", path_, name, what);
    };
    if (!seen_.contains("event"))
      return missing("names no event (add a line such as 'NAME.event l1_cache_miss')");
    if (!seen_.contains("dumpfile")) return missing("has no dumpfile");
    if (!resource_.user && !resource_.kernel)
      return missing("samples neither user nor kernel mode; set one of them to 1");
    bool precise = resource_.event.id && event::event_template(*resource_.event.id).precise;
    if (precise && resource_.count > kMaxPreciseSamples)
      return make_error(ErrorCode::kInvalidArgument,
                        "{}: resource '{}' requests {} samples of a precise event; at most {} are possible",
                        path_, name, resource_.count, kMaxPreciseSamples);
    return {};
  }

  const std::string& path_;
  size_t line_ = 0;
  Resource resource_;
  std::set<std::string> seen_;  // parameters
};

bool is_name(std::string_view name) {
  return !name.empty() && name.find_first_of(" \t\r\n.") == std::string_view::npos;
}

}  // namespace

Result<std::string> resource_path() {
  if (const char* path = ::secure_getenv("HARDMETERRC"); path != nullptr && *path != '\0')
    return std::string(path);
  if (const char* home = ::secure_getenv("HOME"); home != nullptr && *home != '\0')
    return std::string(home) + "/.hardmeterrc";
  return make_error(ErrorCode::kNotFound, "no resource file: neither HARDMETERRC nor HOME is set");
}

Result<Resource> find_resource(std::string_view text, std::string_view name, const std::string& path) {
  if (!is_name(name))
    return make_error(ErrorCode::kInvalidArgument,
                      "'{}' is not a resource name: names contain neither blanks nor '.'", name);
  return ResourceReader(name, path).read(text);
}

std::string expand_dump_file(const std::string& pattern, std::time_t now, int pid) {
  std::tm local{};
  ::localtime_r(&now, &local);
  std::string path;
  for (size_t i = 0; i < pattern.size(); ++i) {
    char code = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    bool is_time = code != '\0' && std::string_view("YymdHMS").find(code) != std::string_view::npos;
    if (is_time) {
      char text[16];
      char format[] = {'%', code, '\0'};
      path.append(text, std::strftime(text, sizeof text, format, &local));
    } else if (code == 'P') {
      path += std::to_string(pid);
    } else if (code == '%') {
      path += '%';
    } else {
      path += pattern[i];
      continue;
    }
    ++i;
  }
  return path;
}

}  // namespace hm::capi
