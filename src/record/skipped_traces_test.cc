// SPDX-License-Identifier: MIT
#include "record/skipped_traces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/aux.h"
#include "record/example_reading.h"

namespace hm::record {
namespace {

using example::Found;
using example::pipe_with;
using example::read_all;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr size_t kTraceBytes = 1000;

// Returns a record with the kind of trace, and `pieces` of the trace, each before a FINISHED_ROUND.
ByteWriter trace(uint32_t kind, int pieces) {
  ByteWriter out;
  ByteWriter info;
  info.u32(kind);
  info.u32(0);
  EXPECT_TRUE(append_record(out, kAuxtraceInfo, 0, info.bytes()).ok());
  std::vector<std::byte> bytes(kTraceBytes, std::byte{0xff});
  for (int piece = 0; piece < pieces; ++piece) {
    ByteWriter payload;
    encode_auxtrace({.size_bytes = kTraceBytes}, payload);
    EXPECT_TRUE(append_record(out, kAuxtrace, 0, payload.bytes()).ok());
    out.append(bytes);
    EXPECT_TRUE(append_record(out, kFinishedRound, 0, {}).ok());
  }
  return out;
}

TEST(SkippedTraces, AreANoteAndNoProblem) {
  Found found = read_all(pipe_with(trace(1, 2).bytes()));
  EXPECT_THAT(found.kinds, ElementsAre("HEADER_ATTR", "HEADER_ATTR", "AUXTRACE_INFO", "AUXTRACE",
                                       "FINISHED_ROUND", "AUXTRACE", "FINISHED_ROUND"));
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("2000 bytes of Intel PT trace were skipped")));
}

TEST(SkippedTraces, NameTheirKind) {
  EXPECT_THAT(read_all(pipe_with(trace(3, 1).bytes())).notes, ElementsAre(HasSubstr("CoreSight")));
  EXPECT_THAT(read_all(pipe_with(trace(4, 1).bytes())).notes, ElementsAre(HasSubstr("ARM SPE")));
  EXPECT_THAT(read_all(pipe_with(trace(999, 1).bytes())).notes, ElementsAre(HasSubstr("hardware trace")));
  EXPECT_THAT(read_all(pipe_with({})).notes, IsEmpty());
}

TEST(SkippedTraces, MayBeCutOff) {
  ByteWriter whole = trace(1, 1);
  Found cut = read_all(pipe_with(whole.bytes().first(whole.size() - 100)));
  EXPECT_THAT(cut.problems, ElementsAre(HasSubstr("inside the 1000 bytes of the AUXTRACE")));
}

}  // namespace
}  // namespace hm::record
