// SPDX-License-Identifier: MIT
// Uses the whole page with only the keyboard.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isFile, launch, openPage, settled, views } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const focused = (page) => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? "");

test("keyboard only", async (t) => {
  const { page, problems, close } = await openPage(browser);
  const press = (key) => page.keyboard.press(key);

  await t.test("the first stop skips to the content", async () => {
    await press("Tab");
    assert.match(await focused(page), /To the content/);
    await press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "content");
  });

  await t.test("help opens, keeps the focus, and closes", async () => {
    await press("?");
    await page.getByRole("dialog").waitFor();
    await press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  await t.test("numbers open the views", async () => {
    for (const [index, view] of views.entries()) {
      await press(String(index + 1));
      await page.locator(`nav a[aria-current='page'][href^='#/${view}']`).waitFor();
      await settled(page);
    }
  });

  await t.test("a row is found, chosen and opened", async () => {
    await press("2");
    await page.locator("nav a[aria-current='page'][href^='#/hotspots']").waitFor();
    await page.locator("main tr").first().waitFor();
    await settled(page);
    await press("/");
    assert.match(await focused(page), /data-search/);
    await page.keyboard.type("_");
    await page.waitForFunction(() => location.hash.includes("search=_"));
    for (let i = 0; i < 1; ++i) await press("Backspace");
    await press("Escape");
    await press("j");
    assert.match(await focused(page), /<tr/);
    await press("Space");
    await page.locator("tr[aria-current='true']").waitFor();
    await press("Enter");
    await page.waitForFunction(() => location.hash.startsWith("#/source?"));
    await settled(page);
  });

  await t.test("rows of the source are walked through", async () => {
    await page.locator("main tr").first().waitFor();
    await press("j");
    assert.match(await focused(page), /<tr/);
    await press("Enter");
    await page.waitForFunction(() => location.hash.includes("line="));
  });

  await t.test("the call graph is walked through and zoomed", async () => {
    await page.evaluate(() => (location.hash = "#/hotspots?as=flame"));
    const graph = page.locator("[aria-roledescription='call graph']");
    await graph.waitFor();
    for (let i = 0; i < 60 && !(await graph.evaluate((each) => each === document.activeElement)); ++i) await press("Tab");
    assert.ok(await graph.evaluate((each) => each === document.activeElement), "Tab reaches the graph");
    await press("ArrowUp");
    await press("ArrowUp");
    await press("Enter");
    await page.waitForFunction(() => location.hash.includes("zoom="));
    await press("0");
    await page.waitForFunction(() => !location.hash.includes("zoom="));
  });

  await t.test("the time line is zoomed and moved", async () => {
    await press("7");
    await page.locator("nav a[aria-current='page'][href^='#/timeline']").waitFor();
    await page.locator("[aria-roledescription='time line'] canvas").waitFor();
    await settled(page);
    await page.locator("[aria-roledescription='time line']").focus();
    await press("+");
    await page.waitForFunction(() => location.hash.includes("from="));
    if (isFile) {
      // A file holds no finer parts: a sentence takes the graph's place.
      await page.getByRole("button", { name: "Whole run" }).click();
    } else {
      await press("ArrowRight");
      await press("ArrowDown");
      // The lane of a thread, by its number and its program; its misses have no times.
      await page.locator("[aria-label='Part of the run'] [aria-live]").filter({ hasText: /^\s*\d+ [^:]*\S\./ }).waitFor();
      await press("0");
    }
    await page.waitForFunction(() => !location.hash.includes("from="));
  });

  await t.test("the focus is visible", async () => {
    await page.locator("nav a").first().focus();
    await press("Tab");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none");
  });

  assert.deepEqual(problems, []);
  await close();
});
