/** The gallery, and how every page looks: on a desk, on a phone, in the dark, and to those who do not see it (axe-core). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { check, eventually, newTable, see, square } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** axe-core puts styles into the page that its policy forbids; all other tests keep the policy. */
const OPEN = { bypassCSP: true };
const PHONE = { width: 390, height: 844 };

/** Every kind of page, and what tells that it is there. @type {[string, (page: Page) => Promise<void>][]} */
const PAGES = [
  ["gallery", async (page) => {
    await page.goto("/");
    await page.locator(".card svg").first().waitFor();
  }],
  ["game", async (page) => {
    await page.goto("/games/chess");
    await square(page, "e2").waitFor();
  }],
  ["table", async (page) => {
    await newTable(page, "breakthrough", { white: "human", black: "random" });
    await square(page, "a2").click();
    await square(page, "a3").click();
    await eventually(() => page.locator(".move-list li").count(), 3, "two moves");
  }],
  ["game without a board", async (page) => {
    await newTable(page, "prisoners-dilemma", {});
    await page.locator(".facts").first().waitFor();
  }],
  ["table with clocks", async (page) => {
    const data = { game: "hex-7x7", seats: ["human", "human"], clock: { seconds: 5, increment: 1 } };
    await page.goto(`/tables/${(await (await page.request.post("/api/tables", { data })).json()).id}`);
    await square(page, "d4").click();
    await page.locator(".clock.low.runs").waitFor();
  }],
  ["moves word by word", async (page) => {
    await newTable(page, "mastermind", { guesser: "human" });
    await page.getByRole("group", { name: "Make a move word by word" }).getByRole("button").first().waitFor();
  }],
  ["why", async (page) => {
    await newTable(page, "connect-four", { red: "human", yellow: "human" });
    await page.getByRole("button", { name: "Why is it not over?" }).click();
    await see(page, "The game is not over.");
  }],
  ["rules", async (page) => {
    await page.goto("/games/sudoku/rules?lines=10-12");
    await page.locator(".sheet-lines .marked").first().waitFor();
  }],
  ["puzzles", async (page) => {
    await page.goto("/puzzles?game=tic-tac-toe&level=easy&seed=5");
    await see(page, /wins with one move alone/u);
  }],
  ["share", async (page) => {
    await page.goto("/");
    const link = await page.evaluate(async () => {
      const place = "/js/share.js";
      const { linkOf } = await import(place);
      return linkOf({ id: "tic-tac-toe", bundled: true }, [["(mark 1 1)", "noop"]]);
    });
    await page.goto("/matches");
    await page.goto(link);
    await see(page, "A match of 1 move that was sent as a link.");
  }],
  ["real time", async (page) => {
    await page.goto("/live");
    await page.locator(".live-game").first().waitFor();
  }],
  ["a table in real time", async (page) => {
    await page.goto("/live");
    const section = page.locator('.live-game[data-game="real-time-chicken"]');
    await section.getByLabel("Others").selectOption("open");
    await section.getByRole("button", { name: "Start" }).click();
    await page.waitForURL(/\/live\/live-\d+$/u);
    await see(page, /Waiting until all seats are taken/u);
  }],
  ["video games", async (page) => {
    await page.goto("/video");
    await page.getByRole("link", { name: "Cellar", exact: true }).waitFor();
  }],
  ["a video game", async (page) => {
    await page.goto("/video/cellar");
    await page.locator('.video-status[data-tick="0"]').waitFor();
  }],
  ["an address that leads nowhere", async (page) => {
    await page.goto("/nowhere");
    await see(page, "That did not work");
  }],
  ["write", async (page) => {
    await page.goto("/write");
    await page.getByLabel("Rule sheet").fill("(role red)\n(<= (legal red ?move) (true ok))\n");
    await page.locator(".problem-entry").first().waitFor();
    await page.locator(".write-status:not(.stale)").waitFor();
  }],
  ["write, with plots", async (page) => {
    await page.goto("/write");
    await page.locator(".plot").first().waitFor();
  }],
  ["matches", async (page) => {
    await page.goto("/matches");
    await page.getByRole("heading", { level: 1, name: "Matches" }).waitFor();
    await page.getByText(/\d+ match(es)?$/u).first().waitFor();
  }],
  ["replay", async (page) => {
    await newTable(page, "tic-tac-toe", { x: "random", o: "random" }, "0.1", "Watch");
    await page.getByLabel("Pace").selectOption("0");
    await page.getByRole("region", { name: "Result" }).waitFor();
    await page.goto("/matches?game=tic-tac-toe");
    await page.getByRole("region", { name: "Matches" }).getByRole("link").first().click();
    await page.getByRole("button", { name: "Forward" }).click();
  }],
  ["tournaments", async (page) => {
    await page.goto("/tournaments");
    await page.getByRole("button", { name: "Start the tournament" }).waitFor();
  }],
  ["tournament", async (page) => {
    const data = { name: "Looks", games: ["tic-tac-toe"], players: ["random", "mc-flat"], rounds: 1, seconds: 0.01 };
    const answer = await page.request.post("/api/tournaments", { data });
    assert.equal(answer.status(), 200, await answer.text());
    await page.goto(`/tournaments/${(await answer.json()).id}`);
    await page.getByText(/^finished/u).waitFor();
  }],
];

