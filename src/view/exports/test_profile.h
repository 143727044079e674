// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"
#include "symbol/file_resolver.h"
#include "view/exports/export_selection.h"
#include "view/exports/pieces.h"

namespace hm::exports {

// Two events and two threads: main calls work, and both of them miss. The name of the second thread's
// function tests the escaping of every format. No file gives further details about the locations.
class TestProfile {
 public:
  TestProfile() {
    profile.events = {{"l1_cache_miss", {}}, {"cpu/mem-loads,ldlat=30/", {}}};
    profile.threads = {{7, 7, "program"}, {7, 8, "work;er"}};
    profile.dsos = {{"[unknown]", ""}, {"/no/program", "00112233445566778899aabbccddeeff01020304"}};
    profile.functions = {
        {1, "main", 0x100, 0x100}, {1, "work<int, long>", 0x200, 0x100}, {1, kHostile, 0x300, 0x10}};
    profile.locations = {
        {1, 0x110, 0, 0x110}, {1, 0x210, 1, 0x210}, {1, 0x220, 1, 0x220}, {1, 0x300, 2, 0x300}};
    profile.objects = {{}, {profile::ObjectKind::kGlobal, 1, "table", 0x4000, 64}};
    add(0, 0, {1, 0}, 10, 1000);
    add(0, 0, {2, 0}, 20, 2000);
    add(1, 0, {2, 0}, 3, 2500);
    add(0, 1, {3}, 5, 3'001'000);
    profile.samples.object = {1, 0, 0, 0};
  }

  // `places` holds the location of the sample, then its callers.
  void add(uint32_t event, uint32_t thread, const std::vector<uint32_t>& places, uint64_t period,
           uint64_t time_ns) {
    profile::Samples& samples = profile.samples;
    rows.push_back(samples.size());
    samples.period.set(samples.size(), period);
    samples.time_ns.set(samples.size(), time_ns);
    samples.chain.push_back(
        {static_cast<uint32_t>(samples.chain_locations.size()), static_cast<uint32_t>(places.size())});
    samples.chain_locations.insert(samples.chain_locations.end(), places.begin(), places.end());
    samples.location.push_back(places.front());
    samples.thread.push_back(thread);
    samples.event.push_back(event);
  }

  [[nodiscard]] Selection selection() const { return {profile, rows, resolver}; }
  [[nodiscard]] Selection first_event() {
    rows = {0, 1, 3};
    return selection();
  }

  static constexpr const char* kHostile = "(2) a;b\n\"c\" \xff";
  profile::Profile profile;
  std::vector<size_t> rows;
  symbol::FileResolver resolver;
};

inline std::string written(Status (*write)(const Selection&, const Write&), const Selection& selection) {
  std::string text;
  Status status = write(selection, [&](std::string_view piece) {
    text += piece;
    return Status();
  });
  return status ? text : "error: " + status.error().message;
}

}  // namespace hm::exports
