// SPDX-License-Identifier: MIT
// The page on a store with known rows (tests/store/example_fleet.h). In the worst service one line misses three times
// as often since a release at 14:00 on 2023-11-15, and two hours have no measurement.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, openPage, pixelsTooWide, settled, shoot, storeLink, storeViews, themes, violations } from "./browser.mjs";

const skip = storeLink ? false : "no store is served";
const step = "2023-11-15 14:00";
let browser;
before(async () => {
  if (!skip) browser = await launch();
});
after(() => browser?.close());

const opened = (options = {}) => openPage(browser, { link: storeLink, ...options });
const choice = (page, name) => page.getByRole("combobox", { name, exact: true });
const rows = (page, label) => page.getByRole("region", { name: label, exact: true }).locator("tbody tr");

test("what is old says so, and leads to all there is", { skip }, async () => {
  const { page, problems, close } = await opened();
  await page.getByText("Nothing was measured of this.").waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await page.getByText(/2 machines, 3 services, 264 measurements from 2023-11-14 22:00 to 2023-11-15 21:50/).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("the worst service, its line, and since when, at one look", { skip }, async () => {
  const { page, problems, close } = await opened();
  await open(page, "#/fleet?since=all");
  assert.match(await rows(page, "Services").first().innerText(), /shop\.service\s+8\d\.\d%/);
  const panel = page.getByRole("region", { name: "The chosen service" });
  await panel.getByText(/shop\.service: \d\d\.\d% of its l3_cache_miss are in look_up, cart\.cc:88/).waitFor();
  await panel.getByText(new RegExp(`Since ${step} it is 2\\.\\d+ times what it was`)).waitFor();
  await panel.locator(".plot canvas").waitFor();
  await rows(page, "Services").filter({ hasText: "mail.service" }).click();
  await panel.getByText(/mail\.service: 100\.0% of its l3_cache_miss are in deliver/).waitFor();
  await panel.getByText("In this time it did not change beyond noise.").waitFor();
  await page.waitForFunction(() => location.hash.includes("service=mail.service"));
  assert.deepEqual(problems, []);
  await close();
});

test("from a service to its line, and why that misses", { skip }, async () => {
  const { page, problems, close } = await opened();
  await open(page, "#/service?since=all&service=shop.service");
  for (const sort of ["function", "module", "host", "release", "class", "object", "line"]) {
    await choice(page, "Rows by").selectOption(sort);
    await settled(page);
    await rows(page, `Rows by ${sort}`).first().waitFor();
  }
  await rows(page, "Rows by line").first().click();
  await page.waitForFunction(() => location.hash.startsWith("#/place?") && location.hash.includes("at_line=88"));
  await settled(page);
  await rows(page, "Why it misses").getByText("capacity").waitFor();
  await rows(page, "On what").getByText("heap: carts").waitFor();
  assert.equal(await rows(page, "On which machines").count(), 2);
  assert.equal(await rows(page, "In which releases").count(), 2);
  await page.getByText(new RegExp(`Since ${step} it is 2\\.9\\d* times`)).waitFor();
  await page.reload();
  await settled(page);
  await rows(page, "Why it misses").getByText("capacity").waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("what was not measured is no point, and a time can be chosen in the chart", { skip }, async () => {
  const { page, problems, close } = await opened();
  await open(page, "#/trend?since=all&service=shop.service");
  await page.locator(".plot canvas").nth(1).waitFor();
  await page.getByText(/Each point is/).first().click();
  const table = rows(page, "Rate of shop.service over time, as a table");
  const begins = (await table.locator("td:first-child").allInnerTexts()).map((text) => text.slice(11));
  assert.ok(begins.length > 30);
  assert.ok(!begins.some((time) => time.startsWith("06:") || time.startsWith("07:")), "two hours have no measurement");
  const box = await page.locator(".plot .u-over").first().boundingBox();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => /since=\d+/.test(location.hash) && /until=\d+/.test(location.hash));
  await settled(page);
  await choice(page, "Time").selectOption("all");
  await page.waitForFunction(() => location.hash.includes("since=all") && !location.hash.includes("until="));
  assert.deepEqual(problems, []);
  await close();
});

test("two releases are compared", { skip }, async () => {
  const { page, problems, close } = await opened();
  await open(page, "#/releases?since=all");
  assert.match(await rows(page, "Changes by line").first().innerText(), /look_up\s+cart\.cc\s+88[^]*worse/);
  await page.getByRole("checkbox").check();
  await page.waitForFunction(() => document.querySelectorAll("main tbody tr").length === 1);
  await page.getByRole("button", { name: "Swap" }).click();
  await rows(page, "Changes by line").getByText("better").waitFor();
  await open(page, "#/releases?since=all&service=mail.service");
  await page.getByText("Only one release of the service was measured in this time").waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test("selections stay from view to view, with the keyboard", { skip }, async () => {
  const { page, problems, close } = await opened();
  await open(page, "#/fleet?since=all&event=dtlb_load_miss");
  await choice(page, "Host").selectOption("web-2");
  await page.waitForFunction(() => location.hash.includes("host=web-2"));
  for (const [index, view] of storeViews.entries()) {
    await page.locator("main").focus();
    await page.keyboard.press(String(index + 1));
    await page.locator(`nav a[aria-current='page'][href^='#/${view}']`).waitFor();
    await settled(page);
    assert.match(page.url(), /event=dtlb_load_miss&host=web-2/);
    assert.equal(await page.locator(".state-failed").count(), 0);
  }
  await page.locator("main").focus();
  let asked = 0;
  page.on("request", (request) => (asked += request.url().includes("/api/fleet") ? 1 : 0));
  await page.keyboard.press("u");
  await settled(page);
  assert.ok(asked > 0, "u asks anew");
  await page.keyboard.press("1");
  // Until then, the last view's rows are there.
  await page.locator(`nav a[aria-current='page'][href^='#/${storeViews[0]}']`).waitFor();
  await settled(page);
  await page.keyboard.press("j");
  await page.waitForFunction(() => document.activeElement?.closest("tr[data-row]"));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.startsWith("#/service?"));
  assert.deepEqual(problems, []);
  await close();
});

for (const theme of themes) {
  test(`every view, ${theme}`, { skip }, async () => {
    const { page, problems, close } = await opened({ theme });
    for (const view of storeViews) {
      await open(page, `#/${view}?since=all`);
      assert.equal(await page.locator(".state-failed").count(), 0);
      await shoot(page, `store-${view}-${theme}`);
      assert.deepEqual(await violations(page), []);
    }
    assert.deepEqual(problems, []);
    await close();
  });
}

for (const width of [360, 1920]) {
  test(`nothing sticks out at ${width} pixels`, { skip }, async () => {
    const { page, close } = await opened({ width, height: 800 });
    for (const view of storeViews) {
      await open(page, `#/${view}?since=all`);
      await shoot(page, `store-${view}-${width}`);
      const wide = await pixelsTooWide(page);
      assert.ok(wide <= 0, `${view} is ${wide} pixels too wide`);
    }
    await close();
  });
}
