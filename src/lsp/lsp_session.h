// SPDX-License-Identifier: MIT
// A session of the Language Server Protocol: takes an editor's messages, and sends answers and diagnostics.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/query/load.h"
#include "base/mutex.h"
#include "base/result.h"
#include "lsp/notes.h"
#include "rpc/rpc_message.h"
#include "rpc/worker.h"

namespace hm::lsp {

// Reads a recording, as read_notes() does. Called in another thread.
using Reader = std::function<Result<Notes>(const std::string& recording)>;

class Session {
 public:
  struct Options {
    std::string version;    // of this program
    std::string recording;  // empty: hardmeter.data or perf.data in the workspace's folder
    Reader read;
    std::function<void(const std::string& message)> send;  // sends a message, without a header
  };

  explicit Session(Options options) : options_(std::move(options)) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void receive(std::string_view text);
  void refuse_long_message();
  // Reads the recording if it has changed and nothing writes to it any more, and shows one that was read.
  // Call it ten times a second.
  void look();

  // The exit status, after the editor's `exit`.
  [[nodiscard]] std::optional<int> exit_status() const { return exit_status_; }

 private:
  struct Document {
    std::string path;  // without links
    std::string text;
  };
  // What identifies a version of the recording.
  struct Version {
    std::string path;
    uint64_t inode = 0, bytes = 0;
    int64_t seconds = 0, ns = 0;  // time of the last change
    bool operator==(const Version&) const = default;
  };

  void answer(const rpc::Message& request);
  void obey(const rpc::Message& notification);
  void initialize(const rpc::Message& request);
  void answer_about_document(const rpc::Message& request);
  [[nodiscard]] std::string lenses(const Document& document) const;
  [[nodiscard]] std::string hover(const Document& document, const nlohmann::json& params) const;
  void publish(const std::string& uri);
  void take_document(const std::string& uri, const std::string& text);
  // Returns nullptr if there are no notes.
  [[nodiscard]] const std::map<uint32_t, Note>* notes_of(const Document& document) const;

  [[nodiscard]] std::optional<Version> version_now() const;
  void tell_missing();
  void start_reading(const Version& version);
  void show_what_was_read();

  Options options_;
  bool initialized_ = false, shut_down_ = false;
  bool refreshes_ = false, markdown_ = false;  // capabilities of the editor
  std::optional<int> exit_status_;
  int next_id_ = 0;                            // of requests to the editor
  std::map<std::string, Document> documents_;  // open ones, by URI
  Notes notes_;
  std::optional<Version> seen_, shown_, reading_;
  bool told_missing_ = false;
  std::vector<rpc::Message> waiting_;                        // requests that the first recording will answer
  Mutex mutex_;                                              // guards `read_`
  std::optional<Result<Notes>> read_ HM_GUARDED_BY(mutex_);  // by the worker
  rpc::Worker worker_;
};

}  // namespace hm::lsp
