/** Rules that explain themselves, puzzles, the live board beside the editor, and quick fixes. */
import assert from "node:assert/strict";
import { check, eventually, newTable, on, see, square, SQUARES } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

const why = (/** @type {Page} */ page) => page.getByRole("region", { name: "Why?" });
const sheet = (/** @type {Page} */ page) => page.getByLabel("Rule sheet", { exact: true });
const side = (/** @type {Page} */ page) => page.getByRole("region", { name: "The game" });

check("a click that makes no move is explained, with a link to the rule", async (page) => {
  await newTable(page, "tic-tac-toe", { x: "human", o: "human" });
  await square(page, "a1").click();
  await eventually(() => on(page, "a1"), "x", "a move");
  await square(page, "a1").click();
  await why(page).getByRole("button", { name: "Why not 1,1?" }).or(why(page).getByRole("button", { name: /^Why not/u })).first().click();
  await see(why(page), /may not make the move/u);
  await see(why(page), "But x is on (1,1)");
  const link = why(page).getByRole("link", { name: /^line \d+$/u }).first();
  const line = Number(/\d+/u.exec(await link.innerText())?.[0]);
  await link.click();
  await page.waitForURL(/\/rules\?lines=/u);
  await see(page.getByRole("heading", { level: 1 }), "Rules of Tic-Tac-Toe");
  const marked = await page.locator(".sheet-lines .marked").allInnerTexts();
  assert.match(marked.join("\n"), /\(legal \?player \(mark/u, `line ${line}`);
});

check("what is needed to win, what a move changed, and why it is over", async (page) => {
  await newTable(page, "tic-tac-toe", { x: "human", o: "human" });
  for (const name of ["a1", "a2", "b1", "b2"]) {
    await square(page, name).click();
    await eventually(() => on(page, name), (what) => what !== "empty", name);
  }
  await why(page).getByRole("button", { name: "What does x need?" }).click();
  await see(why(page), /would hold if x is on \(3,1\)/u);
  await why(page).getByRole("button", { name: "What did the last move change?" }).click();
  await see(why(page), /o is on \(2,2\) after the move/iu);
  await square(page, "c1").click();
  await see(page.getByRole("region", { name: "Result" }), "line x");
  await see(why(page), /The game is over/u);
});

check("the rules page says in words what the sheet says", async (page) => {
  await page.goto("/games/breakthrough");
  await page.getByRole("link", { name: "Rules", exact: true }).click();
  await see(page.getByRole("heading", { level: 1 }), "Rules of Breakthrough");
  await see(page.getByRole("region", { name: "In words" }), "What may be done");
  await see(page.getByRole("region", { name: "In words" }), /may make the move/u);
  await page.getByRole("region", { name: "In words" }).getByRole("button", { name: /^line/u }).first().click();
  assert.ok((await page.locator(".sheet-lines .marked").count()) >= 1);
});

check("beside the editor the game is played while it is written", async (page) => {
  await page.goto("/write?game=tic-tac-toe");
  await see(side(page), "choose for x");
  await side(page).locator('[role="button"][aria-label]').nth(4).click();
  await see(side(page), "choose for o");
  await side(page).getByRole("button", { name: "Random move" }).click();
  await see(side(page), /Move 3: choose for x/u);
  // A change of the sheet leaves the moves as they are, as long as they are legal.
  await sheet(page).press("Control+Home");
  await page.keyboard.type(";; changed\n");
  await see(side(page), /Move 3: choose for x/u);
  await side(page).getByRole("button", { name: "Start again" }).click();
  await see(side(page), /Move 1: choose for x/u);
});

check("a slip is mended by a button", async (page) => {
  await page.goto("/write");
  await sheet(page).fill("(role red)\n(init (step 1))\n(legal red wait)\n(<= terminal (true (stepp 1)) (readdy red))\n(ready red)\n(goal red 100)\n");
  await page.getByRole("button", { name: /^Change to ready/u }).first().click();
  await eventually(() => sheet(page).inputValue(), (text) => text.includes("(ready red))") && !text.includes("readdy"), "mended");
  await page.keyboard.press("Control+z");
  await eventually(() => sheet(page).inputValue(), (text) => text.includes("readdy"), "undo brings it back");
});

check("a puzzle has one winning move, and another is refused", async (page) => {
  await page.goto("/puzzles?game=tic-tac-toe&level=easy&seed=5");
  await see(page, /wins with one move alone/u);
  const puzzle = await (await page.request.post("/api/puzzles", { data: { game: "tic-tac-toe", level: "easy", seed: 5 } })).json();
  const legal = puzzle.frame.legal[puzzle.role];
  assert.ok(legal.length >= 3);
  /** @type {string[]} */
  const right = [];
  for (const one of legal) {
    const answer = await page.request.post("/api/puzzles/answer", { data: { game: "tic-tac-toe", moves: puzzle.moves, move: one.move } });
    if ((await answer.json()).right) right.push(one.move);
  }
  assert.equal(right.length, 1, "exactly one move wins");
  await page.getByText("All moves").click();
  const inOrder = legal.map((/** @type {any} */ one) => one.move).sort(new Intl.Collator("en", { numeric: true }).compare);
  const wrong = inOrder.findIndex((/** @type {string} */ move) => move !== right[0]);
  await page.locator(".legal button").nth(wrong).click();
  await see(page, /does not win\. Try another move/u);
  await page.getByRole("button", { name: "Show the move" }).click();
  await see(page, /is the move that wins/u);
  await page.getByRole("button", { name: "Play it out" }).waitFor();
});

check("a position is sent as a link with everything inside", async (page) => {
  await newTable(page, "tic-tac-toe", { x: "human", o: "human" });
  for (const name of ["a1", "b2"]) {
    await square(page, name).click();
    await eventually(() => on(page, name), (what) => what !== "empty", name);
  }
  const id = page.url().split("/").at(-1);
  const { game, frames } = await (await page.request.get(`/api/tables/${id}`)).json();
  const moves = frames.slice(1).map((/** @type {any} */ frame) => frame.made.joint);
  const link = await page.evaluate(async (given) => {
    const place = "/js/share.js";
    const { linkOf } = await import(place);
    return linkOf(given.game, given.moves);
  }, { game, moves });
  await page.goto("/matches");
  await page.goto(link);
  await see(page, "A match of 2 moves that was sent as a link.");
  await eventually(() => on(page, "b2"), "o", "the position");
  await page.getByRole("button", { name: "Play on, all by hand" }).click();
  await page.waitForURL(/\/tables\//u);
  await square(page, "c3").click();
  await eventually(() => on(page, "c3"), "x", "it is played on");
  await page.goto("/matches");
  await page.goto("/share#match=damaged");
  await see(page, "The match in this address is damaged");
});

check("a game is opened in another size", async (page) => {
  await page.goto("/games/hex-7x7");
  const size = page.getByRole("region", { name: "Size" });
  await size.getByLabel("Columns").fill("5");
  await size.getByLabel("Rows").fill("4");
  await size.getByRole("button", { name: "Open" }).click();
  await page.waitForURL(/hex@5x4|hex%405x4/u);
  await page.getByRole("heading", { level: 1, name: /5x4/u }).waitFor();
  await page.getByLabel("red", { exact: true }).selectOption("human");
  await page.getByLabel("blue", { exact: true }).selectOption("human");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/\/tables\//u);
  await eventually(() => page.locator(SQUARES).count(), 20, "squares");
  await page.locator(SQUARES).nth(7).click();
  await eventually(() => page.getByRole("list", { name: "Moves" }).getByRole("listitem").count(), 2, "a move");
});
