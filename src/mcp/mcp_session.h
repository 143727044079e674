// SPDX-License-Identifier: MIT
// A session of the Model Context Protocol: takes a client's messages, and sends answers.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "mcp/tool.h"
#include "rpc/rpc_message.h"
#include "rpc/worker.h"
#include "web/page_recorder.h"

namespace hm::mcp {

class Session {
 public:
  struct Options {
    std::string version;  // of this program
    const std::vector<Tool>& tools;
    web::Recorder& recorder;
    // Sends a message, which is one line. Called by several threads, one at a time.
    std::function<void(const std::string& message)> send;
  };

  explicit Session(Options options) : options_(std::move(options)) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  // Ends the measurements, as Ctrl-C does, and answers the other calls first.
  ~Session();

  // Takes one message, or a batch. Calls of tools continue in other threads.
  void receive(std::string_view text);
  // Refuses a message that is longer than rpc::kMaxMessageBytes.
  void refuse_long_message();

 private:
  struct Running {
    std::atomic<bool> ends{false};       // a measurement should end
    std::atomic<bool> cancelled{false};  // the client does not want the result
  };

  void send(const std::string& message);
  void refuse(const rpc::Refusal& refusal);
  void take(const rpc::Message& message);
  void answer(const rpc::Message& request);
  void start_call(const rpc::Message& request);
  void make_call(const Tool& tool, const rpc::Message& request, Running& running);
  void cancel(const nlohmann::json& params);

  Options options_;
  Mutex sending_;
  bool initialized_ = false;
  Mutex mutex_;                                                                    // guards `running_`
  std::map<std::string, std::shared_ptr<Running>> running_ HM_GUARDED_BY(mutex_);  // by ID, as JSON
  rpc::Worker queries_, runs_;  // a query need not wait for the end of a measurement
};

}  // namespace hm::mcp
