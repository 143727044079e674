// SPDX-License-Identifier: MIT
// Which event a view is about: the one in the link, else the first that has samples.

export function chosenEvent(names: string[], asked: string | undefined): string {
  return names.find((name) => name === asked) ?? names[0] ?? "";
}

// Those with samples first, in their order.
export function eventNames(events: Record<string, { samples: number }>): string[] {
  const all = Object.keys(events);
  const sampled = all.filter((name) => (events[name]?.samples ?? 0) > 0);
  return sampled.length > 0 ? sampled : all;
}
