// SPDX-License-Identifier: MIT
// What the form has, and what the server is sent for it.
import { splitCommand } from "./words";

export const pmus = ["auto", "linux", "soft"] as const;
export type Pmu = (typeof pmus)[number];

export interface RecordForm {
  target: "command" | "processes";
  command: string;
  pids: string;
  events: string[];
  pmu: Pmu;
  period: string;
  user: boolean;
  kernel: boolean;
  callers: boolean;
  sizes: boolean;
  llc: boolean;
}

export const usualForm: RecordForm = {
  target: "command",
  command: "",
  pids: "",
  events: ["l1_cache_miss", "l2_cache_miss", "dtlb_load_miss"],
  pmu: "auto",
  period: "",
  user: true,
  kernel: true,
  callers: false,
  sizes: false,
  llc: false,
};

export type Wish = Record<string, unknown>;

function targetOf(form: RecordForm): { wish: Wish } | { error: string } {
  if (form.target === "command") {
    const split = splitCommand(form.command);
    if ("error" in split) return { error: `The command line cannot be split: ${split.error}.` };
    return split.words.length > 0 ? { wish: { command: split.words } } : { error: "Give a command to record." };
  }
  const texts = form.pids.split(/[\s,]+/).filter((text) => text !== "");
  if (texts.length === 0) return { error: "Give a process to record." };
  const wrong = texts.find((text) => !/^[1-9]\d{0,9}$/.test(text));
  return wrong === undefined ? { wish: { pids: texts.map(Number) } } : { error: `${wrong} is not a process ID.` };
}

export function wishOf(form: RecordForm): { wish: Wish } | { error: string } {
  const target = targetOf(form);
  if ("error" in target) return target;
  if (form.events.length === 0) return { error: "Choose an event to record." };
  if (!form.user && !form.kernel) return { error: "Choose user mode, kernel mode, or both." };
  const { events, pmu, user, kernel, callers, sizes, llc } = form;
  const period = form.period.trim();
  return { wish: { ...target.wish, events, pmu, user, kernel, callers, sizes, llc, ...(period === "" ? {} : { period }) } };
}
