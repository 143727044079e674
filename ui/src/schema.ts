// SPDX-License-Identifier: MIT
// The answers as the command prints them with --json. null is what was not measured or is not known.
import type { Occupancy } from "./views/timeline/schema";

// Of everything over time: the clock's nanoseconds, or the modelled machine's cycles.
export type TimeUnit = "ns" | "cycles";

// The limits are null if there are too few samples for an interval.
export interface Share {
  value: number;
  low: number | null;
  high: number | null;
}

export interface Latency {
  samples: number;
  total: number;
  median: number;
  p90: number;
  p99: number;
  max: number;
}

export interface CacheInfo {
  level: number;
  type: string; // "Data", "Instruction", "Unified"
  bytes: number;
  sets: number;
  ways: number;
  line_bytes: number;
  cpus: string;
}

// Shares are of the modelled cycles, from 0 to 1.
export interface Verdict {
  memory_share: number;
  error: number | null;
  in_bursts: boolean;
  unseen_share?: number | null; // no burst had a wait: the largest share of the instructions that may be missing
  unseen_kernel_share?: number | null;
  cost_source: "stated" | "typical" | "calibrated";
  parts: Record<string, number>;
  misses_per_thousand_instructions: Record<string, number>;
  instructions_per_cycle: number | null;
}

export interface Recording {
  pmu: string | null;
  command: string[];
  caches?: CacheInfo[];
  lost: { records: number; samples: number; throttlings?: number };
  clock: Record<string, { samples: number; attributed: number }>;
  problems: string[];
  notes: string[];
  delivery?: string[];
  verdict?: Verdict | null;
}

export interface RecordingEntry {
  id: number;
  name: string;
  path: string;
}

export interface Recordings {
  schema: number;
  version: string;
  allow_record: boolean;
  // Of `ui --store`; then there are no recordings.
  store: string | null;
  recordings: RecordingEntry[];
}

export interface Count {
  samples: number;
  estimated: number | null;
  exact: { value: number; time_enabled_ns: number; time_running_ns: number } | null;
  fewer_than: number | null;
  best: number | null;
}

export interface EventTotal extends Count {
  per_thousand_instructions: number | null;
  per_second: number | null;
}

export interface Totals {
  schema: number;
  recording: Recording;
  elapsed_ns: number | null;
  events: Record<string, EventTotal>;
  threads: { pid: number; tid: number; comm: string; events: Record<string, Count> }[];
}

export interface Counts {
  counts: Record<string, number>;
  estimated: Record<string, number | null>;
  share: Record<string, Share | null>;
  latency_cycles?: Latency | null;
}

export interface HotspotRow extends Counts {
  dso: string | null;
  // Source file, if several functions of this object have the name.
  file?: string;
  // Samples with the function anywhere in the call chain; absent if no call chains were recorded.
  inclusive?: Record<string, number>;
  inclusive_estimated?: Record<string, number | null>;
  inclusive_share?: Record<string, Share | null>;
  // A member for each sort key besides: see keyOf().
  [key: string]: unknown;
}

export interface EventSummary {
  samples: number;
  estimated: number | null;
  share?: Share | null;
}

export interface Hotspots {
  schema: number;
  recording: Recording;
  sort: string[];
  events: Record<string, EventSummary>;
  all_rows: number;
  rows: HotspotRow[];
}

export interface Caller {
  function: string;
  dso: string;
  inlined: boolean;
  file: string | null;
  line: number | null;
  samples: number;
  share: number;
  callers: Caller[];
}

export interface LineUser {
  thread: string;
  offset: number;
  bytes: number | null;
  object: string | null;
  field: string | null;
  writes: boolean;
  samples: number;
}

export interface SharedLine {
  address: number;
  samples: number;
  users: LineUser[];
}

export interface ObjectShare {
  object: string;
  field: string | null;
  samples: number;
  share: Share;
}

export interface Advice {
  pattern: string;
  remedy: string;
  // How the container was recognized.
  basis: string | null;
  // of_cycles: the upper bound as a fraction of the modelled cycles.
  gain: { low: number; high: number; of_cycles: number | null; why: string } | null;
}

export interface Place {
  // As written: the innermost function that is inlined there.
  function: string;
  // The function with a symbol that contains the code.
  physical_function: string;
  dso: string;
  file: string | null;
  line: number | null;
  address: number;
  instruction: string | null;
  samples: number;
  estimated: number | null;
  share: Share | null;
  classes: Record<string, { samples: number; share: Share }>;
  estimated_class: { class: string; why: string } | null;
  unclassified: number;
  aliases: Share | null;
  objects: ObjectShare[];
  shape: string;
  step_bytes: number | null;
  // From one access to the next, and what the loop uses of each line: null where its code does not say.
  code_step_bytes: number | null;
  line_bytes_used: number | null;
  step_share: number | null;
  access_bytes: number | null;
  latency_cycles: Latency | null;
  wait_cycles: number | null;
  // Fractions of the program's modelled cycles, and of its cycles of waits for data.
  cycles_share: number | null;
  waits_share: number | null;
  // Why neither reasons nor advice are given; null if they are.
  too_little: "samples" | "waits" | null;
  levels: Record<string, { samples: number; share: Share }>;
  lines: number | null;
  pages: number | null;
  reuse: { lines: number; at_least: boolean } | null;
  would_hit: { next_line: Share | null; huge_pages: Share | null };
  by_kernel: Share | null; // of the misses: in system calls, on behalf of the program
  callers: Caller[];
  shared_line: SharedLine | null;
  field_order: FieldOrder | null;
  advice: Advice | null;
}

