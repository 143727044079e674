// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import type { Count } from "../../schema";
import { processesOf } from "./processes";

const count = (samples: number): Count => ({ samples, estimated: null, exact: null, fewer_than: null, best: null });

test("threads are summed by process, which has the name of its first thread", () => {
  const threads = [
    { pid: 7, tid: 8, comm: "worker", events: { l1: count(5), l2: count(1) } },
    { pid: 7, tid: 7, comm: "server", events: { l1: count(1), l2: count(0) } },
    { pid: 9, tid: 9, comm: "client", events: { l1: count(9), l2: count(0) } },
    { pid: 10, tid: 10, comm: "idle", events: { l1: count(0), l2: count(0) } },
  ];
  assert.deepEqual(processesOf({ threads }), [{ pid: 9, name: "client", samples: 9 }, { pid: 7, name: "server", samples: 7 }]);
});
