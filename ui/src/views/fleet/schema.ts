// SPDX-License-Identifier: MIT
// What the server answers about a store; docs/page.md. null is what was not measured or is not known.

export interface Rate {
  value: number; // events for each unit of load
  low: number | null; // 95 %; null: too few measurements to tell
  high: number | null;
}

export interface Named {
  name: string;
  samples: number;
  first_s: number;
  last_s: number;
}

export interface Choices {
  measurements: number;
  first_s: number | null;
  last_s: number | null;
  event: string;
  events: (Named & { source: string; unit: string })[];
  services: Named[];
  hosts: Named[];
  releases: Named[];
}

// What is measured, and in which unit its load is.
export interface Measured {
  event: string;
  unit: string;
}

export interface FleetRow {
  keys: string[];
  samples: number;
  events: number;
  share: number;
  rate: Rate | null;
  first_s: number;
  last_s: number;
}

export interface FleetTable extends Measured {
  source: string;
  samples: number;
  measurements: number;
  events: number;
  first_s: number;
  last_s: number;
  keys: string[];
  rows: FleetRow[];
}

export interface Moment {
  begin_s: number;
  samples: number;
  measurements: number;
  events: number;
  rate: Rate | null;
}

export interface Step {
  at_s: number;
  before: Rate;
  after: Rate;
}

export interface OverTime extends Measured {
  source: string;
  samples: number;
  measurements: number;
  begin_s: number;
  end_s: number;
  bucket_s: number;
  rate: Rate | null;
  moments: Moment[];
  step: Step | null;
  can_detect_steps: boolean;
}

export interface ChangedRow {
  keys: string[];
  samples_before: number;
  samples_after: number;
  before: Rate;
  after: Rate;
  difference: Rate;
  significant: boolean;
}

export interface Side {
  samples: number;
  measurements: number;
  rate: Rate | null;
}

export interface Comparison extends Measured {
  before: Side;
  after: Side;
  keys: string[];
  rows: ChangedRow[];
}
