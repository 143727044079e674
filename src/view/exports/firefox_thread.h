// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "view/exports/pieces.h"
#include "view/exports/stack_tree.h"
#include "view/exports/stacks.h"

namespace hm::exports {

// Numbers distinct values in the order of their first appearance.
template <typename Value>
class Numbered {
 public:
  uint32_t number_of(const Value& value) {
    auto [found, is_new] = numbers_.try_emplace(value, static_cast<uint32_t>(values_.size()));
    if (is_new) values_.push_back(value);
    return found->second;
  }
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }

 private:
  std::map<Value, uint32_t> numbers_;
  std::vector<Value> values_;
};

// Categories of frames, in the order of profile.meta.categories.
enum class FrameCategory : uint8_t { kUser, kKernel, kOther };

// The tables of one thread of the profile (RawThread in src/types/profile.ts). Only the numbers of mapped
// files ("libs") are shared by all threads.
class FirefoxThread {
 public:
  FirefoxThread(const profile::Profile& profile, Stacks& stacks, Numbered<uint32_t>& libs)
      : profile_(profile), stacks_(stacks), libs_(libs) {}

  // Returns the index of the sample's stack in "stackTable".
  uint32_t add_stack(size_t sample);
  // Writes "stringArray", "stackTable", "frameTable", "funcTable", "resourceTable" and "nativeSymbols". Call
  // this after all stacks are added.
  void write_tables(Pieces& pieces);

 private:
  void write_stacks(Pieces& pieces);
  void write_frames(Pieces& pieces);
  void write_functions(Pieces& pieces);
  void write_resources(Pieces& pieces);
  void write_strings(Pieces& pieces);

  const profile::Profile& profile_;
  Stacks& stacks_;
  Numbered<uint32_t>& libs_;
  StackTree tree_;
  Numbered<std::pair<uint32_t, uint32_t>> frames_;  // by location and inline depth
  Numbered<uint32_t> functions_;                    // by number in Stacks
  Numbered<uint32_t> resources_;                    // by dso
  Numbered<std::string> strings_;
};

}  // namespace hm::exports
