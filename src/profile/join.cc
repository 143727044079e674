// SPDX-License-Identifier: MIT
#include "profile/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "base/parallel.h"

namespace hm::profile {
namespace {

using Numbers = std::vector<uint32_t>;

// A segment's samples, their position in the whole, and the mapping of their numbers.
struct Part {
  Samples samples;
  size_t first_row = 0;
  Numbers locations;
  Numbers threads;
  std::vector<uint32_t> left_places;
  std::vector<uint16_t> branch_cycles;
  LastStacks last_stacks;
};

// Appends the items of `part` to `whole`; `renumber` changes each item.
template <typename Item, typename F>
void append(std::vector<Item>& whole, std::vector<Item> part, size_t expected, F&& renumber) {
  std::ranges::for_each(part, renumber);
  if (whole.empty() && part.size() == expected) {
    whole = std::move(part);
    return;
  }
  whole.reserve(expected);
  whole.insert(whole.end(), part.begin(), part.end());
}

// Appends the samples' slices and their items. Drops the items if their offsets would exceed 32 bits.
template <typename Item, typename F>
void append_sliced(std::vector<Slice>& slices, std::vector<Item>& items, std::vector<Slice> part_slices,
                   std::vector<Item> part_items, size_t samples, size_t expected, F&& renumber) {
  auto offset = static_cast<uint32_t>(items.size());
  bool fits = part_items.size() <= std::numeric_limits<uint32_t>::max() - offset;
  append(slices, std::move(part_slices), samples, [&](Slice& slice) {
    slice = fits ? Slice{slice.offset + offset, slice.count} : Slice();
  });
  if (fits) append(items, std::move(part_items), expected, renumber);
}

template <typename Item>
size_t count_items(const std::vector<Part>& parts, std::vector<Item> Samples::*items) {
  size_t count = 0;
  for (const Part& part : parts) count += (part.samples.*items).size();
  return std::min<size_t>(count, std::numeric_limits<uint32_t>::max());
}

void join_chains(std::vector<Part>& parts, size_t rows, Samples& whole) {
  size_t items = count_items(parts, &Samples::chain_locations);
  for (Part& part : parts) {
    append_sliced(whole.chain, whole.chain_locations, std::move(part.samples.chain),
                  std::move(part.samples.chain_locations), rows, items,
                  [&](uint32_t& location) { location = part.locations[location]; });
  }
}

// Joins the longest column by far without copying its parts. The items are locations until their functions
// are known.
void join_left_places(std::vector<Part>& parts, size_t rows, Samples& whole, size_t workers) {
  bool has_cycles = std::ranges::any_of(parts, [](const Part& part) { return !part.branch_cycles.empty(); });
  parallel_for(parts.size(), workers, [&](size_t i) {
    for (uint32_t& place : parts[i].left_places) place = parts[i].locations[place];
    if (has_cycles) parts[i].branch_cycles.resize(parts[i].left_places.size());
  });
  LastStacks last_stacks;
  for (Part& part : parts) {
    append(whole.new_branches, std::move(part.samples.new_branches), rows, [](NewBranches&) {});
    part.last_stacks.continue_from(last_stacks, part.threads, part.first_row, whole.new_branches);
    auto offset = static_cast<uint32_t>(whole.left_functions.size());
    bool fits = whole.left_functions.append(std::move(part.left_places)) &&
                (!has_cycles || whole.branch_cycles.append(std::move(part.branch_cycles)));
    append(whole.branch, std::move(part.samples.branch), rows, [&](Slice& slice) {
      slice = fits ? Slice{slice.offset + offset, slice.count} : Slice();
    });
  }
}

void join_branches(std::vector<Part>& parts, size_t rows, Samples& whole) {
  size_t items = count_items(parts, &Samples::branches);
  for (Part& part : parts) {
    append_sliced(whole.branch, whole.branches, std::move(part.samples.branch),
                  std::move(part.samples.branches), rows, items, [&](Branch& branch) {
                    branch.from = part.locations[branch.from];
                    branch.to = part.locations[branch.to];
                  });
  }
}

void join_numbers(std::vector<Part>& parts, size_t rows, Samples& whole) {
  for (Part& part : parts) {
    append(whole.event, std::move(part.samples.event), rows, [](uint32_t&) {});
    append(whole.thread, std::move(part.samples.thread), rows,
           [&](uint32_t& thread) { thread = part.threads[thread]; });
    append(whole.location, std::move(part.samples.location), rows,
           [&](uint32_t& location) { location = part.locations[location]; });
  }
}

// Columns are independent of each other: each is a task.
void join_samples(std::vector<Part>& parts, size_t rows, Samples& whole, size_t workers) {
  std::vector<std::function<void()>> tasks{[&] { join_numbers(parts, rows, whole); },
                                           [&] { join_chains(parts, rows, whole); },
                                           [&] { join_branches(parts, rows, whole); }};
  std::vector<Column*> columns = whole.columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    tasks.emplace_back([&parts, rows, i, column = columns[i]] {
      for (Part& part : parts) column->append(std::move(*part.samples.columns()[i]), part.first_row, rows);
    });
  }
  parallel_for(tasks.size(), workers, [&](size_t i) { tasks[i](); });
}

// Thread 0 is the idle task of a CPU. A thread that the recording never names gets the name that perf uses.
Thread named(const UnnamedThread& thread, const std::vector<Thread>& threads) {
  if (thread.leader) {
    const Thread& leader = threads[*thread.leader];
    return {thread.pid, thread.tid, leader.comm, leader.program};
  }
  return {thread.pid, thread.tid, thread.tid == 0 ? "swapper" : fmt::format(":{}", thread.tid)};
}

// Inserts rows for the unnamed threads before those of the named threads.
void add_unnamed(const UnnamedThreads& unnamed, std::vector<Thread>& threads) {
  std::vector<Thread> all;
  for (const UnnamedThread& thread : unnamed.threads()) all.push_back(named(thread, threads));
  std::ranges::move(threads, std::back_inserter(all));
  threads = std::move(all);
}

}  // namespace

