// SPDX-License-Identifier: MIT
#include "http/http_message.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/take_until.h"

namespace hm::http {
namespace {

std::string form_decoded(std::string_view text) {
  std::string blanks(text);
  std::ranges::replace(blanks, '+', ' ');
  return percent_decoded(blanks);
}

}  // namespace

std::string_view Request::header(std::string_view name) const {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  for (const auto& [own, value] : headers) {
    if (std::ranges::equal(own, name, {}, lower, lower)) return value;
  }
  return {};
}

Response text_response(int status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::make_shared<const std::string>(std::move(text))};
}

std::string percent_decoded(std::string_view text) {
  constexpr size_t kDigits = 2;
  std::string decoded;
  while (!text.empty()) {
    unsigned char byte = 0;
    const char* digits = text.data() + 1;
    bool is_encoded = text.front() == '%' && text.size() > kDigits &&
                      std::from_chars(digits, digits + kDigits, byte, 16).ptr == digits + kDigits;
    decoded += is_encoded ? static_cast<char>(byte) : text.front();
    text.remove_prefix(is_encoded ? 1 + kDigits : 1);
  }
  return decoded;
}

std::vector<std::pair<std::string, std::string>> query_pairs(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!query.empty()) {
    std::string_view value = take_until(query, '&');
    if (value.empty()) continue;
    std::string_view key = take_until(value, '=');
    pairs.emplace_back(form_decoded(key), form_decoded(value));
  }
  return pairs;
}

}  // namespace hm::http