/**
 * What axe-core finds serious or critical.
 * @param {Page} page
 * @param {string[]} [rules] Only these.
 */
async function violations(page, rules) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async (only) => {
    const results = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"], ...(only ? { runOnly: only } : {}) });
    return results.violations.map((/** @type {any} */ { id, impact, help, nodes }) => ({
      id, impact, help, nodes: nodes.slice(0, 3).map((/** @type {any} */ node) => `${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`),
    }));
  }, rules);
  return found.filter((/** @type {any} */ { impact }) => impact === "serious" || impact === "critical");
}

/** How far the page is wider than its window. @param {Page} page */
const excess = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** How light the page's ground is, from 0 to 255. @param {Page} page */
const lightness = (page) =>
  page.evaluate(() => {
    const parts = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/gu) ?? [];
    return parts.slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3;
  });

for (const [name, open] of PAGES) {
  check(`${name}: no serious violation on a desk by day, and it fits a phone in the dark`, async (page) => {
    await open(page);
    assert.deepEqual(await violations(page), []);
    assert.ok((await lightness(page)) > 180, "a light ground");
    assert.ok((await excess(page)) <= 0, "the page is wider than its window");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize(PHONE);
    assert.ok((await lightness(page)) < 80, "a dark ground");
    await eventually(() => excess(page), (wider) => wider <= 0, "the page is wider than a phone");
    assert.deepEqual(await violations(page, ["color-contrast"]), []);
  }, OPEN);
}

check("the gallery shows every game with its picture, and can be searched and filtered", async (page) => {
  await page.goto("/");
  const cards = page.locator(".cards .card");
  const all = await eventually(() => cards.count(), (count) => count > 50, "cards");
  await see(page, `${all} games`);
  await page.getByLabel("Search", { exact: true }).fill("connect");
  const { games } = await (await page.request.get("/api/games")).json();
  const fitting = games.filter((/** @type {any} */ game) => /connect/iu.test([game.title, game.id, game.idea, game.rules].join(" ")));
  await eventually(() => cards.count(), fitting.length, "cards that fit");
  assert.ok(fitting.length >= 2 && fitting.length < all);
  await page.locator(".card", { hasText: "Connect Four" }).first().locator("svg").first().waitFor();
  // The board of Connect Four is empty at the start.
  await eventually(() => page.locator(".card", { hasText: "Connect Four" }).first().locator(".piece").count(), (count) => count > 0, "a position worth seeing");
  await page.getByLabel("Search", { exact: true }).fill("");
  await page.getByLabel("Kind", { exact: true }).selectOption("puzzle");
  await eventually(async () => (await cards.allInnerTexts()).every((text) => text.includes("puzzle")), true, "puzzles only");
  await page.getByLabel("Players", { exact: true }).selectOption("2");
  await eventually(() => cards.count(), 0, "no puzzle is for two");
  await page.getByLabel("Kind", { exact: true }).selectOption("");
  await page.getByLabel("Players", { exact: true }).selectOption("3+");
  await eventually(async () => (await cards.allInnerTexts()).join(" "), (text) => text.includes("Chinese Checkers for Three Players"), "games of three and more");
  assert.match(page.url(), /players=3/u, "the filter is in the address");
  await page.getByLabel("Players", { exact: true }).selectOption("");
  await page.getByLabel("Length", { exact: true }).selectOption("short");
  const short = games.filter((/** @type {any} */ game) => game.moves <= 12);
  await eventually(() => cards.count(), short.length, "games of few moves");
  assert.ok(short.some((/** @type {any} */ game) => game.id === "tic-tac-toe") && !short.some((/** @type {any} */ game) => game.id === "chess"));
});

check("pictures of every bundled game are drawn without an error", async (page) => {
  await page.goto("/");
  const cards = page.locator(".cards .card");
  await cards.first().waitFor();
  const count = await cards.evaluateAll(async (all) => {
    for (const card of all) {
      card.scrollIntoView({ behavior: "instant", block: "center" });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return all.length;
  });
  await eventually(() => page.locator(".cards .picture:not(:empty)").count(), count, "every card has its picture");
  assert.equal(await page.locator(".picture-missing").count(), 0);
});
