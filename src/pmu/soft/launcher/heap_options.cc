// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/heap_options.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace hm::soft {

Result<AllocatorName> parse_allocator(std::string_view text) {
  constexpr uint32_t kRegisterArguments = 6;  // System V ABI, section 3.2.3
  AllocatorName allocator;
  std::string_view name = text;
  size_t colon = text.rfind(':');
  bool has_argument = colon != std::string_view::npos && (colon == 0 || text[colon - 1] != ':');
  if (has_argument) {
    std::string_view number = text.substr(colon + 1);
    const char* end = number.data() + number.size();
    auto [at, error] = std::from_chars(number.data(), end, allocator.size_argument);
    if (error != std::errc() || at != end || allocator.size_argument == 0 ||
        allocator.size_argument > kRegisterArguments)
      return make_error(
          ErrorCode::kInvalidArgument,
          "'{}' has no valid number of the size argument of {}: write a number from 1 to {} after the colon",
          text, text.substr(0, colon), kRegisterArguments);
    name = text.substr(0, colon);
  }
  if (name.empty() || name.size() >= kMaxFunctionName)
    return make_error(ErrorCode::kInvalidArgument,
                      "an allocator's name has from 1 to {} bytes, and that in '{}' has {}",
                      kMaxFunctionName - 1, text.substr(0, 40), name.size());
  allocator.name = name;
  return allocator;
}

Status observe_heap(Session& session, const HeapOptions& options) {
  session.heap_blocks = options.observed ? 1 : 0;
  if (!options.observed) return {};
  if (options.allocators.size() > kMaxAllocators)
    return make_error(ErrorCode::kInvalidArgument, "{} allocators are too many to observe; name at most {}",
                      options.allocators.size(), kMaxAllocators);
  for (const AllocatorName& each : options.allocators) {
    NamedAllocator& named = session.allocators[session.allocator_count++];
    std::memcpy(named.name, each.name.c_str(), each.name.size() + 1);
    named.size_argument = each.size_argument;
  }
  return {};
}

std::vector<std::string> missing_allocators(const Session& session) {
  std::vector<std::string> missing;
  // Limits the count, because the processes may write to the session.
  uint32_t count = std::min(__atomic_load_n(&session.allocator_count, __ATOMIC_RELAXED), kMaxAllocators);
  for (uint32_t i = 0; i < count; ++i) {
    const NamedAllocator& each = session.allocators[i];
    if (__atomic_load_n(&each.found, __ATOMIC_ACQUIRE) == 0)
      missing.emplace_back(each.name, ::strnlen(each.name, sizeof(each.name)));
  }
  return missing;
}

}  // namespace hm::soft