export interface FieldOrder {
  together: string[];
  others: string[];
  not_met: string[];
  type: string;
  bytes: number;
  members: { name: string; offset: number; bytes: number }[];
}

export interface EventCauses {
  name: string;
  samples: number;
  estimated: number | null;
  all_places: number;
  places: Place[];
}

export interface ContestedLine {
  line: SharedLine;
  class: string;
  accesses: number;
  written: number;
  most_handovers: number;
  functions: string[];
}

export interface Causes {
  schema: number;
  recording: Recording;
  events: EventCauses[];
  contested_lines: { accesses_sampled: number; all: number; lines: ContestedLine[] };
  last_level_cache?: Occupancy;
}

export interface AnnotatedLine extends Counts {
  file: string | null;
  line: number | null;
  source: string | null;
}

export interface AnnotatedInstruction extends Counts {
  address: number;
  text: string | null;
  file: string | null;
  line: number | null;
}

export interface Annotation {
  schema: number;
  recording: Recording;
  function: string;
  // The function that was asked for if it is inlined into `function`.
  inlined: string | null;
  dso: string;
  start: number;
  size: number;
  others: { function: string; dso: string; samples: number }[];
  events: Record<string, EventSummary>;
  lines: AnnotatedLine[];
  instructions: AnnotatedInstruction[];
  // Source files that are not at the path in the debug information.
  moved_sources: { file: string; path: string; guessed: boolean }[];
  no_code: string | null;
}

export interface FlameNode {
  // Of a process or a thread: its name and ID.
  function: string;
  kind: "function" | "process" | "thread";
  dso: string;
  // Estimated: the sums of the periods of samples. Those of callees are in events, not in self_events.
  events: number;
  self_events: number;
  children: FlameNode[];
}

export interface Flame {
  schema: number;
  event: string;
  samples: number;
  estimated: number | null;
  has_chains: boolean;
  left_out: number;
  root: FlameNode;
}

export interface NamedPages {
  name: string;
  samples: number;
  pages: number;
}

export interface CrowdedRegion {
  region: number;
  mean_ways: number;
  most_ways: number;
  crowded: number;
  samples: number;
  objects: NamedPages[];
  types: NamedPages[];
  functions: NamedPages[];
}

export interface Moved {
  crowded_out: number;
  crowded_out_after: number;
  removed: Share | null;
}

export interface CacheMap {
  schema: number;
  recording: Recording | null;
  cache: { name: string; sets: number; ways: number; line_bytes: number };
  page_bytes: number;
  pages: number;
  tlb_states: number;
  addresses: string;
  samples: number;
  samples_without_address: number;
  threads: number;
  unit: TimeUnit;
  end_at: number;
  pressure: string;
  crowded_regions: number;
  excess_pages: number;
  excess_pages_if_even: number;
  spread: Moved;
  huge_pages: Moved | null;
  mean_ways: number[];
  all_crowded: number;
  crowded: CrowdedRegion[];
  columns: { begin_at: number; samples: number; ways: number[] | null }[];
}

export interface SizePoint {
  bytes: number;
  sets: number;
  ways: number;
  missed: Share;
}

export interface SizeNeed {
  enough: SizePoint;
  smaller: SizePoint;
  times: number | null;
}

export interface SizeRow {
  function: string;
  dso: string | null;
  samples: number;
  share: Share;
  curve: SizePoint[];
  need: SizeNeed | null;
}

export interface Sizes {
  schema: number;
  recording: Recording;
  event: string | null;
  samples: number;
  accesses: number;
  unplaced_accesses: number;
  line_bytes?: number;
  page_bytes?: number;
  one_set_in: number;
  curve: SizePoint[];
  need: SizeNeed | null;
  functions?: SizeRow[];
}

export interface Change {
  change: number | null;
  relative: number | null;
  interval: { low: number; high: number } | null;
  exact: boolean;
  significant: boolean;
}

export interface Estimate {
  value: number | null;
  low: number;
  high: number;
}

export interface DiffTotal extends Change {
  before: number;
  after: number;
  estimated: boolean;
  running: number;
}

export interface DiffRow extends Change {
  samples_before: number;
  samples_after: number;
  before: Estimate;
  after: Estimate;
  [column: string]: unknown;
}

export interface DiffSide {
  files: string[];
  baseline: boolean;
  pmu: string;
  engine: string;
  machine: string;
  command: string;
  remarks: string[];
}

export interface Diff {
  schema: number;
  before: DiffSide;
  after: DiffSide;
  differences: { what: string; before: string; after: string }[];
  processors: string | null;
  renamed: Record<string, string>;
  notes: string[];
  totals: Record<string, DiffTotal>;
  only_before: string[];
  only_after: string[];
  columns: string[];
  rows: Record<string, { samples_before: number; samples_after: number; exact: boolean; rows: DiffRow[] }>;
}

// The text of a row's sort key.
export function keyOf(row: HotspotRow | DiffRow, key: string): string {
  const value = row[key];
  return value === null || value === undefined ? "" : String(value);
}
