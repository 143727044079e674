// SPDX-License-Identifier: MIT
// The time line's answers, as the command prints them with --json.
import type { Recording, Share, TimeUnit } from "../../schema";

export interface Lane {
  name: string;
  // null for a CPU.
  pid: number | null;
  program: string | null;
  samples: number;
  ran: number;
  idle: number | null;
  // For each bin the times of Timeline.functions, then of all others; null where nothing ran.
  bins: (number[] | null)[];
  counts: number[][];
}

export type Unusual =
  | { event: string; per_billion: number; usual_per_billion: number }
  | { function: string; dso: string; share: number; usual_share: number };

export interface Episode {
  begin_at: number;
  end_at: number;
  unusual: Unusual[];
  lanes: string[];
  before: { function: string; share: number }[];
  chance: number;
}

// A sample with its branches, oldest first: the functions that these left.
export interface Moment {
  at: number;
  lane: string;
  function: string;
  branches: { function: string; new: boolean }[];
  // Which of them are new is not certain.
  ambiguous: boolean;
}

// How often an event was counted, of all threads together.
export interface Rate {
  event: string;
  samples: number;
  // That these stand for.
  events: number;
  // In a billion of the time line's unit.
  most_per_billion: number | null;
  // For each bin; null where it was not measured.
  per_billion: (number | null)[];
  // Samples may be missing there: the rates are too low.
  gaps: { begin_at: number; end_at: number }[];
}

export interface Timeline {
  schema: number;
  recording: Recording;
  event: string;
  way: string;
  by: string;
  counts_time: boolean;
  // Of all times.
  unit: TimeUnit;
  begin_at: number;
  end_at: number;
  bin: number;
  interval: number | null;
  samples: number;
  branches: number;
  new_branches: number;
  episodes: Episode[];
  functions: { function: string; dso: string; ran: number }[];
  others: number;
  rates: Rate[];
  all_lanes: number;
  lanes: Lane[];
  moments: Moment[];
  last_level_cache?: Occupancy;
}

export interface Held {
  name: string;
  readings: number;
  measured: number;
  mean_bytes: number | null;
  most_bytes: number | null;
  most_at_ns: number | null;
  mean_bytes_per_s: number | null;
  cells: (number | null)[];
}

export interface Contention {
  victim: string;
  neighbour: string;
  event: string;
  ratio: Share;
  much_share: number;
  neighbour_share: number;
  victim_share_then: number;
  victim_share_else: number;
  longest_begin_ns: number;
  longest_end_ns: number;
  split: { victim_ways: string; neighbour_ways: string } | null;
  function: string;
  dso: string;
  function_ratio: number | null;
}

export interface Occupancy {
  schema: number;
  is_modelled: boolean;
  cache_bytes: number | null;
  begin_ns: number;
  end_ns: number;
  held: Held[];
  contentions: Contention[];
}
