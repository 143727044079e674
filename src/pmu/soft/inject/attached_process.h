// SPDX-License-Identifier: MIT
// A running process that is taken over thread by thread, and let go later.
//
// Running threads are stopped for a moment and sent into the engine. Sleeping threads are left alone until
// they run, so none of their system calls is interrupted. When the process is let go, threads leave the
// engine by themselves. Threads that sleep in the engine are moved to native code, and the kernel restarts
// their system calls. The last thread to leave waits in the trampoline until the engine's memory is unmapped.
// If the process is only paused, that memory stays.
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
#include "pmu/soft/inject/sandbox.h"
#include "pmu/soft/inject/stopped_thread.h"
#include "pmu/soft/inject/trampoline.h"
#include "pmu/soft/ring/session_layout.h"

namespace hm::soft {

class AttachedProcess {
 public:
  // `image` and `session_folder` must outlive this object.
  AttachedProcess(pid_t process, const EngineImage& image, const std::string& session_folder)
      : process_(process), image_(image), session_folder_(session_folder) {}

  // For a child of an attached process, which already contains the engine. Returns false if there is no
  // engine, or if threads cannot leave it.
  bool adopt();

  // To be called before the first look(). Until a thread is inside, keeps other recorders from loading an
  // engine, and from removing the remains of a killed recorder. Returns false if another recorder is doing
  // so.
  bool reserve() { return lock_.take(process_); }
  // To be called instead of a first look(). Returns true if a killed recorder left its engine in the process.
  // look() then removes that engine, as long as removes_leftover() is true.
  bool has_leftover();
  // Removes the unfinished engine of a recorder that was killed while it loaded the engine.
  Status remove_unfinished_engine();

  // Takes over running threads, or lets threads go. To be called repeatedly, 1 ms apart. Fails if the process
  // cannot be taken over; the process is then unchanged.
  Status look(Session& session);

  // Makes later calls of look() let threads go: let_go() for the rest of the run, pause() until resume().
  void let_go();
  void pause();
  void resume();

  // True if the process contains nothing of the engine, because it was let go or has ended.
  [[nodiscard]] bool is_over() const { return phase_ == Phase::kOver && late_.empty(); }
  // True if the entire process runs natively, as between pause() and resume().
  [[nodiscard]] bool is_resting() const {
    return (phase_ == Phase::kResting || phase_ == Phase::kOver) && late_.empty();
  }
  // True if the first look() found the engine of a killed recorder.
  [[nodiscard]] bool found_leftover() const { return found_leftover_; }
  // True while the remains of that recorder are being removed.
  [[nodiscard]] bool removes_leftover() const { return is_leftover_; }
  // True if the parent forked this process natively while being measured. Its copy of the engine is unusable.
  // The process can be measured after it has executed another program.
  [[nodiscard]] bool is_native_child() const { return is_native_child_; }
  [[nodiscard]] pid_t process() const { return process_; }

 private:
  enum class Place : uint8_t { kNative, kInside, kUnsuitable };
  enum class Phase : uint8_t {
    kMeasuring,
    kPausing,
    kResting,  // the entire process runs natively, until resume()
    kLeaving,  // for the rest of the run
    kOver,     // the process contains nothing of the engine
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
  [[nodiscard]] Result<int> pass_session(StoppedThread& stopped);
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
  Sandbox sandbox_;
  std::map<pid_t, Place> places_;  // of threads that have been examined
  std::vector<pid_t> late_;        // traced threads, to be released when they stop
  std::optional<Trampoline> trampoline_;
  uint32_t taken_over_ = 0;
  bool entered_ = false;  // a thread was sent in since the process last ran natively
  uint32_t looks_without_anybody_ = 0;
  bool looked_ = false;
  bool is_child_ = false;
  Phase phase_ = Phase::kMeasuring;
  bool found_leftover_ = false;
  bool is_leftover_ = false;  // the engine to be removed belongs to another recorder
  bool is_native_child_ = false;
};

}  // namespace hm::soft
