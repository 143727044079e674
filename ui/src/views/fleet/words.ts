// SPDX-License-Identifier: MIT
// Rates, times and places of a store, as the command and people write them.
import { notMeasured, number, placeText, printable, shortName } from "../../format";
import type { Measured, OverTime, Rate } from "./schema";

export interface RateForm {
  title: string;
  factor: number;
}

// How a rate is shown: of instructions for each thousand of them; of CPU time, where the event is time too, as a
// share of it, else for each millisecond.
export function rateForm({ event, unit }: Measured): RateForm {
  if (unit === "instructions") return { title: "in 1000 instr.", factor: 1000 };
  if (unit === "cpu_ns" && event === "clock") return { title: "% of CPU time", factor: 100 };
  if (unit === "readings") return { title: "MiB held", factor: 1 / 2 ** 20 };
  if (unit === "cpu_ns") return { title: "in 1 ms of CPU", factor: 1e6 };
  return { title: "rate", factor: 1 };
}

// "12.3 ±0.4": the half of the interval that is above.
export function rateText(rate: Rate | null, form: RateForm): string {
  if (!rate) return notMeasured;
  const value = number(rate.value * form.factor);
  return rate.high === null ? value : `${value} ±${number((rate.high - rate.value) * form.factor)}`;
}

const two = (value: number): string => String(value).padStart(2, "0");

// Local time: "2026-11-26 14:03", with seconds where they are not 0.
export function timeText(seconds: number): string {
  const at = new Date(seconds * 1000);
  const clock = [at.getHours(), at.getMinutes(), ...(at.getSeconds() === 0 ? [] : [at.getSeconds()])].map(two).join(":");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}

// "10 minutes".
export function lengthText(seconds: number): string {
  const units: [number, string][] = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [length, name] = units.find(([each]) => seconds % each === 0) ?? [1, "second"];
  const count = seconds / length;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

// "Since 2026-11-26 14:03 it is 2.90 times what it was: 31.4 ±0.9 before, 91 ±2.1 after (in 1000 instr.)."
export function stepText({ step, can_detect_steps }: Pick<OverTime, "step" | "can_detect_steps">, form: RateForm): string {
  if (!can_detect_steps) return "Too few measurements to decide whether it changed.";
  if (!step) return "In this time it did not change beyond noise.";
  const times = step.before.value > 0 ? `${number(step.after.value / step.before.value)} times what it was` : "there, and was not before";
  return `Since ${timeText(step.at_s)} it is ${times}: ${rateText(step.before, form)} before, ${rateText(step.after, form)} after (${form.title}).`;
}

export function nameText(key: string): string {
  return key === "" ? "[unknown]" : printable(key);
}

// A build-id's beginning, by which people and `--build` know it.
export function releaseText(id: string): string {
  return id === "" ? "[unknown]" : printable(id.slice(0, 12));
}

// "look_up, cart.cc:88"
export function spotText(spot: { function?: string; file?: string; line?: string; module?: string }): string {
  const line = Number(spot.line ?? 0);
  const parts = [spot.function ? shortName(spot.function) : "", placeText(spot.file, line > 0 ? line : null)].filter((part) => part !== "");
  return parts.length > 0 ? parts.join(", ") : nameText(spot.module ?? "");
}
