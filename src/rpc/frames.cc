// SPDX-License-Identifier: MIT
#include "rpc/frames.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <charconv>

namespace hm::rpc {
namespace {

constexpr size_t kMaxHeaderBytes = 4096;

// Returns the length that the header's lines state. Names of fields have no case.
std::optional<size_t> length_in(std::string_view header) {
  constexpr std::string_view kName = "content-length:";
  std::optional<size_t> length;
  while (!header.empty()) {
    std::string_view line = header.substr(0, header.find("\r\n"));
    header.remove_prefix(std::min(line.size() + 2, header.size()));
    if (line.size() < kName.size() || ::strncasecmp(line.data(), kName.data(), kName.size()) != 0) continue;
    line.remove_prefix(kName.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    size_t value = 0;
    auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (error != std::errc() || end != line.data() + line.size()) return std::nullopt;
    length = value;
  }
  return length;
}

}  // namespace

std::optional<size_t> Frames::take_header() {
  constexpr std::string_view kEnd = "\r\n\r\n";
  size_t end = std::string_view(bytes_).substr(0, kMaxHeaderBytes).find(kEnd);
  if (end == std::string::npos) {
    damaged_ = bytes_.size() >= kMaxHeaderBytes;
    return std::nullopt;
  }
  std::optional<size_t> length = length_in(std::string_view(bytes_).substr(0, end));
  damaged_ = !length;
  bytes_.erase(0, end + kEnd.size());
  return length;
}

std::optional<Frames::Frame> Frames::next() {
  if (damaged_) return std::nullopt;
  if (!length_) {
    length_ = take_header();
    if (!length_) return std::nullopt;
    to_skip_ = *length_ > max_bytes_ ? *length_ : 0;
  }
  if (to_skip_ != 0) {
    size_t skipped = std::min(to_skip_, bytes_.size());
    bytes_.erase(0, skipped);
    to_skip_ -= skipped;
    if (to_skip_ != 0) return std::nullopt;
    length_.reset();
    return Frame{"", true};
  }
  if (bytes_.size() < *length_) return std::nullopt;
  Frame frame{bytes_.substr(0, *length_), false};
  bytes_.erase(0, *length_);
  length_.reset();
  return frame;
}

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

}  // namespace hm::rpc
