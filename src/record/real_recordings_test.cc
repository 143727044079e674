// SPDX-License-Identifier: MIT
// Real recordings from many machines and versions of perf: compares the contents of their samples with the
// counts of an independent decoder.
#include <gtest/gtest.h>

#include <map>

#include "base/json.h"
#include "record/example_real.h"
#include "record/reader.h"
#include "record/sample.h"

namespace hm::record {
namespace {

using nlohmann::json;

// The totals of expected.json, which omits totals of 0.
class Totals {
 public:
  void take(const Sample& sample) {
    add("ok", 1);
    if (sample.has(PERF_SAMPLE_CALLCHAIN)) add("cc", 1);
    if (sample.has(PERF_SAMPLE_BRANCH_STACK)) add("br_stacks", 1);
    for (size_t i = 0; i < sample.branches.size(); ++i) take(sample.branches[i]);
    add("addr_nz", sample.addr != 0);
    add("phys_nz", sample.phys_addr != 0);
    add("data_src_nz", sample.data_source != 0);
    add("ruabi2", sample.user_regs.abi == PERF_SAMPLE_REGS_ABI_64);
    add("regs_user", !sample.user_regs.values.empty());
    add("regs_intr", !sample.intr_regs.values.empty());
    add("ustack", !sample.user_stack.bytes.empty());
    add("ustack_dyn", sample.user_stack.used_bytes);
    if (sample.has(PERF_SAMPLE_DATA_SRC)) ++data_sources_[sample.data_source];
  }

  [[nodiscard]] uint64_t of(const std::string& name) const {
    auto found = totals_.find(name);
    return found == totals_.end() ? 0 : found->second;
  }
  [[nodiscard]] const std::map<uint64_t, uint64_t>& data_sources() const { return data_sources_; }

 private:
  void take(const BranchEntry& branch) {
    add("br_nz", branch.from != 0 || branch.to != 0);
    add("br_mispred", branch.mispredicted);
    add("br_cyc", branch.cycles != 0);
  }
  void add(const std::string& name, uint64_t count) { totals_[name] += count; }

  std::map<std::string, uint64_t> totals_;
  std::map<uint64_t, uint64_t> data_sources_;
};

constexpr const char* kTotals[] = {"ok",        "cc",      "br_stacks",  "br_nz",      "br_mispred",
                                   "br_cyc",    "addr_nz", "phys_nz",    "ruabi2",     "regs_user",
                                   "regs_intr", "ustack",  "ustack_dyn", "data_src_nz"};

Totals total_of(Reader& reader) {
  Totals totals;
  while (auto record = reader.next()) {
    if (record->type != PERF_RECORD_SAMPLE) continue;
    auto event = reader.event_of(*record);
    if (!event.has_value()) continue;
    auto sample = decode_sample(reader.events()[*event].attr, record->payload, record->swap);
    if (sample.ok()) totals.take(*sample);
  }
  return totals;
}

TEST(RealRecordings, TheirSamplesHoldWhatAnIndependentDecoderFound) {
  json list = example::expected_of_real_recordings();
  if (list.empty()) GTEST_SKIP() << example::why_no_real_recordings();
  for (const json& expected : list) {
    std::string name = expected["name"];
    SCOPED_TRACE(name);
    auto reader = Reader::open((example::real_recordings() / name).string());
    ASSERT_TRUE(reader.ok()) << reader.error().message;
    Totals totals = total_of(*reader);
    for (const char* total : kTotals)
      EXPECT_EQ(totals.of(total), expected["totals"].value(total, uint64_t{0})) << total;
    for (const json& source : expected["data_src"]) {
      uint64_t value = std::stoull(source[0].get<std::string>(), nullptr, 16);
      ASSERT_EQ(totals.data_sources().count(value), 1u) << source;
      EXPECT_EQ(totals.data_sources().at(value), source[1]) << source;
    }
  }
}

}  // namespace
}  // namespace hm::record
