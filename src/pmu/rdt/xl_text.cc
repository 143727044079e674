// SPDX-License-Identifier: MIT
#include "pmu/rdt/xl_text.h"

#include <charconv>
#include <set>

namespace hm::rdt {
namespace {

constexpr std::string_view kXlSpaces = " \t";

template <typename Number>
std::optional<Number> xl_number(std::string_view word) {
  Number number{};
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  bool whole = !word.empty() && error == std::errc() && end == word.data() + word.size();
  return whole ? std::optional(number) : std::nullopt;
}

// A line that is consumed word by word from its end.
class XlLine {
 public:
  explicit XlLine(std::string_view line) : rest_(line) {}

  std::string_view take_last() {
    std::string_view left = rest();
    size_t space = left.find_last_of(kXlSpaces);
    size_t begin = space == left.npos ? 0 : space + 1;
    rest_ = left.substr(0, begin);
    return left.substr(begin);
  }
  // Without trailing spaces.
  [[nodiscard]] std::string_view rest() const {
    return rest_.substr(0, rest_.find_last_not_of(kXlSpaces) + 1);
  }

 private:
  std::string_view rest_;
};

std::vector<std::string_view> lines_of_xl(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

// Takes "123 KB" from the end of the line. Leaves the line unchanged if it ends differently.
std::optional<uint64_t> take_kilobytes(XlLine& line) {
  XlLine tried = line;
  if (tried.take_last() != "KB") return std::nullopt;
  std::optional<uint64_t> kilobytes = xl_number<uint64_t>(tried.take_last());
  if (!kilobytes || *kilobytes > UINT64_MAX / 1024) return std::nullopt;
  line = tried;
  return *kilobytes * 1024;
}

// Takes up to `most` figures from the end of the line; returns them in the line's order.
std::vector<std::optional<uint64_t>> take_figures(XlLine& line, size_t most) {
  std::vector<std::optional<uint64_t>> figures;
  while (figures.size() < most) {
    std::optional<uint64_t> bytes = take_kilobytes(line);
    if (!bytes) break;
    figures.insert(figures.begin(), bytes);
  }
  return figures;
}

// "Name   ID   Socket 0   Socket 1"
std::optional<std::vector<Domain>> parse_sockets(std::string_view text) {
  XlLine line(text);
  std::vector<Domain> sockets;
  std::set<uint32_t> seen;
  for (std::string_view last = line.take_last(); last != "ID"; last = line.take_last()) {
    std::optional<uint32_t> number = xl_number<uint32_t>(last);
    if (!number || line.take_last() != "Socket" || !seen.insert(*number).second) return std::nullopt;
    sockets.insert(sockets.begin(), Domain{*number, 0});
  }
  bool good = line.rest() == "Name" && !sockets.empty();
  return good ? std::optional(std::move(sockets)) : std::nullopt;
}

bool read_sizes(std::string_view text, std::vector<Domain>& sockets) {
  XlLine line(text);
  std::vector<std::optional<uint64_t>> sizes = take_figures(line, sockets.size());
  if (sizes.size() != sockets.size() || line.rest() != "Total L3 Cache Size") return false;
  for (size_t i = 0; i < sizes.size(); ++i) sockets[i].bytes = *sizes[i];
  return true;
}

bool read_domain(std::string_view text, XlOccupancy& found) {
  XlLine line(text);
  std::vector<std::optional<uint64_t>> figures = take_figures(line, found.sockets.size());
  if (figures.size() != found.sockets.size()) figures.assign(found.sockets.size(), std::nullopt);
  std::optional<uint32_t> id = xl_number<uint32_t>(line.take_last());
  return id && !line.rest().empty() && found.held_bytes.emplace(*id, std::move(figures)).second;
}

// Six letters, each may be "-": running, blocked, paused, shut down, crashed, dying.
bool is_state(std::string_view word) {
  constexpr std::string_view kLetters = "rbpscd";
  if (word.size() != kLetters.size()) return false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] != kLetters[i] && word[i] != '-') return false;
  }
  return true;
}

// "web   3   512   2   -b----   12.3"; libxl prints "(null)" for a missing name.
bool read_listed(std::string_view text, std::vector<XenDomain>& found, std::set<uint32_t>& seen) {
  XlLine line(text);
  bool has_time = xl_number<double>(line.take_last()).has_value();
  std::string_view state = line.take_last();
  bool has_cpus = xl_number<uint32_t>(line.take_last()).has_value();
  bool has_memory = xl_number<uint64_t>(line.take_last()).has_value();
  std::optional<uint32_t> id = xl_number<uint32_t>(line.take_last());
  std::string_view name = line.rest();
  if (!has_time || !is_state(state) || !has_cpus || !has_memory || !id || name.empty()) return false;
  if (!seen.insert(*id).second) return false;
  if (state.back() != 'd') found.push_back({*id, name == "(null)" ? "" : std::string(name)});
  return true;
}

}  // namespace

std::optional<XlOccupancy> parse_xl_occupancy(std::string_view text) {
  constexpr std::string_view kIds = "Total RMID: ";
  constexpr size_t kHeaderLines = 3;
  std::vector<std::string_view> lines = lines_of_xl(text);
  if (lines.size() < kHeaderLines || !lines[0].starts_with(kIds)) return std::nullopt;
  XlOccupancy found;
  std::optional<uint32_t> ids = xl_number<uint32_t>(lines[0].substr(kIds.size()));
  std::optional<std::vector<Domain>> sockets = parse_sockets(lines[1]);
  if (!ids || !sockets) return std::nullopt;
  found.ids = *ids;
  found.sockets = *std::move(sockets);
  if (!read_sizes(lines[2], found.sockets)) return std::nullopt;
  for (size_t i = kHeaderLines; i < lines.size(); ++i) {
    if (!read_domain(lines[i], found)) return std::nullopt;
  }
  return found;
}

std::optional<std::vector<XenDomain>> parse_xl_list(std::string_view text) {
  std::vector<std::string_view> lines = lines_of_xl(text);
  if (lines.empty() || !lines[0].starts_with("Name ")) return std::nullopt;
  std::vector<XenDomain> found;
  std::set<uint32_t> seen;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (!read_listed(lines[i], found, seen)) return std::nullopt;
  }
  return found;
}

}  // namespace hm::rdt
