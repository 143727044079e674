// SPDX-License-Identifier: MIT
// The C API's functions. Internal functions return Result; the API returns -1, errno and a sentence.
#include "hardmeter/hardmeter.h"

#include <fmt/format.h>

#include <cerrno>
#include <string>

#include "capi/counter.h"
#include "capi/last_error.h"
#include "capi/recorder_link.h"
#include "capi/regions.h"
#include "capi/templates.h"
#include "event/hardware/pfm.h"

using namespace hm;

struct hardmeter_counter {
  std::unique_ptr<capi::Counter> counter;
};

namespace {

const bool program_is_not_ours = (event::leave_environment_alone(), true);

int without_counter() { return capi::failure(EINVAL, "the counter is NULL"); }

// A missing target is ESRCH, as in kill(2).
int open_failure(const Error& error) {
  return capi::failure(error.code == ErrorCode::kNotFound ? ESRCH : capi::errno_of(error.code),
                       error.message);
}

int open_counter(const hardmeter_template* chosen, hardmeter_target target, int id,
                 const hardmeter_options* options, hardmeter_counter*& opened) {
  const event::EventTemplate* event = capi::Templates::get().event_of(chosen);
  if (event == nullptr || options == nullptr)
    return capi::failure(EINVAL, "hardmeter_open needs a template that is not a heading, and options");
  if (capi::send_to_engine(soft::RegionOperation::kAsk, "") != soft::RegionAnswer::kNoEngine)
    return capi::failure(
        ENOTSUP, "the software PMU runs this program: only hardmeter_start and hardmeter_stop work under it");
  auto counter = capi::Counter::open(*event, target, id, *options);
  if (!counter) return open_failure(counter.error());
  opened = new hardmeter_counter{*std::move(counter)};
  return 0;
}

}  // namespace

extern "C" {

int hardmeter_start(const char* resource_name) {
  return capi::guarded([&]() -> int {
    if (resource_name == nullptr) return capi::failure(EINVAL, "hardmeter_start needs a name");
    std::string name = resource_name;
    if (capi::is_started(name))
      return capi::failure(EBUSY, fmt::format("this thread has started '{}' already; stop it first", name));
    return capi::status_of(capi::start(name));
  });
}

int hardmeter_stop(void) {
  return capi::guarded([] { return capi::status_of(capi::stop()); });
}

const char* hardmeter_error(void) { return capi::last_error(); }

const struct hardmeter_template* hardmeter_templates(size_t* count) {
  const hardmeter_template* first = nullptr;
  if (count != nullptr) *count = 0;
  (void)capi::guarded([&] {
    const auto& all = capi::Templates::get().all();
    first = all.data();
    if (count != nullptr) *count = all.size();
    return 0;
  });
  return first;
}

const struct hardmeter_template* hardmeter_find_template(const char* name) {
  const hardmeter_template* found = nullptr;
  (void)capi::guarded([&] {
    found = name == nullptr ? nullptr : capi::Templates::get().find(name);
    return found != nullptr
               ? 0
               : capi::failure(ENOENT, fmt::format("unknown event '{}'", name == nullptr ? "" : name));
  });
  return found;
}

struct hardmeter_counter* hardmeter_open(const struct hardmeter_template* event, enum hardmeter_target target,
                                         int id, const struct hardmeter_options* options) {
  hardmeter_counter* opened = nullptr;
  (void)capi::guarded([&] { return open_counter(event, target, id, options, opened); });
  return opened;
}

int hardmeter_enable(struct hardmeter_counter* counter) {
  if (counter == nullptr) return without_counter();
  counter->counter->enable();
  return 0;
}

int hardmeter_disable(struct hardmeter_counter* counter) {
  if (counter == nullptr) return without_counter();
  counter->counter->disable();
  return 0;
}

int hardmeter_read(struct hardmeter_counter* counter, struct hardmeter_count* count) {
  if (counter == nullptr || count == nullptr) return without_counter();
  return capi::guarded([&] {
    *count = counter->counter->read();
    return 0;
  });
}

int hardmeter_next_sample(struct hardmeter_counter* counter, struct hardmeter_sample* sample,
                          uint64_t* lost) {
  if (counter == nullptr || sample == nullptr) return without_counter();
  return capi::guarded([&] {
    std::optional<hardmeter_sample> next = counter->counter->next_sample();
    if (lost != nullptr) *lost = counter->counter->lost();
    if (next) *sample = *next;
    return next ? 1 : 0;
  });
}

void hardmeter_close(struct hardmeter_counter* counter) { delete counter; }

}  // extern "C"
