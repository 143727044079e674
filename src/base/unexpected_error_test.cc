// SPDX-License-Identifier: MIT
#include "base/unexpected_error.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <string>

#include "base/parallel.h"

namespace hm {
namespace {

TEST(UnexpectedError, SaysThatItIsInternalAndWhatToReport) {
  std::string message = unexpected_error(std::out_of_range("vector::at")).message;
  EXPECT_TRUE(message.starts_with("internal error in process " + std::to_string(::getpid()) + ": "))
      << message;
  EXPECT_NE(message.find("std::out_of_range (vector::at)"), std::string::npos) << message;
  EXPECT_NE(message.find("hardmeter doctor"), std::string::npos) << message;
}

TEST(UnexpectedError, OfLackingMemoryIsNotInternal) {
  EXPECT_EQ(unexpected_error(std::bad_alloc()).message, "not enough memory");
}

TEST(UnexpectedError, ReplacesWhatThrows) {
  EXPECT_TRUE(without_exceptions([] { return Status(); }).ok());
  Result<int> thrown = without_exceptions([]() -> Result<int> { throw std::runtime_error("gone"); });
  ASSERT_FALSE(thrown.ok());
  EXPECT_NE(thrown.error().message.find("std::runtime_error (gone)"), std::string::npos);
}

TEST(UnexpectedError, OfAWorkerReachesTheCaller) {
  std::atomic<int> done = 0;
  auto task = [&](size_t number) {
    if (number == 3) throw std::runtime_error("task 3");
    ++done;
  };
  for (size_t workers : {1, 4}) EXPECT_THROW(parallel_for(100, workers, task), std::runtime_error);
  EXPECT_LE(done, 2 * 99);
}

}  // namespace
}  // namespace hm
