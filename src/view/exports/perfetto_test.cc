// SPDX-License-Identifier: MIT
#include "view/exports/perfetto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "view/exports/protobuf_fields.h"
#include "view/exports/test_profile.h"
#include "view/exports/times.h"

namespace hm::exports {
namespace {

using ::testing::ElementsAre;

// Field numbers as in Perfetto's trace_packet.proto, interned_data.proto, profile_common.proto and
// profile_packet.proto, stated anew.
class PerfettoTrace {
 public:
  explicit PerfettoTrace(const Selection& selection) {
    for (const std::string& packet : all_of(fields_of(written(write_perfetto, selection)), 1))
      read(fields_of(packet));
  }

  std::vector<std::string> names;    // "process 7 program", "thread 7 8 work;er"
  std::vector<std::string> notes;    // names of instants, at which time and on which track
  std::vector<std::string> samples;  // "EVENT TIME pid/tid count N: outermost < ... < innermost"

 private:
  using Table = std::map<std::string, std::string>;  // by ID

  static std::string value(const Fields& fields, uint64_t field) {
    std::vector<std::string> all = all_of(fields, field);
    return all.empty() ? "" : all.front();
  }

  void read(const Fields& packet) {
    std::string sequence = value(packet, 10);
    EXPECT_NE(sequence, "") << "each packet belongs to a sequence";
    for (const std::string& track : all_of(packet, 60))
      tracks_[value(fields_of(track), 1)] = value(fields_of(track), 2);
    for (const std::string& data : all_of(packet, 11)) {
      Fields event = fields_of(data);
      EXPECT_EQ(value(event, 9), "3") << "an instant";
      notes.push_back(value(packet, 8) + " " + tracks_.at(value(event, 11)) + ": " + value(event, 23));
    }
    for (const std::string& tree : all_of(packet, 2)) read_names(fields_of(tree));
    for (const std::string& defaults : all_of(packet, 59)) {
      EXPECT_EQ(value(packet, 13), "1") << "the first packet clears the state";
      std::string timebase = value(fields_of(value(fields_of(defaults), 12)), 1);
      events_[sequence] = value(fields_of(timebase), 10);
    }
    for (const std::string& data : all_of(packet, 12)) read_interned(sequence, fields_of(data));
    for (const std::string& sample : all_of(packet, 66)) read_sample(sequence, packet, fields_of(sample));
  }

  void read_names(const Fields& tree) {
    for (const std::string& each : all_of(tree, 1))
      names.push_back("process " + value(fields_of(each), 1) + " " + value(fields_of(each), 3));
    for (const std::string& each : all_of(tree, 2)) {
      Fields thread = fields_of(each);
      names.push_back("thread " + value(thread, 3) + " " + value(thread, 1) + " " + value(thread, 2));
    }
  }

  void read_interned(const std::string& sequence, const Fields& data) {
    for (uint64_t table : {5, 16, 17}) {
      for (const std::string& each : all_of(data, table))
        tables_[sequence][table][value(fields_of(each), 1)] = value(fields_of(each), 2);
    }
    for (uint64_t table : {6, 7, 19}) {
      for (const std::string& each : all_of(data, table)) {
        auto [entry, is_new] = tables_[sequence][table].emplace(value(fields_of(each), 1), each);
        EXPECT_TRUE(is_new) << "an entry is written once";
      }
    }
  }

  // Returns "function (path+address)".
  std::string frame_text(std::map<uint64_t, Table>& tables, const std::string& id) {
    Fields frame = fields_of(tables[6].at(id));
    Fields mapping = fields_of(tables[19].at(value(frame, 3)));
    EXPECT_EQ(tables[16].at(value(mapping, 2)).size(), 20u) << "the build ID in bytes";
    return tables[5].at(value(frame, 2)) + " (" + tables[17].at(value(mapping, 7)) + "+" + value(frame, 4) +
           ")";
  }

  void read_sample(const std::string& sequence, const Fields& packet, const Fields& sample) {
    EXPECT_EQ(value(packet, 13), "2") << "samples need the tables";
    std::map<uint64_t, Table>& tables = tables_[sequence];
    std::string text = events_.at(sequence) + " " + value(packet, 8) + " " + value(sample, 2) + "/" +
                       value(sample, 3) + " count " + value(sample, 6) + ":";
    for (const std::string& frame : all_of(fields_of(tables[7].at(value(sample, 4))), 2))
      text += " " + frame_text(tables, frame);
    samples.push_back(text);
  }

  Table tracks_;                                             // names, by UUID
  std::map<std::string, std::string> events_;                // by sequence
  std::map<std::string, std::map<uint64_t, Table>> tables_;  // by sequence and field
};

TEST(PerfettoTrace, HasEachSampleWithItsStack) {
  TestProfile test;
  PerfettoTrace trace(test.selection());
  EXPECT_THAT(trace.names, ElementsAre("process 7 program", "thread 7 7 program", "thread 7 8 work;er"));
  EXPECT_THAT(
      trace.samples,
      ElementsAre("l1_cache_miss 0 7/7 count 10: main (/no/program+272) work<int, long> (/no/program+528)",
                  "l1_cache_miss 1000 7/7 count 30: main (/no/program+272) work<int, long> (/no/program+544)",
                  "l1_cache_miss 3000000 7/8 count 35: (2) a;b\\x0a\"c\" \xef\xbf\xbd (/no/program+768)",
                  "cpu/mem-loads,ldlat=30/ 1500 7/7 count 3: main (/no/program+272) work<int, long> "
                  "(/no/program+544)"));
}

TEST(PerfettoTrace, ReportsThatTimesAreModelledCycles) {
  TestProfile test;
  EXPECT_THAT(PerfettoTrace(test.selection()).notes, ElementsAre()) << "times of the clock";
  for (size_t i = 0; i < test.rows.size(); ++i) test.profile.samples.run_cycles.set(i, 50 + 7 * i);
  std::string note = kCyclesNote;
  EXPECT_THAT(PerfettoTrace(test.selection()).notes, ElementsAre("0 " + note + ": " + note));
}

TEST(PerfettoTrace, ProcessesHaveTheirFullNames) {
  TestProfile test;
  test.profile.threads[0] = {7, 7, "x86_64-linux-gn", "x86_64-linux-gnu-g++-12"};
  test.profile.threads[1] = {7, 8, "worker", "x86_64-linux-gnu-g++-12"};
  EXPECT_THAT(PerfettoTrace(test.selection()).names,
              ElementsAre("process 7 x86_64-linux-gnu-g++-12", "thread 7 7 x86_64-linux-gnu-g++-12",
                          "thread 7 8 worker"));
}

}  // namespace
}  // namespace hm::exports
