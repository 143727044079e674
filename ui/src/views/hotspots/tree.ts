// SPDX-License-Identifier: MIT
// The tree of calls: where its boxes are, what it is from the leaves, who calls whom.
import type { FlameNode } from "../../schema";

export interface Box {
  node: FlameNode;
  // Which child at each level, from the root: "0.2.1"; "" is the root.
  path: string;
  depth: number;
  // Between 0 and 1 of what is shown.
  begin: number;
  end: number;
}

export function nodeAt(root: FlameNode, path: string): FlameNode[] {
  const nodes = [root];
  if (path === "") return nodes;
  for (const part of path.split(".")) {
    const next = nodes[nodes.length - 1]?.children[Number(part)];
    if (!next) break;
    nodes.push(next);
  }
  return nodes;
}

export function parentPath(path: string): string {
  return path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "";
}

function childPath(path: string, index: number): string {
  return path === "" ? String(index) : `${path}.${index}`;
}

// Boxes narrower than `least` are left out. Above the node that is zoomed to stand its callers, in full width.
export function boxesOf(root: FlameNode, zoom: string, least: number): Box[] {
  const boxes: Box[] = [];
  const parents = nodeAt(root, zoom);
  const steps = zoom === "" ? [] : zoom.split(".");
  parents.slice(0, -1).forEach((node, depth) => {
    boxes.push({ node, path: steps.slice(0, depth).join("."), depth, begin: 0, end: 1 });
  });
  const top = parents[parents.length - 1] ?? root;
  const scale = top.events > 0 ? 1 / top.events : 0;
  const path = steps.slice(0, parents.length - 1).join(".");
  place({ node: top, path, depth: parents.length - 1, begin: 0, end: 1 }, scale, least, boxes);
  return boxes;
}

function place(box: Box, scale: number, least: number, boxes: Box[]): void {
  boxes.push(box);
  let begin = box.begin;
  box.node.children.forEach((node, index) => {
    const end = begin + node.events * scale;
    if (end - begin >= least) {
      place({ node, path: childPath(box.path, index), depth: box.depth + 1, begin, end }, scale, least, boxes);
    }
    begin = end;
  });
}

function emptyNode({ function: name, kind, dso }: FlameNode): FlameNode {
  return { function: name, kind, dso, events: 0, self_events: 0, children: [] };
}

function childOf(node: FlameNode, like: FlameNode): FlameNode {
  const known = node.children.find((each) => each.function === like.function && each.dso === like.dso);
  if (known) return known;
  const made = emptyNode(like);
  node.children.push(made);
  return made;
}

function order(node: FlameNode): void {
  node.children.sort((a, b) => b.events - a.events);
  node.children.forEach(order);
}

// From the leaves: below the root stand the functions that caused the events, below each its callers.
export function inverted(root: FlameNode): FlameNode {
  const result = { ...emptyNode(root), events: root.events };
  const walk = (node: FlameNode, callers: FlameNode[]): void => {
    if (node.self_events > 0) {
      let target = result;
      for (const each of [node, ...callers]) {
        target = childOf(target, each);
        target.events += node.self_events;
      }
      target.self_events += node.self_events;
    }
    for (const child of node.children) walk(child, node === root ? [] : [node, ...callers]);
  };
  walk(root, []);
  order(result);
  return result;
}

export interface Neighbour {
  function: string;
  dso: string;
  events: number;
}

export interface Neighbours {
  events: number;
  self: number;
  callers: Neighbour[];
  callees: Neighbour[];
}

function add(list: Map<string, Neighbour>, node: FlameNode, events: number): void {
  const key = `${node.dso}/${node.function}`;
  const known = list.get(key) ?? { function: node.function, dso: node.dso, events: 0 };
  known.events += events;
  list.set(key, known);
}

// Who calls the function and whom it calls; of a recursion the outermost call counts.
export function neighboursOf(root: FlameNode, name: string, dso: string | null): Neighbours {
  const callers = new Map<string, Neighbour>();
  const callees = new Map<string, Neighbour>();
  const found: Neighbours = { events: 0, self: 0, callers: [], callees: [] };
  const isIt = (node: FlameNode): boolean => node.kind === "function" && node.function === name && (!dso || node.dso === dso);
  const inside = (node: FlameNode): void => {
    found.self += node.self_events;
    for (const child of node.children) {
      if (isIt(child)) inside(child);
      else add(callees, child, child.events);
    }
  };
  const walk = (node: FlameNode, parent: FlameNode | null): void => {
    if (isIt(node)) {
      found.events += node.events;
      if (parent && parent !== root && parent.kind === "function") add(callers, parent, node.events);
      inside(node);
      return;
    }
    for (const child of node.children) walk(child, node);
  };
  walk(root, null);
  const byEvents = (a: Neighbour, b: Neighbour): number => b.events - a.events;
  found.callers = [...callers.values()].sort(byEvents);
  found.callees = [...callees.values()].sort(byEvents);
  return found;
}

// The part of all events in functions with `text` in their name; a box inside another counts once.
export function matchedShare(root: FlameNode, text: string): number {
  const wanted = text.toLowerCase();
  const walk = (node: FlameNode): number =>
    node.function.toLowerCase().includes(wanted) ? node.events : node.children.reduce((sum, each) => sum + walk(each), 0);
  return root.events === 0 ? 0 : root.children.reduce((sum, each) => sum + walk(each), 0) / root.events;
}
