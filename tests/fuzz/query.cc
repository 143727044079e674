// SPDX-License-Identifier: MIT
// The input is a request's query. Writing and reading its pairs yields the same pairs, and each value is
// within the bounds of its type.
#include <string>
#include <utility>
#include <vector>

#include "http/http_server.h"
#include "input.h"
#include "web/parameters.h"

namespace {

using namespace hm;
using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string written(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string all;
  for (char each : text) {
    auto byte = static_cast<unsigned char>(each);
    all += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return all;
}

std::string written(const Pairs& pairs) {
  std::string all;
  for (const auto& [name, value] : pairs) all += "&" + written(name) + "=" + written(value);
  return all;
}

void read_as_each_kind(const web::Parameters::Given& given, const std::string& name) {
  constexpr uint64_t kMost = 1000;
  web::Parameters parameters(given);
  fuzz::require(parameters.number(name, kMost, kMost) <= kMost);
  fuzz::require(parameters.percent(name, 100) >= 0 && parameters.percent(name, 0) <= 100);
  fuzz::require(parameters.text(name, "none") != "");
  for (const std::string& each : parameters.list(name))
    fuzz::require(!each.empty() && each.find(',') == std::string::npos);
  (void)parameters.id(name);
  (void)parameters.flag(name);
  fuzz::require(given.size() == 1 || !parameters.check().ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Pairs pairs = http::query_pairs(fuzz::text(data, size));
  fuzz::require(http::query_pairs(written(pairs)) == pairs);
  web::Parameters::Given given;
  for (const auto& [name, value] : pairs) given[name] = value;
  for (const auto& [name, value] : given) read_as_each_kind(given, name);
  return 0;
}
