// SPDX-License-Identifier: MIT
// Test helper that compares encodings with the vendors' documentation.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "event/event_template.h"
#include "event/hardware/encode.h"
#include "event/hardware/known_cpus.h"

namespace hm::event::documented {

inline std::vector<Encoding> encoded(EventId id, const char* cpu, Use use = Use::kSample) {
  const KnownCpu* known = find_known_cpu(cpu);
  EXPECT_NE(known, nullptr) << cpu;
  if (known == nullptr) return {};
  auto encodings = encode(id, known->model, use);
  EXPECT_TRUE(encodings.ok()) << cpu << ": " << (encodings ? "" : encodings.error().message);
  return encodings ? *encodings : std::vector<Encoding>{};
}

inline std::string refusal(EventId id, const char* cpu, Use use = Use::kSample) {
  auto encodings = encode(id, find_known_cpu(cpu)->model, use);
  EXPECT_FALSE(encodings.ok()) << cpu << ' ' << event_template(id).name;
  return encodings ? "" : encodings.error().message;
}

struct Event {
  EventId id;
  std::vector<uint64_t> configs;  // one for each encoding, in order
  uint64_t config1 = 0;           // of every encoding
};

inline void expect_encoded(const char* cpu, const std::vector<Event>& events, Use use = Use::kSample) {
  for (const Event& event : events) {
    std::vector<uint64_t> configs;
    for (const Encoding& each : encoded(event.id, cpu, use)) {
      configs.push_back(each.config);
      EXPECT_EQ(each.config1, event.config1) << cpu << ' ' << each.native;
    }
    EXPECT_EQ(configs, event.configs) << cpu << ' ' << event_template(event.id).name;
  }
}

}  // namespace hm::event::documented
