// SPDX-License-Identifier: MIT
// Where the members of a type lie in its cache lines, and which of them the place uses.
import type { Range } from "../../components/cache_line";
import { printable } from "../../format";
import type { FieldOrder } from "../../schema";

export type Use = "together" | "others" | "not_met";

export const useWords: Record<Use, string> = {
  together: "used here together",
  others: "used elsewhere",
  not_met: "not met in any sample",
};

export function useOf(order: FieldOrder, member: string): Use {
  if (order.together.includes(member)) return "together";
  return order.others.includes(member) ? "others" : "not_met";
}

export function rangesOf(order: FieldOrder, colours: Record<Use, string>): Range[] {
  return order.members.map(({ name, offset, bytes }) => {
    const use = useOf(order, name);
    return { offset, bytes, colour: colours[use], text: `${printable(name)} at +${offset}, ${bytes} bytes: ${useWords[use]}` };
  });
}

// How many bytes of one element the place uses, and in how many lines they lie, if it begins with a line.
export function usedOf(order: FieldOrder, lineBytes: number): { bytes: number; lines: number } {
  const used = new Set<number>();
  for (const { name, offset, bytes } of order.members) {
    if (useOf(order, name) !== "together") continue;
    for (let byte = offset; byte < Math.min(offset + bytes, order.bytes); ++byte) used.add(byte);
  }
  return { bytes: used.size, lines: new Set([...used].map((byte) => Math.floor(byte / lineBytes))).size };
}
