// SPDX-License-Identifier: MIT
#include "store/sqlite_value_of.h"

#include <sqlite3.h>

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/json.h"

namespace hm::store {
namespace {

using Members = std::unordered_map<std::string, nlohmann::json>;

std::string_view text_at(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text == nullptr ? std::string_view()
                         : std::string_view(text, static_cast<size_t>(sqlite3_value_bytes(value)));
}

Members* members_of(std::string_view text) {
  auto* members = new Members;
  nlohmann::json object = parse_json(text);
  if (object.is_object()) {
    for (auto& [name, value] : object.items()) members->emplace(name, std::move(value));
  }
  return members;
}

void value_of(sqlite3_context* context, int, sqlite3_value** arguments) {
  std::string name(text_at(arguments[1]));
  auto* members = static_cast<Members*>(sqlite3_get_auxdata(context, 0));
  if (members == nullptr) {
    sqlite3_set_auxdata(context, 0, members_of(text_at(arguments[0])),
                        [](void* kept) { delete static_cast<Members*>(kept); });
    members = static_cast<Members*>(sqlite3_get_auxdata(context, 0));
  }
  auto found = members == nullptr ? Members::iterator() : members->find(name);
  if (members == nullptr || found == members->end()) return sqlite3_result_null(context);
  if (found->second.is_number_integer()) return sqlite3_result_int64(context, found->second.get<int64_t>());
  std::string text = found->second.is_string() ? found->second.get<std::string>() : found->second.dump();
  sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

}  // namespace

void add_value_of(sqlite3* database) {
  sqlite3_create_function_v2(database, "value_of", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr, value_of,
                             nullptr, nullptr, nullptr);
}

}  // namespace hm::store
