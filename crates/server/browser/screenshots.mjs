/**
 * Makes the pictures of `docs/screenshots/` that the README shows: `npm run screenshots`. They are small: no more colours than a palette
 * holds, which pngquant sees to where it is installed.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import assert from "node:assert/strict";
import { eventually, newTable, openWindow, PATIENCE, square } from "./harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const FOLDER = fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));
const LARGEST = 120 * 1024;

/** @type {Record<string, (page: Page) => Promise<void>>} */
const PICTURES = {
  gallery: async (page) => {
    await page.goto("/");
    await eventually(() => page.locator(".card svg").count(), (count) => count >= 12, "cards with pictures");
  },
  play: async (page) => {
    await newTable(page, "breakthrough", { white: "human", black: "paidia" }, "0.5");
    for (const [from, to] of [["d2", "d3"], ["e2", "e3"], ["d3", "d4"]]) {
      await page.locator("p.status.yours").waitFor();
      await square(page, from ?? "").click();
      await square(page, to ?? "").click();
    }
    await page.locator("p.status.yours").waitFor();
    await square(page, "e3").click();
  },
  watch: async (page) => {
    await newTable(page, "connect-four", { red: "paidia", yellow: "uct" }, "0.2", "Watch");
    await page.getByLabel("Pace").selectOption("0");
    await page.getByRole("region", { name: "Result" }).waitFor({ timeout: 4 * PATIENCE });
    const moves = page.locator(".move-list li");
    await moves.nth(Math.floor((await moves.count()) * 0.6)).getByRole("button").click();
  },
  write: async (page) => {
    await page.goto("/write");
    await page.getByLabel("New from").selectOption("template:corners");
    await page.locator(".write-side .plot").first().waitFor();
    const area = page.getByLabel("Rule sheet");
    await area.evaluate((element) => {
      const { value } = /** @type {HTMLTextAreaElement} */ (element);
      const place = value.indexOf("?row))\n    (true (control ?player))");
      /** @type {HTMLTextAreaElement} */ (element).setSelectionRange(place, place + 4);
    });
    await area.focus();
    await page.keyboard.type("?rank");
    await page.locator(".problem-entry.error").first().waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  },
  tournament: async (page) => {
    const data = { name: "Autumn cup", games: ["tic-tac-toe", "connect-four"], players: ["paidia", "uct", "mc-flat", "random"], rounds: 1, seconds: 0.02 };
    const answer = await page.request.post("/api/tournaments", { data });
    assert.equal(answer.status(), 200, await answer.text());
    await page.goto(`/tournaments/${(await answer.json()).id}`);
    await page.getByText(/^finished/u).waitFor({ timeout: 10 * PATIENCE });
  },
};

for (const [name, open] of Object.entries(PICTURES)) {
  test(name, { timeout: 12 * PATIENCE }, async () => {
    mkdirSync(FOLDER, { recursive: true });
    const { page, close } = await openWindow({ viewport: { width: 1120, height: 840 } });
    await open(page);
    await page.evaluate(() => document.fonts.ready);
    const path = `${FOLDER}${name}.png`;
    await page.screenshot({ path, animations: "disabled" });
    await close();
    const packed = spawnSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "128", path]);
    if (packed.error) console.error("pngquant is not installed; the picture stays as it is");
    assert.ok(statSync(path).size < LARGEST, `${path} is too large`);
  });
}
