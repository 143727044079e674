// SPDX-License-Identifier: MIT
// Links: each state of the page has one, "#/hotspots?event=l1_cache_miss", that brings another person to the
// same place.

export const viewNames = ["summary", "hotspots", "source", "why", "data", "map", "timeline", "compare", "record"] as const;
// Those of a store, which has no recordings.
export const storeViews = ["fleet", "service", "place", "trend", "releases"] as const;
export type ViewName = (typeof viewNames)[number] | (typeof storeViews)[number];

export interface Route {
  view: ViewName;
  params: Record<string, string>;
}

// Those of a recording; the last one makes recordings, where the server lets it.
export const recordedViews = viewNames.filter((name) => name !== "record");

// Which there are.
export function viewsOf(hasStore: boolean, mayRecord: boolean): readonly ViewName[] {
  return hasStore ? storeViews : mayRecord ? viewNames : recordedViews;
}

// What stays when another view is opened.
const kept = [
  ...["recording", "event"],
  ...["since", "until", "host", "service", "release", "at_function", "at_file", "at_line", "at_module"],
];

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, "");
  const question = text.indexOf("?");
  const name = question < 0 ? text : text.slice(0, question);
  const view = [...viewNames, ...storeViews].find((each) => each === name) ?? "summary";
  const params: Record<string, string> = {};
  if (question >= 0) new URLSearchParams(text.slice(question + 1)).forEach((value, key) => (params[key] = value));
  return { view, params };
}

export function linkTo(route: Route): string {
  const names = Object.keys(route.params).filter((name) => route.params[name] !== "").sort();
  const search = new URLSearchParams(names.map((name) => [name, route.params[name] ?? ""]));
  const text = search.toString();
  return `#/${route.view}${text === "" ? "" : `?${text}`}`;
}

// Of another view: with what both have in common, and `params`.
export function linkFrom(route: Route, view: ViewName, params: Record<string, string> = {}): string {
  const common: Record<string, string> = {};
  for (const name of kept) {
    const value = route.params[name];
    if (value !== undefined) common[name] = value;
  }
  return linkTo({ view, params: { ...common, ...params } });
}

// Of the same view: with some parameters changed; "" takes one away.
export function linkWith(route: Route, changes: Record<string, string>): string {
  return linkTo({ view: route.view, params: { ...route.params, ...changes } });
}

export function recordingOf(route: Route): number {
  const id = Number(route.params.recording ?? "0");
  return Number.isInteger(id) && id >= 0 ? id : 0;
}
