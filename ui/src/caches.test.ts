// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { cachesIn } from "./caches";

const told = (level: number, type: string, bytes: number) => ({ level, type, bytes, sets: 64, ways: 8, line_bytes: 64, cpus: "0" });

test("one cache for data of each level, in their order", () => {
  const caches = cachesIn([
    told(2, "Unified", 500),
    told(1, "Instruction", 30),
    told(1, "Data", 32),
    told(1, "Data", 48),
    told(7, "Unified", 9),
  ]);
  assert.deepEqual(
    caches.map(({ level, name, bytes }) => [level, name, bytes]),
    [
      ["l1d", "L1D", 32],
      ["l2", "L2", 500],
    ],
  );
});

test("none where none is told", () => assert.deepEqual(cachesIn([]), []));
