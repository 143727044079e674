// SPDX-License-Identifier: MIT
// Bad names, slow responses, failures. The tests inject them between the page and its server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isFile, launch, open, openPage, shoot, violations } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const skip = isFile ? "a file has no server" : false;
const bad = "<img src=x onerror=alert(1)>\u202e\u0007\"'&</script>";

test("names from recordings stay text", { skip }, async () => {
  const dialogs = [];
  const { page, problems, close } = await openPage(browser, {
    prepare: async (page) => {
      page.on("dialog", (dialog) => dialogs.push(dialog.message()));
      await page.route(/\/api\/(hotspots|explain|totals|flame)/, async (route) => {
        const response = await route.fetch();
        const spoil = (value, key) => {
          if (typeof value === "string") return ["function", "remedy", "object", "instruction", "dso"].includes(key) ? bad : value;
          if (Array.isArray(value)) return value.map((each) => spoil(each, key === "command" || key === "notes" ? "function" : ""));
          if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoil(each, name)]));
          return value;
        };
        await route.fulfill({ response, json: spoil(await response.json(), "") });
      });
    },
  });
  for (const hash of ["#/summary", "#/hotspots", "#/hotspots?as=flame", "#/why"]) {
    await open(page, hash);
    assert.equal(await page.locator("main img").count(), 0);
    if (hash !== "#/hotspots?as=flame") await page.getByText("<img src=x onerror=alert(1)>\\u202e\\x07").first().waitFor();
  }
  assert.deepEqual(dialogs, []);
  assert.deepEqual(problems, []);
  await close();
});

test("what takes long says so, and goes away", { skip }, async () => {
  let release;
  const held = new Promise((done) => {
    release = done;
  });
  const { page, close } = await openPage(browser);
  await page.route(/\/api\/map/, async (route) => {
    await held;
    await route.continue();
  });
  await page.evaluate(() => (location.hash = "#/map?level=l3"));
  await page.reload({ waitUntil: "commit" });
  await page.getByRole("status").getByText(/Working out/).waitFor();
  release();
  await page.waitForFunction(() => document.querySelector("[role='status']")?.textContent === "");
  await close();
});

test("failures are said in one sentence", { skip }, async () => {
  const { page, close } = await openPage(browser);
  await page.route(/\/api\/hotspots/, (route) =>
    route.fulfill({ status: 500, contentType: "application/json", body: JSON.stringify({ schema: 1, error: "perf.data was cut off" }) }),
  );
  await page.evaluate(() => (location.hash = "#/hotspots"));
  await page.reload();
  await page.getByRole("alert").getByText("perf.data was cut off").waitFor();
  await page.unroute(/\/api\/hotspots/);
  await page.route(/\/api\//, (route) => route.abort());
  await page.reload();
  await page.getByRole("alert").getByText(/the server does not answer/).waitFor();
  await close();
});

test("nothing measured is said, not shown as an empty table", { skip }, async () => {
  const empty = { schema: 1, recording: { pmu: null, command: [], lost: { records: 0, samples: 0 }, clock: {}, problems: [], notes: [] } };
  const { page, problems, close } = await openPage(browser, {
    prepare: async (page) => {
      await page.route(/\/api\/hotspots/, (route) => route.fulfill({ json: { ...empty, sort: ["function"], events: {}, all_rows: 0, rows: [] } }));
      await page.route(/\/api\/totals/, (route) => route.fulfill({ json: { ...empty, elapsed_ns: null, events: {}, threads: [] } }));
      await page.route(/\/api\/explain/, (route) => route.fulfill({ json: { ...empty, events: [], contested_lines: { accesses_sampled: 0, all: 0, lines: [] } } }));
    },
  });
  await page.getByText("Nothing was sampled.", { exact: true }).waitFor();
  const nothing = /Nothing was measured/;
  const sentences = { hotspots: nothing, source: nothing, why: /No measured event has causes to show/, timeline: nothing };
  for (const [view, sentence] of Object.entries(sentences)) {
    await open(page, `#/${view}`);
    await page.getByText(sentence).waitFor();
  }
  assert.deepEqual(problems, []);
  await close();
});

test("rates that were not measured are no zeros", { skip }, async () => {
  const { page, problems, close } = await openPage(browser, {
    prepare: (page) =>
      page.route(/\/api\/timeline/, async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        const [first, second] = json.rates;
        for (const each of [first, second]) each.gaps = [{ begin_at: json.begin_at, end_at: json.end_at }];
        first.per_billion = first.per_billion.map(() => null);
        first.most_per_billion = null;
        await route.fulfill({ response, json });
      }),
  });
  await open(page, "#/timeline");
  const table = page.getByRole("region", { name: "Event rates in the part that is shown" });
  await table.locator("tbody tr").filter({ hasText: /l1_cache_miss\s*-\s*-\s*-\s*-\s*[1-9]/ }).waitFor();
  await page.getByText(/Yellow: samples are missing there/).waitFor();
  const canvas = page.locator("[aria-roledescription='time line'] canvas");
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 50);
  await page.getByText("not measured").waitFor();
  await shoot(page, "timeline-gaps");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test("episodes and contested lines are shown", { skip }, async () => {
  const user = { thread: "worker 7", offset: 8, bytes: 8, object: "global counters", field: "done", writes: true, samples: 3 };
  const line = { address: 4096, samples: 4, users: [user, { ...user, thread: "worker 8", offset: 0, samples: 1 }] };
  const contested = { line, class: "false sharing", accesses: 40, written: 0.5, most_handovers: 12, functions: ["work"] };
  const { page, problems, close } = await openPage(browser, {
    prepare: async (page) => {
      await page.route(/\/api\/timeline/, async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        const length = json.end_at - json.begin_at;
        json.episodes = [
          {
            begin_at: json.begin_at + length * 0.4,
            end_at: json.begin_at + length * 0.5,
            unusual: [{ function: "compact", dso: "x", share: 0.9, usual_share: 0.1 }, { event: "page-faults", per_billion: 900, usual_per_billion: 3 }],
            lanes: ["1 x"],
            before: [{ function: "grow", share: 0.5 }],
            chance: 0.001,
          },
        ];
        await route.fulfill({ response, json });
      });
      await page.route(/\/api\/explain/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), contested_lines: { accesses_sampled: 400, all: 1, lines: [contested] } } });
      });
    },
  });
  await open(page, "#/timeline");
  const episodes = page.getByRole("region", { name: "Episodes" }).locator("tbody tr");
  await episodes.first().getByText(/compact 90.0% of the time, else 10.0%/).waitFor();
  await episodes.first().click();
  await page.waitForFunction(() => /from=\d+/.test(location.hash));
  await shoot(page, "episode");
  assert.deepEqual(await violations(page), []);
  await open(page, "#/data");
  await page.getByText(/Up to 12 times handed over, false sharing/).waitFor();
  await page.getByText(/worker 7: writes bytes 8 to 15 of global counters, done: 75.0%/).waitFor();
  await shoot(page, "contested");
  assert.deepEqual(problems, []);
  await close();
});
