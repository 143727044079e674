// SPDX-License-Identifier: MIT
// This process's recording: the session, its ring, and the records that describe the process. Several threads
// write records.
#pragma once

#include <stdint.h>

#include "model/session_cache.h"
#include "pmu/soft/direct/address_space.h"
#include "pmu/soft/ring/ring_writer.h"
#include "pmu/soft/sampling/process_records.h"

namespace hm::soft::direct {

// False, and nothing is recorded, where the session cannot be reached.
bool open_recording(const char* folder);

// A ring for this process, at its start or in a forked child.
void open_ring(uint32_t pid);
void close_ring();

Session* session();  // null where nothing is recorded
RingWriter* ring();
int session_descriptor();
// Null where the session's processes share no cache.
model::SessionCache* open_session_cache();

// The engine's first own file descriptor from `from` on; the highest number where there is none.
uint32_t first_own_descriptor(uint32_t from);

void write_record(RecordBuilder&& record);
void write_notice(const NoticeRecord& notice);

void record_program_start(uint32_t pid);
// Records what /proc/self/maps has in [start, end) now. One thread at a time.
void record_mappings(uint32_t pid, uint64_t start, uint64_t end);

}  // namespace hm::soft::direct
