// SPDX-License-Identifier: MIT
#include "store/store_address.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/take_until.h"

namespace hm::store {
namespace {

constexpr std::string_view kForm = "http[s]://HOST:PORT[,HOST:PORT...]/DATABASE[?cluster=NAME]";

bool is_name(std::string_view text) {
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !text.empty() && std::all_of(text.begin(), text.end(), belongs);
}

bool is_server(std::string_view text) {
  const auto belongs = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(".-:[]").find(c) != std::string_view::npos;
  };
  size_t colon = text.rfind(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == text.size()) return false;
  std::string_view port = text.substr(colon + 1);
  return std::all_of(text.begin(), text.end(), belongs) && port.size() <= 5 &&
         port.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

Result<Address> parse_address(std::string_view words) {
  Address address;
  std::string_view rest = words;
  size_t scheme = rest.find("://");
  if (scheme == std::string_view::npos) {
    if (words.empty()) return make_error(ErrorCode::kInvalidArgument, "a store is a folder, or {}", kForm);
    address.folder = words;
    return address;
  }
  const auto wrong = [&](std::string_view what) {
    return make_error(ErrorCode::kInvalidArgument, "'{}' is not a store: {}; a store is a folder, or {}",
                      words, what, kForm);
  };
  if (rest.find('@') != std::string_view::npos)
    return make_error(
        ErrorCode::kInvalidArgument,
        "the store's address contains a user name or password, which every user of this machine can see: put them into a file (--store-credentials)");
  std::string_view protocol = rest.substr(0, scheme);
  if (protocol != "http" && protocol != "https") return wrong(fmt::format("{} is not supported", protocol));
  address.encrypted = protocol == "https";
  rest.remove_prefix(scheme + 3);
  std::string_view servers = take_until(rest, '/');
  std::string_view database = take_until(rest, '?');
  while (!servers.empty()) {
    std::string_view server = take_until(servers, ',');
    if (!is_server(server)) return wrong(fmt::format("'{}' is not HOST:PORT", server));
    address.servers.emplace_back(server);
  }
  if (address.servers.empty()) return wrong("it names no server");
  if (!is_name(database)) return wrong("it names no database (letters, digits and _)");
  address.database = database;
  if (!rest.empty()) {
    if (!rest.starts_with("cluster=") || !is_name(rest.substr(8)))
      return wrong("only cluster=NAME is allowed after ?");
    address.cluster = rest.substr(8);
  }
  return address;
}

}  // namespace hm::store
