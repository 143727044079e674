// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/qemu_monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

#include "base/unique_fd.h"

namespace hm::soft {
namespace {

using ::testing::HasSubstr;

// A message: a line of its own.
std::string line(const std::string& message) { return message + "\n"; }

const std::string kGreeting = line(R"({"QMP": {"version": {}, "capabilities": []}})"),
                  kDone = line(R"({"return": {}})");

// A socket at whose other end all of QEMU's answers are written before they are asked for.
class FakeQemu {
 public:
  explicit FakeQemu(std::initializer_list<std::string> answers) {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    here_.reset(ends[0]);
    there_.reset(ends[1]);
    for (const std::string& each : answers)
      EXPECT_EQ(::write(there_.get(), each.data(), each.size()), static_cast<ssize_t>(each.size()));
    ::shutdown(there_.get(), SHUT_WR);
  }
  [[nodiscard]] int socket() const { return here_.get(); }
  // What was sent so far.
  [[nodiscard]] std::string received() const {
    std::string text(65536, '\0');
    ssize_t got = ::recv(there_.get(), text.data(), text.size(), MSG_DONTWAIT);
    text.resize(got < 0 ? 0 : static_cast<size_t>(got));
    return text;
  }

 private:
  UniqueFd here_, there_;
};

TEST(QemuMonitor, SavesTheGuestAndLetsItRunOn) {
  FakeQemu qemu({kGreeting, kDone, kDone, kDone, kDone, line(R"({"event": "STOP", "data": {}})"),
                 line(R"({"return": {"status": "active"}})"), line(R"({"return": {"status": "completed"}})"),
                 kDone, kDone});
  EXPECT_TRUE(QemuMonitor(qemu.socket()).save("/a folder/\"state\""));
  std::string sent = qemu.received();
  EXPECT_THAT(sent, HasSubstr(R"("uri":"file:/a folder/\"state\"")"));
  EXPECT_THAT(sent.substr(sent.rfind("query-migrate")), HasSubstr("cont"));
}

TEST(QemuMonitor, LetsTheGuestRunOnIfItCannotBeSaved) {
  FakeQemu qemu(
      {kGreeting, kDone, kDone, kDone, kDone, line(R"({"return": {"status": "failed"}})"), kDone, kDone});
  EXPECT_FALSE(QemuMonitor(qemu.socket()).save("state"));
  EXPECT_THAT(qemu.received(), HasSubstr("cont"));
}

TEST(QemuMonitor, LetsASavedGuestRun) {
  FakeQemu qemu({kGreeting, kDone, line(R"({"return": {"status": "inmigrate", "running": false}})"),
                 line(R"({"return": {"status": "paused", "running": false}})"), kDone});
  EXPECT_TRUE(QemuMonitor(qemu.socket()).run());
  std::string sent = qemu.received();
  EXPECT_THAT(sent.substr(sent.rfind("query-status")), HasSubstr("cont"));
}

TEST(QemuMonitor, FailsIfQemuEndsOrSendsSomethingElse) {
  for (const std::string& answer :
       {std::string(), line("{"), line("[]"), line(R"({"error": {"class": "GenericError"}})")}) {
    FakeQemu qemu({answer});
    EXPECT_FALSE(QemuMonitor(qemu.socket()).save("state")) << answer;
    EXPECT_FALSE(QemuMonitor(FakeQemu({answer}).socket()).run()) << answer;
  }
}

}  // namespace
}  // namespace hm::soft
