// SPDX-License-Identifier: MIT
// The table of hot spots: columns of the chosen event, bars that can be compared, inclusive shares.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isFile, launch, open, openPage, settled, shoot, violations } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const table = (page) => page.getByRole("region", { name: "Hot spots by function" });
const heads = async (page) => (await table(page).locator("thead th").allInnerTexts()).map((text) => text.replace(/[▾▴\s]+$/, ""));

test("columns of one event, the largest bar is full", async () => {
  const { page, problems, close } = await openPage(browser);
  await open(page, "#/hotspots?event=l2_cache_miss");
  await page.getByText(/^l2_cache_miss: [\d,]+ samples?, about [\d,]+ events$/).waitFor();
  const names = await heads(page);
  assert.deepEqual(names.filter((name) => name !== "with callees"), ["function", "share", "samples", "events", "dso"]);
  const largest = () => table(page).locator("tbody tr").first().locator(".share-fill").first().evaluate((each) => each.style.width);
  assert.equal(await largest(), "100%");
  const rowOf = () => table(page).locator("tbody tr").first().innerText();
  const before = await rowOf();
  await page.getByRole("combobox", { name: "Event" }).selectOption("l1_cache_miss");
  await page.waitForFunction(() => location.hash.includes("event=l1_cache_miss"));
  await settled(page);
  assert.notEqual(await rowOf(), before);
  assert.equal(await largest(), "100%");
  assert.deepEqual(problems, []);
  await close();
});

test("inclusive shares", { skip: isFile && "a file has no server between which and the page shares can be put" }, async () => {
  const { page, problems, close } = await openPage(browser, {
    prepare: (page) =>
      page.route(/\/api\/hotspots/, async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        for (const row of json.rows) {
          Object.assign(row, { inclusive: row.counts, inclusive_estimated: row.estimated });
          row.inclusive_share = Object.fromEntries(Object.keys(row.share).map((event) => [event, { value: 0.875, low: 0.85, high: 0.9 }]));
        }
        await route.fulfill({ response, json });
      }),
  });
  await open(page, "#/hotspots");
  assert.ok((await heads(page)).includes("with callees"));
  await table(page).getByText("87.5% ±2.5").first().waitFor();
  await shoot(page, "hotspots-inclusive");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test("the share is in view at 390 pixels", async () => {
  const { page, close } = await openPage(browser, { width: 390, height: 800 });
  await open(page, "#/hotspots");
  const share = await table(page).locator("tbody .share-text").first().boundingBox();
  assert.ok(share.x + share.width <= 390, `the share ends at ${share.x + share.width} pixels`);
  await close();
});