void join_segments(std::vector<Segment> segments, const Needs& needs, Profile& profile,
                   LocationTable& locations, size_t workers) {
  auto named = static_cast<uint32_t>(profile.threads.size());
  UnnamedThreads unnamed;
  for (const Segment& segment : segments) {
    for (const UnnamedThread& thread : segment.unnamed.threads()) (void)unnamed.number(thread);
  }
  add_unnamed(unnamed, profile.threads);
  std::vector<Part> parts;
  HeapSiteJoin heap_sites;
  OccupancyJoin occupancy;
  size_t rows = 0;
  for (Segment& segment : segments) {
    Part part{std::move(segment.samples),
              rows,
              {},
              {},
              std::move(segment.left_places),
              std::move(segment.branch_cycles),
              std::move(segment.last_stacks)};
    rows += part.samples.size();
    for (const DsoOffset& address : segment.places.addresses())
      part.locations.push_back(locations.location(address));
    for (uint32_t row = 0; row < named; ++row)
      part.threads.push_back(row + static_cast<uint32_t>(unnamed.threads().size()));
    for (const UnnamedThread& thread : segment.unnamed.threads())
      part.threads.push_back(unnamed.number(thread));
    heap_sites.add(std::move(segment.heap_sites), part.locations);
    occupancy.add(std::move(segment.occupancy));
    parts.push_back(std::move(part));
  }
  for (Part& part : parts) heap_sites.renumber(part.samples);
  profile.heap_sites = heap_sites.take();
  profile.occupancy = occupancy.take();
  if (needs.branches == Branches::kFunctions) join_left_places(parts, rows, profile.samples, workers);
  join_samples(parts, rows, profile.samples, workers);
}

}  // namespace hm::profile
