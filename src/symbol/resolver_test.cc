// SPDX-License-Identifier: MIT
#include "symbol/resolver.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "symbol/file_resolver.h"
#include "symbol/files/test_subjects.h"

namespace hm::symbol {
namespace {

TEST(FileResolver, OpensEachObjectOnce) {
  FileResolver resolver;
  const Object& first = resolver.object("/a", "");
  EXPECT_EQ(&first, &resolver.object("/a", ""));
  EXPECT_NE(&first, &resolver.object("/a", "00"));
}

TEST(FileResolver, SaysWhyNothingIsKnown) {
  FileResolver resolver;
  const Object& object = resolver.object("/no/such/file", "");
  ASSERT_TRUE(object.problem().has_value());
  EXPECT_THAT(object.problem()->message, testing::HasSubstr("/no/such/file"));
  EXPECT_EQ(object.function_at(0x10).name, "[file, not found]");
  EXPECT_FALSE(object.code(0x10, 1).ok());
  EXPECT_EQ(object.frame_rule(0x10), nullptr);
  EXPECT_FALSE(object.accessed_field(0x10, false).has_value());
  EXPECT_EQ(resolver.object(subject("subject"), "").problem(), std::nullopt);
}

TEST(FileResolver, GivesSourceText) {
  FileResolver resolver;
  std::string file = std::string(test_paths::kSource) + "/src/symbol/resolver_test.cc";
  EXPECT_EQ(resolver.source_text(file, 1, ""), "// SPDX-License-Identifier: MIT");
  EXPECT_EQ(resolver.source_text(file, 1000000, ""), std::nullopt);
}

// All lookups of one type description return the same object.
TEST(FileResolver, GivesTheSameLayoutForTheSameType) {
  FileResolver resolver;
  Dso dso(subject("data"), "");
  const Object& object = resolver.object(subject("data"), "");
  Symbol price_of = symbol_of(dso, "price_of");
  std::optional<DescribedField> field;
  for (uint64_t byte = 0; byte < price_of.size && !field; ++byte)
    field = object.accessed_field(price_of.start + byte, false);
  ASSERT_TRUE(field.has_value());
  EXPECT_EQ(field->element->name + field->field.path, "struct data_order.lines[].price");
}

// Returns the results of all lookups for an address, as text.
std::string answer(const Resolver& resolver, const std::string& path, uint64_t address) {
  const Object& object = resolver.object(path, "");
  Function function = object.function_at(address);
  std::string text = fmt::format("{} {} {}\n", function.name, function.start, function.size);
  for (const Frame& frame : object.frames_at(address))
    text += fmt::format("{} {}:{}\n", frame.function, frame.file, frame.line);
  text += fmt::format("line {}\n", object.line_at(address).line);
  Predecessors predecessors = object.predecessors_at(address);
  text += fmt::format("{} ways, undetermined {}\n", predecessors.arrivals.size(),
                      predecessors.undetermined ? static_cast<int>(*predecessors.undetermined) : -1);
  const FrameRule* rule = object.frame_rule(address);
  text += fmt::format("frame {}\n", rule == nullptr ? -1 : rule->cfa.offset_bytes);
  if (std::optional<DescribedField> field = object.accessed_field(address, false))
    text += fmt::format("{}{} of {} bytes\n", field->element->name, field->field.path, field->element->size);
  if (std::optional<DataObject> data = object.data_at(address)) text += data->name;
  return text;
}

struct Question {
  std::string path;
  uint64_t address = 0;
};

std::vector<Question> questions() {
  std::vector<Question> all;
  for (const char* name : {"subject", "subject.stripped", "data", "classes", "library.stripped"}) {
    Dso dso(subject(name), "");
    for (const ElfModule::Code& code : dso.elf()->code_segments()) {
      for (uint64_t offset = 0; offset < std::min<uint64_t>(code.bytes.size(), 1200); ++offset)
        all.push_back({dso.path(), code.address + offset});
    }
  }
  return all;
}

TEST(FileResolver, ManyThreadsGetWhatOneGets) {
  constexpr size_t kThreads = 4;
  const std::vector<Question> all = questions();
  const FileResolver alone;
  std::vector<std::string> expected;
  expected.reserve(all.size());
  for (const Question& each : all) expected.push_back(answer(alone, each.path, each.address));
  const FileResolver shared;
  std::vector<size_t> wrong(kThreads);
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::vector<size_t> order(all.size());
      for (size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::ranges::shuffle(order, std::mt19937(static_cast<unsigned>(thread)));
      for (size_t i : order) wrong[thread] += answer(shared, all[i].path, all[i].address) != expected[i];
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, testing::Each(0u));
}

}  // namespace
}  // namespace hm::symbol
