// SPDX-License-Identifier: MIT
// A running process that is taken over thread by thread, and let go again.
//
// Threads that run are stopped for a moment and sent into the engine. Those that sleep are left alone until
// they run: so no system call of theirs is interrupted. When the process is let go, threads leave the engine
// by themselves; those that sleep in it are moved to where they would sleep natively, and the kernel begins
// their system calls anew. The last to leave waits in the trampoline until the engine's memory is unmapped.
// When it is only paused, that memory stays.
// docs/decisions/29-attached-while-they-run.md
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pmu/soft/inject/address_ranges.h"
#include "pmu/soft/inject/injector.h"
#include "pmu/soft/inject/leftover_lock.h"
#include "pmu/soft/inject/stopped_thread.h"
#include "pmu/soft/inject/trampoline.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

class AttachedProcess {
 public:
  // Both outlive it.
  AttachedProcess(pid_t process, const EngineImage& image, const std::string& session_folder)
      : process_(process), image_(image), session_folder_(session_folder) {}

  // For a child that an attached process has made: the engine is there already. False where it is not, or
  // threads cannot leave it.
  bool adopt();

  // Before the first look(): keeps others from bringing an engine there, and from removing what a killed
  // recorder has left, until a thread is inside. False while another does one of these.
  bool reserve() { return lock_.take(process_); }
  // In place of a first look(): whether a recorder that was killed left the engine there. look() removes it
  // then, as long as removes_leftover() says so.
  bool has_leftover();
  // Removes an engine that a recorder was about to bring when it was killed.
  Status remove_unfinished_engine();

  // Takes over threads that run, or lets go of them. To be called again and again, a millisecond apart. An
  // error: the process cannot be taken over, and is as it was.
  Status look(Session& session);

  // From the next look() on, threads are let go: for good, or until resume().
  void let_go();
  void pause();
  void resume();

  // Whether nothing of the engine is left there: it was let go, or has ended.
  [[nodiscard]] bool is_over() const { return phase_ == Phase::kOver && late_.empty(); }
  // Whether all of it runs natively, as after pause(), until resume().
  [[nodiscard]] bool is_resting() const {
    return (phase_ == Phase::kResting || phase_ == Phase::kOver) && late_.empty();
  }
  // At the first look(): another recorder was killed there.
  [[nodiscard]] bool found_leftover() const { return found_leftover_; }
  // What that has left is still being removed.
  [[nodiscard]] bool removes_leftover() const { return is_leftover_; }
  // Its parent has forked it natively while it was measured, so it has a copy of the engine that nobody
  // can use; once it goes on as another program it can be measured.
  [[nodiscard]] bool is_native_child() const { return is_native_child_; }
  [[nodiscard]] pid_t process() const { return process_; }

 private:
  enum class Place : uint8_t { kNative, kInside, kUnsuitable };
  enum class Phase : uint8_t {
    kMeasuring,
    kPausing,
    kResting,  // all of it runs natively, until resume()
    kLeaving,  // for good
    kOver,     // nothing of the engine is left there
  };

  [[nodiscard]] bool is_engines(uint64_t address) const;
  [[nodiscard]] std::optional<direct::Attachment> read_attachment() const;
  [[nodiscard]] bool is_leaving() const;
  std::optional<StoppedThread> stop(pid_t thread);
  void release_late();
  bool find_trampoline();
  Status find_leftover();
  void begin_anew();
  Status end_measuring(Session& session, const std::vector<pid_t>& threads);
  Status take_over_running(Session& session, const std::vector<pid_t>& threads);
  Status take_over(Session& session, StoppedThread& stopped);
  Status bring_engine(StoppedThread& stopped);
  [[nodiscard]] RangeUse use_of_engines_range() const;
  Status make_room(const RemoteCall& call);
  Status bring_engine_within_limits(StoppedThread& stopped);
  Status enter(Session& session, StoppedThread& stopped);
  void forget_unsent(const std::vector<pid_t>& threads);
  void move_sleepers(const std::vector<pid_t>& threads, const direct::Attachment& attachment);
  void move_out(StoppedThread& stopped, const direct::Attachment& attachment);
  Status send_one_through(Session& session, const std::vector<pid_t>& threads);
  [[nodiscard]] bool is_native(uint64_t address, const direct::ProcessArea& area) const;
  bool runs_natively(pid_t thread, const direct::ProcessArea& area);
  void clear(const std::vector<pid_t>& threads);
  bool unmap_engine(StoppedThread& stopped, const direct::ProcessArea& area, bool waits);

  pid_t process_;
  const EngineImage& image_;
  const std::string& session_folder_;
  LeftoverLock lock_;
  std::map<pid_t, Place> places_;  // of threads that have been looked at
  std::vector<pid_t> late_;        // traced, and to be released when they stop
  std::optional<Trampoline> trampoline_;
  uint32_t taken_over_ = 0;
  bool entered_ = false;  // a thread has been sent in since the process ran natively
  uint32_t looks_without_anybody_ = 0;
  bool looked_ = false;
  bool is_child_ = false;
  Phase phase_ = Phase::kMeasuring;
  bool found_leftover_ = false;
  bool is_leftover_ = false;  // what is let go is another recorder's
  bool is_native_child_ = false;
};

}  // namespace hm::soft
