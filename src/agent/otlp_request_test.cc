// SPDX-License-Identifier: MIT
#include "agent/otlp_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/otlp_export.h"

namespace hm::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

store::Batch otlp_example() {
  store::Batch batch{"id", "host-1", 1'700'000'000, {}};
  store::Series series{"db.service", "beef", "l1_cache_miss", "hardware", "instructions"};
  batch.rows.push_back({series, true, {}, 3, 300, 5000});
  store::CodeLocation place{"cafe", "libdb.so", 0x1234, "scan", "scan.c", 7, "conflict", "heap\xff"};
  batch.rows.push_back({series, false, place, 3, 300, 5000});
  return batch;
}

// Whole requests are decoded by tests/cli/agent_exports.sh.
TEST(OtlpRequest, HasTheNamesOfABatchInUtf8) {
  std::string request = otlp_request(otlp_example(), 1'000'000'000, "1.2");
  for (const char* text :
       {"host-1", "db.service", "beef", "cafe", "libdb.so", "scan", "scan.c", "hardmeter.miss_class",
        "conflict", "hardmeter.object", "heap\xef\xbf\xbd", "l1_cache_miss_samples"})
    EXPECT_THAT(request, HasSubstr(text));
  EXPECT_THAT(request, Not(HasSubstr("instructions")));
}

TEST(OtlpRequest, OfNothingHasEmptyEntriesAlone) {
  EXPECT_EQ(otlp_request({}, 0, ""), std::string("\x12\x0e\x0a\0\x12\0\x1a\0\x22\0\x2a\0\x32\0\x3a\0", 16));
}

TEST(OtlpUrl, IsOfHttpAndHasNoSecretInIt) {
  for (const char* url : {"http://localhost:4318/v1development/profiles", "https://collector/a@b"})
    EXPECT_TRUE(check_otlp_url(url)) << url;
  for (const char* url :
       {"", "collector:4318", "file:///etc/passwd", "http://a b/", "https://me:secret@collector/"})
    EXPECT_FALSE(check_otlp_url(url)) << url;
  EXPECT_THAT(check_otlp_url("https://me:secret@collector/").error().message, Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace hm::agent
