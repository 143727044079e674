// SPDX-License-Identifier: MIT
#include "analysis/hotspots/sort_key.h"

#include <algorithm>
#include <array>

namespace hm::hotspots {
namespace {

struct KeyName {
  SortKey key;
  std::string_view name;
};

// The first name of a key is the displayed one.
constexpr std::array<KeyName, 24> kNames{
    {{SortKey::kFunction, "function"}, {SortKey::kFunction, "sym"},     {SortKey::kFunction, "symbol"},
     {SortKey::kLine, "line"},         {SortKey::kLine, "srcline"},     {SortKey::kIp, "ip"},
     {SortKey::kDso, "dso"},           {SortKey::kThread, "thread"},    {SortKey::kThread, "tid"},
     {SortKey::kProcess, "process"},   {SortKey::kProcess, "pid"},      {SortKey::kComm, "comm"},
     {SortKey::kCgroup, "cgroup"},     {SortKey::kCgroup, "container"}, {SortKey::kEvent, "event"},
     {SortKey::kObject, "object"},     {SortKey::kField, "field"},      {SortKey::kType, "type"},
     {SortKey::kSite, "site"},         {SortKey::kMem, "mem"},          {SortKey::kSnoop, "snoop"},
     {SortKey::kTlb, "tlb"},           {SortKey::kLocked, "locked"},    {SortKey::kAccess, "access"}}};

}  // namespace

std::string_view name_of(SortKey key) { return std::ranges::find(kNames, key, &KeyName::key)->name; }

Result<std::vector<SortKey>> parse_sort_keys(std::string_view list) {
  std::vector<SortKey> keys;
  while (true) {
    std::string_view name = list.substr(0, list.find(','));
    const auto* found = std::ranges::find(kNames, name, &KeyName::name);
    if (found == kNames.end()) {
      return make_error(
          ErrorCode::kInvalidArgument,
          "cannot sort by '{}'; use function, line, ip, dso, thread, process, comm, cgroup, event, object, field, type, site, mem, snoop, tlb, locked or access",
          name);
    }
    if (std::ranges::find(keys, found->key) != keys.end()) {
      return make_error(ErrorCode::kInvalidArgument, "sort key '{}' is given twice", name);
    }
    keys.push_back(found->key);
    if (name.size() == list.size()) return keys;
    list.remove_prefix(name.size() + 1);
  }
}

}  // namespace hm::hotspots
