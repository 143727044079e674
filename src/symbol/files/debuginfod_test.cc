// SPDX-License-Identifier: MIT
// Runs a debug file server in this process that answers, refuses, or stays silent.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "base/temporary_folder.h"
#include "base/unique_fd.h"
#include "symbol/files/dso.h"
#include "symbol/files/test_subjects.h"

namespace hm::symbol {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kStrippedProgram = subject("subject.stripped");
constexpr const char* kPush = "subject::Stack<long>::push(long const&)";

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The part of HTTP/1.1 that the client needs: GET of one path, one answer per connection.
class Server {
 public:
  enum class Manner { kAnswers, kSaysNothing };

  // `body` is the answer for `path`; other paths get 404.
  Server(Manner manner, std::string path, std::string body)
      : manner_(manner), path_(std::move(path)), body_(std::move(body)) {
    listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_.get(), generic, size), 0);
    EXPECT_EQ(::listen(listener_.get(), 8), 0);
    EXPECT_EQ(::getsockname(listener_.get(), generic, &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~Server() {
    ::shutdown(listener_.get(), SHUT_RDWR);  // makes accept() fail
    thread_.join();
  }

  [[nodiscard]] std::string url() const { return fmt::format("http://127.0.0.1:{}", port_); }
  [[nodiscard]] int connections() const { return connections_; }

 private:
  void serve() {
    std::vector<UniqueFd> silent;  // closed at the end
    while (true) {
      UniqueFd connection(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!connection.valid()) return;
      ++connections_;
      if (manner_ == Manner::kSaysNothing)
        silent.push_back(std::move(connection));
      else
        answer(connection);
    }
  }

  void answer(const UniqueFd& connection) {
    std::string request(4096, '\0');
    ssize_t size = ::recv(connection.get(), request.data(), request.size(), 0);
    request.resize(size > 0 ? static_cast<size_t>(size) : 0);
    bool found = request.starts_with("GET " + path_ + " ");
    const std::string& body = found ? body_ : std::string();
    std::string text = fmt::format("HTTP/1.1 {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                                   found ? "200 OK" : "404 Not Found", body.size()) +
                       body;
    for (size_t sent = 0; sent < text.size();) {
      ssize_t now = ::send(connection.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (now <= 0) return;
      sent += static_cast<size_t>(now);
    }
  }

  Manner manner_;
  std::string path_;
  std::string body_;
  UniqueFd listener_;
  uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::thread thread_;
};

class DebuginfodTest : public testing::Test {
 protected:
  void SetUp() override {
    void* library = ::dlopen("libdebuginfod.so.1", RTLD_LAZY);
    if (library == nullptr) GTEST_SKIP() << "libdebuginfod.so.1 is not installed";
    ::dlclose(library);
    ::setenv("DEBUGINFOD_CACHE_PATH", folder_.file("cache").c_str(), 1);
    ::setenv("no_proxy", "127.0.0.1", 1);
    Dso whole(subject("subject"), "");
    build_id_ = whole.elf()->build_id();
    start_ = symbol_of(whole, "_ZN7subject5StackIlE4pushERKl").start;
    offset_ = whole.elf()->offset_of_address(start_).value_or(0);
  }
  void TearDown() override {
    ::unsetenv("DEBUGINFOD_URLS");
    ::unsetenv("DEBUGINFOD_CACHE_PATH");
  }

  [[nodiscard]] std::string path() const { return fmt::format("/buildid/{}/debuginfo", build_id_); }
  // No local folder has any file. The default timeout is longer than any delay on a slow host.
  [[nodiscard]] DebugFiles::Options options(milliseconds patience = std::chrono::minutes(10)) const {
    return {.root = folder_.file("root"), .patience = patience};
  }

  TemporaryFolder folder_;
  std::string build_id_;
  uint64_t start_ = 0;   // address of the function to look up
  uint64_t offset_ = 0;  // offset of the function in the file
};

TEST_F(DebuginfodTest, FetchesWhatNoFolderHas) {
  Server server(Server::Manner::kAnswers, path(), content_of(subject("subject.debug")));
  ::setenv("DEBUGINFOD_URLS", server.url().c_str(), 1);
  DebugFiles files(options());
  EXPECT_EQ(Dso(kStrippedProgram, "", files).function_at(offset_).name, kPush);
  EXPECT_EQ(server.connections(), 1);
  EXPECT_THAT(files.problems(), IsEmpty());
}

TEST_F(DebuginfodTest, FetchesByBuildIdAlone) {
  Server server(Server::Manner::kAnswers, path(), content_of(subject("subject.debug")));
  ::setenv("DEBUGINFOD_URLS", server.url().c_str(), 1);
  DebugFiles files(options());
  std::string file = files.file_of_build(build_id_);
  EXPECT_EQ(content_of(file), content_of(subject("subject.debug")));
  EXPECT_EQ(files.file_of_build("abcdef"), "");
  EXPECT_EQ(server.connections(), 2);
  EXPECT_EQ(files.file_of_build("../../etc/passwd"), "");
  EXPECT_EQ(files.file_of_build(""), "");
  EXPECT_EQ(server.connections(), 2);
  EXPECT_THAT(files.problems(), IsEmpty());
}

TEST_F(DebuginfodTest, FetchesSources) {
  std::string path = fmt::format("/buildid/{}/source/build/x/p.c", build_id_);
  Server server(Server::Manner::kAnswers, path, "int main(void) {}\n");
  ::setenv("DEBUGINFOD_URLS", server.url().c_str(), 1);
  DebugFiles files(options());
  EXPECT_EQ(content_of(files.servers().fetch_source(build_id_, "/build/x/p.c")), "int main(void) {}\n");
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(files.servers().fetch_source(build_id_, "p.c"), "");
  EXPECT_EQ(files.servers().fetch_source("", "/build/x/p.c"), "");
  EXPECT_EQ(files.servers().fetch_source("no build ID", "/build/x/p.c"), "");
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(DebuginfodTest, AsksNothingWhereTheVariableIsUnset) {
  Server server(Server::Manner::kAnswers, path(), content_of(subject("subject.debug")));
  DebugFiles files(options());
  EXPECT_FALSE(Dso(kStrippedProgram, "", files).function_at(offset_).named);
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(DebuginfodTest, AServerWithoutTheFileIsNoProblem) {
  Server server(Server::Manner::kAnswers, "/nothing", "");
  ::setenv("DEBUGINFOD_URLS", server.url().c_str(), 1);
  DebugFiles files(options());
  Function function = Dso(kStrippedProgram, "", files).function_at(offset_ + 1);
  EXPECT_FALSE(function.named);
  EXPECT_EQ(function.start, start_);
  EXPECT_EQ(server.connections(), 1);
  EXPECT_THAT(files.problems(), IsEmpty());
}

TEST_F(DebuginfodTest, AServerThatRefusesIsSaidOnce) {
  std::string url = Server(Server::Manner::kAnswers, "/", "").url();  // its listening socket is closed
  ::setenv("DEBUGINFOD_URLS", url.c_str(), 1);
  DebugFiles files(options());
  (void)Dso(kStrippedProgram, "", files).symbols();
  (void)Dso(subject("library.stripped"), "", files).symbols();
  EXPECT_THAT(files.problems(), ElementsAre(HasSubstr(url)));
}

TEST_F(DebuginfodTest, AServerThatSaysNothingCostsItsPatienceOnce) {
  Server server(Server::Manner::kSaysNothing, "", "");
  ::setenv("DEBUGINFOD_URLS", server.url().c_str(), 1);
  DebugFiles files(options(milliseconds(500)));
  EXPECT_FALSE(Dso(kStrippedProgram, "", files).symbols().empty());
  EXPECT_THAT(files.problems(), ElementsAre(HasSubstr("nothing came for 0.5 s")));
  EXPECT_FALSE(Dso(subject("library.stripped"), "", files).symbols().empty());
  EXPECT_THAT(files.problems(), testing::SizeIs(1));
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(DebuginfodTest, WhatWasFetchedBeforeNeedsNoServer) {
  {
    Server server(Server::Manner::kAnswers, path(), content_of(subject("subject.debug")));
    ::setenv("DEBUGINFOD_URLS", server.url().c_str(), 1);
    DebugFiles files(options());
    EXPECT_TRUE(Dso(kStrippedProgram, "", files).function_at(offset_).named);
  }
  DebugFiles files(options());
  EXPECT_TRUE(Dso(kStrippedProgram, "", files).function_at(offset_).named);
  EXPECT_THAT(files.problems(), IsEmpty());
}

}  // namespace
}  // namespace hm::symbol
