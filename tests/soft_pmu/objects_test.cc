// SPDX-License-Identifier: MIT
// The missed objects: tests/programs/objects.c and classes.cc document the objects they miss on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "running.h"

namespace hm::soft_pmu_test {
namespace {

using ::testing::StartsWith;

// The row with the most samples.
struct Top {
  std::string object, field, type;
  double share = 0;
};

Top top_of(const Words& command) {
  TemporaryFolder folder;
  std::string path = folder.file("perf.data");
  Outcome recorded =
      hardmeter(Words{"record", "-q", "--cpu", "zen4", "-e", "l1_cache_miss", "-c", "100", "-o", path} +
                soft_pmu() + Words{"--"} + command);
  EXPECT_EQ(recorded.status, 0) << recorded.err;
  Outcome reported = hardmeter({"report", "--json", "-i", path, "--sort", "object,field,type"});
  EXPECT_EQ(reported.status, 0) << reported.err;
  nlohmann::json json = nlohmann::json::parse(reported.out, nullptr, false);
  if (json.is_discarded() || json["rows"].empty()) return {};
  const nlohmann::json& row = json["rows"][0];
  double samples = row["counts"]["l1_cache_miss"];
  double all = json["events"]["l1_cache_miss"]["samples"];
  return {row["object"], row["field"], row["type"], samples / all};
}

Top objects(const std::string& variant, const Words& arguments) {
  return top_of(Words{program("objects" + variant)} + arguments);
}

TEST(Objects, AFieldOfAGlobalArray) {
  for (std::string variant : {"", "_slow", "_static"}) {
    SCOPED_TRACE(variant);
    Top top = objects(variant, {"global"});
    EXPECT_EQ(top.object, "global orders (objects" + variant + ")");
    EXPECT_EQ(top.field, "orders[].lines[].price");
    EXPECT_EQ(top.type, "struct order");
    EXPECT_GT(top.share, 0.9);
  }
}

TEST(Objects, AnArrayOnTheStack) {
  for (std::string variant : {"", "_slow", "_static"}) {
    SCOPED_TRACE(variant);
    Top top = objects(variant, {"stack"});
    EXPECT_EQ(top.object, "stack of main");
    EXPECT_EQ(top.field, "buffer[] (use_stack)");
    EXPECT_EQ(top.type, "long int");
    EXPECT_GT(top.share, 0.9);
  }
}

TEST(Objects, TheCallersStackThroughAPointer) {
  Top top = objects("", {"caller"});
  EXPECT_EQ(top.object, "stack of main");
  EXPECT_EQ(top.field, "long int");
  EXPECT_GT(top.share, 0.85);
}

TEST(Objects, AFieldThroughAPointer) {
  for (std::string variant : {"", "_slow", "_static"}) {
    SCOPED_TRACE(variant);
    Top top = objects(variant, {"pointer"});
    EXPECT_THAT(top.object, StartsWith("heap block of allocate (objects.c:"));
    EXPECT_EQ(top.field, "struct order.next");
    EXPECT_EQ(top.type, "struct order");
    EXPECT_GT(top.share, 0.85);
  }
}

TEST(Objects, WithoutDebugInformationTheObjectAlone) {
  Top global = objects("_plain", {"global"});
  EXPECT_EQ(global.object, "global orders (objects_plain)");
  EXPECT_EQ(global.field, "[unknown]");
  EXPECT_EQ(global.type, "[unknown]");
  Top pointer = objects("_plain", {"pointer"});
  EXPECT_EQ(pointer.object, "heap block of main");  // main's `allocate` is inlined, or unnamed
  EXPECT_EQ(pointer.field, "[unknown]");
}

TEST(Objects, AThreadsStack) {
  Top top = objects("", {"thread"});
  EXPECT_THAT(top.object, StartsWith("stack of worker ("));
  EXPECT_EQ(top.field, "buffer[] (use_stack)");
  EXPECT_GT(top.share, 0.9);
}

TEST(Objects, AMappedFile) {
  TemporaryFolder folder;
  std::string path = folder.file("data");
  Top top = objects("", {"file", path});
  EXPECT_EQ(top.object, "file " + path);
  EXPECT_EQ(top.type, "char");
  EXPECT_GT(top.share, 0.9);
}

TEST(Objects, MemoryWhereAFileWas) {
  TemporaryFolder folder;
  Top top = objects("", {"reuse", folder.file("data")});
  EXPECT_EQ(top.object, "anonymous memory");
  EXPECT_GT(top.share, 0.9);
}

TEST(Objects, MembersOfClasses) {
  const std::vector<std::pair<std::string, std::string>> expected = {{"base", "shop::cells[].id"},
                                                                     {"member", "shop::cells[].at.y"},
                                                                     {"grid", "shop::cells[].grid[][]"},
                                                                     {"bits", "shop::cells[].low|high"}};
  for (const auto& [what, field] : expected) {
    SCOPED_TRACE(what);
    Top top = top_of({program("classes"), what});
    EXPECT_EQ(top.object, "global shop::cells (classes)");
    EXPECT_EQ(top.field, field);
    EXPECT_EQ(top.type, "shop::Cell<double>");
    EXPECT_GT(top.share, 0.85);
  }
}

TEST(Objects, ThroughAnIterator) {
  Top top = top_of({program("classes"), "iterator"});
  EXPECT_EQ(top.field, "shop::Cell<double>.value");
  EXPECT_GT(top.share, 0.8);
}

}  // namespace
}  // namespace hm::soft_pmu_test
