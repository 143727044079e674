// SPDX-License-Identifier: MIT
// Runs each example and its improved variant on the modelled machine. They compute the same result, the
// improved one has the stated fraction of the events, and the misses have the class that the example
// demonstrates.
#include <gtest/gtest.h>

#include <fstream>

#include "base/json.h"
#include "measuring.h"
#include "meeting.h"
#include "plain_environment.h"

namespace hm::soft_pmu_test {
namespace {

using record::MissClass;

struct Pair {
  std::string name;
  std::string event;                 // empty if no modelled event differs
  uint64_t at_least = 0;             // minimum count in the slow program
  double remains = 1;                // maximum fraction of the slow program's events in the improved one
  MissClass why = MissClass::kNone;  // class of the event's misses in the slow program, if it has classes
  double share = 0;                  // minimum fraction of misses with this class
  Words mended_options{};            // of the modelled machine
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

struct Measured {
  std::string said;
  uint64_t events = 0;
  double together_s = 0;  // Outcome's
};

const Words kPairMachine = {"--cpu", "zen4"};

Measured measure(const std::string& name, const std::string& event, const Words& options) {
  TemporaryFolder folder;
  std::string path = folder.file("counts.json");
  Words events = event.empty() ? Words{} : Words{"-e", event};
  Outcome outcome = hardmeter(Words{"stat", "--json", "-o", path} + soft_pmu() + kPairMachine + options +
                              events + Words{"--", example(name)});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  auto json = nlohmann::json::parse(std::ifstream(path), nullptr, false);
  EXPECT_TRUE(json.is_object()) << outcome.err;
  if (!json.is_object() || event.empty()) return {outcome.out};
  Counts totals = json.value("totals", Counts{});
  EXPECT_TRUE(totals.contains(event));
  return {outcome.out, totals[event], outcome.together_s};
}

// Returns the class of the event's cache level.
MissClass class_of(const Sample& sample) {
  if (sample.event == "l2_cache_miss") return sample.l2_class;
  if (sample.event == "l3_cache_miss") return sample.l3_class;
  return sample.l1_class;
}

// The number of exchanges between threads varies with scheduling, so the bounds are wide.
bool is_of_threads(const Pair& pair) { return pair.name == "false_sharing" || pair.name == "test_and_set"; }

std::optional<Measured> measure_slow(const Pair& pair) {
  auto once = [&] { return measure(pair.name, pair.event, {}); };
  if (!is_of_threads(pair)) return once();
  return until_threads_meet(once, [&](const Measured& slow) { return slow.events >= pair.at_least; });
}

// Returns the best of several runs if they differ.
Measured measure_mended(const Pair& pair) {
  auto once = [&] { return measure(pair.name + "_mended", pair.event, pair.mended_options); };
  Measured best = once();
  for (int again = 1; is_of_threads(pair) && again < 3; ++again) {
    Measured other = once();
    if (other.events < best.events) best = other;
  }
  return best;
}

class Example : public WithPlainEnvironment, public ::testing::WithParamInterface<Pair> {};
class ExampleThatMisses : public Example {};

TEST_P(Example, AndItsTwinComputeTheSame) {
  std::string native = run({example(GetParam().name)}).out;
  EXPECT_GE(native.size(), 2u) << "a number and a line's end";
  EXPECT_EQ(run({example(GetParam().name + "_mended")}).out, native);
}

TEST_P(Example, HasMoreOfItsEventThanItsTwin) {
  const Pair& pair = GetParam();
  if (is_of_threads(pair)) skip_without_cores();
  if (IsSkipped()) return;
  if (is_of_threads(pair)) run_before_others();
  std::optional<Measured> slow = measure_slow(pair);
  if (!slow) GTEST_SKIP() << kOneAfterTheOther;
  Measured mended = measure_mended(pair);
  EXPECT_EQ(slow->said, mended.said);
  if (pair.event.empty()) return;
  EXPECT_GE(slow->events, pair.at_least);
  double part = static_cast<double>(mended.events) / static_cast<double>(slow->events);
  EXPECT_LE(part, pair.remains) << mended.events << " of " << slow->events;
}

TEST_P(ExampleThatMisses, MissesForTheReasonItIsAbout) {
  const Pair& pair = GetParam();
  Recording recording = record(kPairMachine + Words{"-e", pair.event, "-c", "499"}, {example(pair.name)});
  std::map<MissClass, int> samples;
  for (const Sample& sample : recording.samples) ++samples[class_of(sample)];
  RecordProperty("samples", static_cast<int>(recording.samples.size()));
  RecordProperty("none", samples[MissClass::kNone]);
  RecordProperty("compulsory", samples[MissClass::kCompulsory]);
  RecordProperty("capacity", samples[MissClass::kCapacity]);
  RecordProperty("conflict", samples[MissClass::kConflict]);
  ASSERT_GE(recording.samples.size(), 500u);
  EXPECT_GE(samples[pair.why] / static_cast<double>(recording.samples.size()), pair.share)
      << samples[pair.why] << " of " << recording.samples.size();
}

constexpr MissClass kCompulsory = MissClass::kCompulsory;
constexpr MissClass kCapacity = MissClass::kCapacity;
constexpr MissClass kConflict = MissClass::kConflict;

const std::vector<Pair> kMissing = {
    {"padded_matrix", "l1_cache_miss", 1'200'000, 0.1, kConflict, 0.9},
    {"interchange", "l1_cache_miss", 4'000'000, 0.2, kCapacity, 0.95},
    {"blocking", "l1_cache_miss", 2'000'000, 0.1, kCapacity, 0.95},
    {"gather", "l1_cache_miss", 4'000'000, 0.25, kCapacity, 0.9},
    {"prefetch", "l2_cache_miss", 2'500'000, 0.01, kCapacity, 0.8},
    {"scan", "l3_cache_miss", 250'000, 0.15, kCompulsory, 0.95},
    {"list_to_array", "l2_cache_miss", 1'500'000, 0.2, kCapacity, 0.9},
    {"aligned_buffers", "l2_cache_miss", 400'000, 0.1, kConflict, 0.9},
    {"hot_cold_split", "l1_cache_miss", 750'000, 0.15, kCapacity, 0.9},
    {"cold_code", "icache_miss", 1'500'000, 0.05, kCapacity, 0.5},
    {"fresh_buffers", "l1_cache_miss", 200'000, 0.05, kCompulsory, 0.95},
    {"map_look_ups", "l1_cache_miss", 3'000'000, 0.85, kCapacity, 0.9},
    {"chained_table", "l1_cache_miss", 1'000'000, 0.6, kCapacity, 0.9},
    {"unordered_look_ups", "l1_cache_miss", 1'000'000, 0.5, kCapacity, 0.9},
    {"object_pointers", "l1_cache_miss", 700'000, 0.2, kCapacity, 0.9},
    {"std_list", "l1_cache_miss", 1'500'000, 0.2, kCapacity, 0.9},
    {"nodes_in_order", "l1_cache_miss", 900'000, 0.3, kCapacity, 0.9},
    {"counted_pointers", "l1_cache_miss", 700'000, 0.7, kCapacity, 0.9},
    {"long_keys", "l1_cache_miss", 1'500'000, 0.6, kCapacity, 0.9},
    {"shapes", "l1_cache_miss", 1'000'000, 0.3, kCapacity, 0.9},
    {"churn", "l1_cache_miss", 500'000, 0.3, kCapacity, 0.9},
};

// Examples without miss classes.
const std::vector<Pair> kOthers = {
    {"huge_page_table", "dtlb_load_miss", 1'000'000, 0.01, MissClass::kNone, 0, {"--page", "2M"}},
    {"straddling_struct", "split_load_retired", 250'000, 0.01},
    {"store_forward", "mob_load_replay_retired", 3'000'000, 0.01},
    {"false_sharing", "shared_line_hit", 5'000, 0.2},
    {"test_and_set", "l2_cache_miss", 40'000, 0.3},
};

std::string name_of(const ::testing::TestParamInfo<Pair>& each) { return each.param.name; }

INSTANTIATE_TEST_SUITE_P(Missing, Example, ::testing::ValuesIn(kMissing), name_of);
INSTANTIATE_TEST_SUITE_P(Other, Example, ::testing::ValuesIn(kOthers), name_of);
INSTANTIATE_TEST_SUITE_P(, ExampleThatMisses, ::testing::ValuesIn(kMissing), name_of);

}  // namespace
}  // namespace hm::soft_pmu_test
