// SPDX-License-Identifier: MIT
// How numbers and names look: as the command prints them.
import type { Share, TimeUnit } from "./schema";

// In place of a number that was not measured.
export const notMeasured = "-";

type Maybe<T> = T | null | undefined;

// "1,234,567".
export function grouped(number: Maybe<number>): string {
  if (number === null || number === undefined) return notMeasured;
  const whole = Math.round(number);
  const digits = Math.abs(whole).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return whole < 0 ? `-${digits}` : digits;
}

// Small numbers keep three digits: "0.523", "12.3".
export function number(value: Maybe<number>): string {
  if (value === null || value === undefined) return notMeasured;
  const size = Math.abs(value);
  if (size >= 1000 || Number.isInteger(value)) return grouped(value);
  if (size < 0.01) return value.toPrecision(2);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

// "1 process" or "1,234 processes".
export function countOf(count: number, singular: string, plural: string): string {
  return `${grouped(count)} ${count === 1 ? singular : plural}`;
}

// "12.3%" of a share between 0 and 1.
export function percent(share: Maybe<number>): string {
  return share === null || share === undefined ? notMeasured : `${(share * 100).toFixed(1)}%`;
}

// "12.3% ±0.4".
export function shareText(share: Maybe<Share>): string {
  if (!share) return notMeasured;
  if (share.low === null || share.high === null) return `${percent(share.value)} (too few samples)`;
  return `${percent(share.value)} ±${(((share.high - share.low) / 2) * 100).toFixed(1)}`;
}

// To three digits: "12.3 MiB".
export function bytesText(bytes: Maybe<number>): string {
  if (bytes === null || bytes === undefined) return notMeasured;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let size = bytes;
  while (size >= 1024 && unit + 1 < units.length) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || Number.isInteger(size) || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return `${size.toFixed(digits)} ${units[unit]}`;
}

// To three digits: "1.74 M/s".
export function rateText(perSecond: Maybe<number>): string {
  if (perSecond === null || perSecond === undefined) return notMeasured;
  const units = ["", " k", " M", " G", " T"];
  let unit = 0;
  let size = perSecond;
  while (size >= 999.5 && unit + 1 < units.length) {
    size /= 1000;
    unit += 1;
  }
  const digits = Number.isInteger(size) || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return `${size.toFixed(digits)}${units[unit]}/s`;
}

// "1.25 ms".
export function durationText(ns: Maybe<number>): string {
  if (ns === null || ns === undefined) return notMeasured;
  const size = Math.abs(ns);
  if (size === 0) return "0 s";
  const [scale, unit] = size >= 1e9 ? [1e9, "s"] : size >= 1e6 ? [1e6, "ms"] : size >= 1e3 ? [1e3, "us"] : [1, "ns"];
  const value = ns / (scale as number);
  const digits = unit === "ns" || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

// "12.5 Mcycles", or a duration, by the time line's unit.
export function axisText(amount: Maybe<number>, unit: TimeUnit): string {
  if (unit === "ns" || amount === null || amount === undefined) return durationText(amount);
  const [scale, prefix] = amount >= 1e9 ? [1e9, "G"] : amount >= 1e6 ? [1e6, "M"] : amount >= 1e4 ? [1e3, "k"] : [1, ""];
  const value = amount / scale;
  const digits = scale === 1 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${prefix}cycles`;
}

// How often something happened, of which it is known how often in a billion of the time line's unit.
export function axisRateText(perBillion: Maybe<number>, unit: TimeUnit): string {
  if (unit === "ns" || perBillion === null || perBillion === undefined) return rateText(perBillion);
  return `${number(perBillion / 1e3)}/Mcycle`;
}

// "+12.3%" of a relative change.
export function signedPercent(relative: Maybe<number>): string {
  if (relative === null || relative === undefined) return notMeasured;
  return `${relative >= 0 ? "+" : ""}${(relative * 100).toFixed(1)}%`;
}

export function signed(value: Maybe<number>): string {
  if (value === null || value === undefined) return notMeasured;
  return `${value > 0 ? "+" : ""}${grouped(value)}`;
}

export function hex(address: number): string {
  return address.toString(16);
}

// Escapes control characters, and those that turn the direction of text, as the command does: "\x1b", "\u202e".
// Names come from recordings.
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (each) => {
    const code = each.charCodeAt(0);
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

// The same of a text of several lines.
export function printableLines(text: string): string {
  return text.split("\n").map((line) => printable(line.replace(/\t/g, "    ").replace(/\r$/, ""))).join("\n");
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

// A C++ function's name without its parameters and template arguments, for narrow places.
export function shortName(name: string): string {
  if (name.includes("operator") || name.startsWith("<") || name.startsWith("[")) return printable(name);
  let depth = 0;
  let out = "";
  for (const each of name.replace(/\(anonymous namespace\)/g, "{anonymous}")) {
    if (each === "(" && depth === 0) break;
    if (each === "<") depth += 1;
    else if (each === ">") depth -= 1;
    else if (depth === 0) out += each;
  }
  const kept = out.trim();
  return printable(kept === "" ? name : kept.slice(kept.lastIndexOf(" ") + 1));
}

// "gather.c:51", or "" where it is not known.
export function placeText(file: Maybe<string>, line: Maybe<number>): string {
  if (!file) return "";
  return printable(line ? `${fileName(file)}:${line}` : fileName(file));
}

// As a person would type it into a shell.
export function commandText(words: string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${printable(word).replace(/'/g, "'\\''")}'`)).join(" ");
}

export function pmuText(pmu: string | null): string {
  if (pmu === null) return "not in the recording";
  const texts: Record<string, string> = {
    software: "the software PMU: the program ran on a model of the machine, which counts every event",
    kernel: "the kernel's PMU: hardware counters or the kernel's software events, at full speed",
    linux: "the kernel's PMU: hardware counters or the kernel's software events, at full speed",
    hardware: "the hardware's counters, at full speed",
  };
  return texts[pmu] ?? printable(pmu);
}

// As a sentence of its own.
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}
