// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import test from "node:test";
import { Client } from "../../client";
import { follow, type Seen } from "./follow";

const state = { running: true, command: [], path: "x", bytes: 1, seconds: 0, exit_status: null, said: "" };

test("one request at a time, until the recording has ended", async () => {
  let open = 0;
  let asked = 0;
  const client = new Client(async ({ path }) => {
    open += 1;
    asked += 1;
    assert.equal(open, 1);
    await new Promise((done) => setTimeout(done, 5));
    open -= 1;
    if (path === "live") throw new Error("nothing is recorded yet");
    return { ...state, running: asked < 3 };
  }, false);
  const seen: Seen[] = [];
  await new Promise<void>((done) => {
    const following = follow(
      client,
      (each) => {
        seen.push(each);
        if (!each.state.running) done();
      },
      (text) => assert.fail(text),
    );
    following.wake();
  });
  assert.deepEqual(
    seen.map((each) => [each.state.running, each.live]),
    [
      [true, null],
      [true, "nothing is recorded yet"],
      [false, null],
    ],
  );
});

test("what was asked before it was woken is not told", async () => {
  let asked = 0;
  const client = new Client(async () => {
    const seconds = ++asked;
    await new Promise((done) => setTimeout(done, 5));
    return { ...state, running: false, seconds };
  }, false);
  const seen = await new Promise<Seen>((done) => {
    const following = follow(client, done, (text) => assert.fail(text));
    following.wake();
    following.wake();
  });
  assert.equal(seen.state.seconds, 2);
});

test("after it was stopped it tells nothing", async () => {
  const client = new Client(async () => state, false);
  const following = follow(client, () => assert.fail(), () => assert.fail());
  following.wake();
  following.stop();
  await new Promise((done) => setTimeout(done, 20));
});
