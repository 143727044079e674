// SPDX-License-Identifier: MIT
// The answers that only recording needs, as the JSON is; null is what is not there yet.

// Whether the hardware delivers an event.
export type Encoded = { encodings: unknown[] } | { error: string };

export interface MachineEvent {
  name: string;
  description: string;
  group: string;
  precise: boolean;
  software: "exact" | "approximate" | "none";
  note: string | null;
  hardware: { count: Encoded; sample: Encoded };
}

export interface MachineEvents {
  cpu: string | null;
  events: MachineEvent[];
}

export interface RecorderState {
  running: boolean;
  command: string[];
  path: string | null;
  bytes: number;
  seconds: number;
  exit_status: number | null;
  said: string;
}
