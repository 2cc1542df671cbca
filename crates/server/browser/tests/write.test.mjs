/** Writing games: highlighting, problems at their places, the way from a text to a game that is played, and what random play shows. */
import assert from "node:assert/strict";
import { check, eventually, on, see, square } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** A game that nobody has seen before: whoever colours the hot square loses. */
const UNSEEN = `;;; Hot Squares
(role amber)
(role violet)
(init (place 1 1 blank)) (init (place 2 1 blank)) (init (place 3 1 blank))
(init (place 1 2 blank)) (init (place 2 2 blank)) (init (place 3 2 blank))
(init (mover amber))
(<= (legal ?who (colour ?x ?y)) (true (mover ?who)) (true (place ?x ?y blank)))
(<= (legal ?who noop) (other ?who ?one) (true (mover ?one)))
(<= (next (place ?x ?y ?who)) (does ?who (colour ?x ?y)))
(<= (next (place ?x ?y ?what)) (true (place ?x ?y ?what)) (not (coloured ?x ?y)))
(<= (next (mover ?who)) (other ?who ?one) (true (mover ?one)))
(<= (coloured ?x ?y) (does ?who (colour ?x ?y)))
(<= terminal (true (place 3 1 ?who)) (role ?who))
(<= (goal ?who 0) (true (place 3 1 ?who)) (role ?who))
(<= (goal ?who 100) (true (place 3 1 ?one)) (other ?who ?one))
(other amber violet)
(other violet amber)
`;

/** Line 4 uses a variable that nothing binds. */
const FAULTY = `(role red)
(init (step 1))
(legal red wait)
(<= (next (step ?later)) (true (step ?now)))
(<= terminal (true (step 2)))
(goal red 100)
`;

const sheet = (/** @type {Page} */ page) => page.getByLabel("Rule sheet");
const status = (/** @type {Page} */ page) => page.locator(".write-status:not(.stale)");

check("a rule sheet with an error is marked at its line, and a click goes there", async (page) => {
  await page.goto("/write");
  await sheet(page).fill(FAULTY);
  await see(page, /^error$/u);
  const place = page.locator(".problem-place").filter({ hasText: "line 4" }).first();
  await place.waitFor();
  assert.match(await place.innerText(), /error\s+line 4\s+.*\?later/su);
  await page.locator('.editor-number.error[data-line="4"]').waitFor();
  assert.equal(await page.locator(".editor-number.error").count(), 1, "only that line has the mark");
  await eventually(async () => (await page.locator(".editor-line .t-error").allInnerTexts()).join(""), (text) => text.includes("?later"), "what is underlined");
  const box = await page.locator(".editor-line .t-error").first().boundingBox();
  const number = await page.locator('.editor-number[data-line="4"]').boundingBox();
  assert.ok(box && number && Math.abs(box.y + box.height / 2 - number.y - number.height / 2) < 6, "the underline is in line 4");
  await place.click();
  const chosen = await sheet(page).evaluate((area) => {
    const { value, selectionStart, selectionEnd } = /** @type {HTMLTextAreaElement} */ (area);
    return { line: value.slice(0, selectionStart).split("\n").length, text: value.slice(selectionStart, selectionEnd) };
  });
  assert.equal(chosen.line, 4);
  assert.match(chosen.text, /\?later/u);
  await page.getByText("What does unsafe-variable mean?").first().click();
  await see(page, /gets no value from a positive/u);
  await page.getByRole("button", { name: "Play it" }).click();
  await see(page.locator("#notices"), /\S/u);
  assert.match(page.url(), /\/write$/u, "a faulty sheet is not played");
});

check("mending the sheet takes the marks away, and undo brings the text back", async (page) => {
  await page.goto("/write");
  await sheet(page).fill(FAULTY);
  await page.locator(".editor-number.error").first().waitFor();
  await sheet(page).evaluate((area) => /** @type {HTMLTextAreaElement} */ (area).setSelectionRange(0, 0));
  await sheet(page).focus();
  await page.keyboard.type(";");
  await page.keyboard.press("Control+z");
  await eventually(() => sheet(page).inputValue(), FAULTY, "the text after undo");
  await sheet(page).fill(FAULTY.replace("?later)) (true (step ?now)))", "2)) (true (step 1)))"));
  await see(status(page), /No problems found/u);
  await eventually(() => page.locator(".editor-number.error").count(), 0, "marks that are left");
  await page.reload();
  await eventually(() => sheet(page).inputValue(), (text) => text.includes("(next (step 2))"), "the browser keeps the sheet");
});

check("words, variables, comments and the parentheses at the cursor are highlighted", async (page) => {
  await page.goto("/write");
  const text = "; a remark\n(<= (next (mark ?spot)) (true (mark ?spot)) (not wiped))\n";
  await sheet(page).fill(text);
  const first = async (/** @type {string} */ kind) => (await page.locator(`.editor-line .t-${kind}`).allInnerTexts()).join(" ");
  await eventually(() => first("variable"), "?spot ?spot", "variables");
  assert.equal(await first("comment"), "; a remark");
  assert.equal(await first("keyword"), "next true");
  assert.equal(await first("connective"), "<= not");
  await sheet(page).evaluate((area) => /** @type {HTMLTextAreaElement} */ (area).setSelectionRange(11, 11));
  await sheet(page).press("Shift");
  await eventually(() => page.locator(".editor-line .t-pair").count(), 2, "a pair of parentheses");
  await sheet(page).fill("next(mark(Spot)) :- true(mark(Spot)), ~wiped. % infix\n");
  await eventually(() => first("variable"), "Spot Spot", "variables of infix notation");
  assert.equal(await first("comment"), "% infix");
});

check("a pasted rule sheet never seen before is drawn and played", async (page) => {
  await page.goto("/write");
  await page.getByLabel("Name", { exact: true }).fill("Hot Squares");
  await sheet(page).fill(UNSEEN);
  await see(status(page), /No problems found/u);
  await page.getByRole("button", { name: "Play it" }).click();
  await page.waitForURL(/\/games\/pasted-/u);
  await see(page.getByRole("heading", { level: 1 }), "Hot Squares");
  await page.getByLabel("amber", { exact: true }).selectOption("human");
  await page.getByLabel("violet", { exact: true }).selectOption("human");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/\/tables\//u);
  await square(page, "a1").click();
  await eventually(() => on(page, "a1"), "amber", "the first square");
  await square(page, "c1").click();
  await eventually(() => on(page, "c1"), "violet", "the third square");
  await see(page.getByRole("region", { name: "Result" }), "amber wins");
});

check("a sheet is formatted, and turned into infix and back", async (page) => {
  await page.goto("/write");
  await sheet(page).fill("(role   red)\n(init (step 1)) (legal red wait)(<= terminal (true (step 1)))(goal red 100)");
  await page.getByRole("button", { name: "Format" }).click();
  await eventually(() => sheet(page).inputValue(), (text) => text.includes("(role red)") && /\(<= terminal\n {4}\(true/u.test(text), "formatted");
  await page.getByRole("button", { name: "To infix" }).click();
  await eventually(() => sheet(page).inputValue(), (text) => text.includes("role(red)."), "infix");
  await page.getByRole("button", { name: "To prefix" }).click();
  await eventually(() => sheet(page).inputValue(), (text) => text.includes("(role red)"), "prefix");
});

check("a bundled game is a start, and random play of it is told in words and plots", async (page) => {
  await page.goto("/write?game=tic-tac-toe");
  await eventually(() => sheet(page).inputValue(), (text) => text.includes(";;; Tic-Tac-Toe"), "the sheet");
  const side = page.getByRole("region", { name: "The game" });
  await see(side, /x wins \d+ % of random play/u);
  await see(side, "Every playout ends, after 5 to 9 steps.");
  await see(side, /A position has \d\.\d ways to go on, on average/u);
  await see(side, /Length of a game: [78](\.\d+)? steps on average/u);
  const lengths = await side.getByRole("img", { name: /^Length of a game/u }).locator(".plot-bar").count();
  assert.equal(lengths, 5, "games of tic-tac-toe have five lengths");
  assert.equal(await side.getByRole("img", { name: /^Goals of [xo]/u }).count(), 2);
  await see(side, /cell\/3/u);
  await sheet(page).press("Control+Home");
  await page.keyboard.type(";; changed\n");
  await see(side, "The sheet has changed since these were made.");
  await page.locator(".write-stale").waitFor({ state: "hidden" });
});

check("every template is sound", async (page) => {
  await page.goto("/write");
  await see(status(page), /No problems found/u);
  const values = await page.getByLabel("New from").locator('option[value^="template:"]').evaluateAll((options) => options.map((option) => /** @type {HTMLOptionElement} */ (option).value));
  assert.ok(values.length >= 4);
  for (const value of values) {
    await page.getByLabel("New from").selectOption(value);
    await see(status(page), /No problems found/u);
    await page.locator(".write-stale").waitFor({ state: "hidden" });
    await page.getByRole("region", { name: "The game" }).locator(".remark").first().waitFor();
  }
});

/** It never ends, and has a goal. */
const ENDLESS = `(role ann) (init (at 1)) (next_of 1 2) (next_of 2 1)
(<= (legal ann go) (true (at ?place))) (<= (legal ann stay) (true (at ?place)))
(<= (next (at ?there)) (does ann go) (true (at ?here)) (next_of ?here ?there))
(<= (next (at ?here)) (does ann stay) (true (at ?here)))
(<= terminal (true (at 3))) (goal ann 50)
`;

check("a game without an end is told so, and not that a goal is missing", async (page) => {
  await page.goto("/write");
  await sheet(page).fill(ENDLESS);
  const side = page.getByRole("region", { name: "The game" });
  await see(side, /100 % of playouts are cut/u);
  assert.doesNotMatch(await side.innerText(), /goal is missing|no goal/u);
});

check("figures of random play become words", async (page) => {
  await page.goto("/write");
  const figures = {
    playouts: 1000, seconds: 1, cut: 0, stuck: 0, fault: null, engine: "propnet", length: { mean: 20, least: 10, most: 30, histogram: [] }, branching: { mean: 4, byPly: [] },
    goals: [{ role: "red", mean: 61, histogram: [{ goal: 0, count: 390 }, { goal: 100, count: 610 }] }, { role: "blue", mean: 39, histogram: [{ goal: 0, count: 610 }, { goal: 100, count: 390 }] }],
    balance: { wins: [0.61, 0.39], draws: 0 },
  };
  const words = (/** @type {object} */ change) =>
    page.evaluate(async (given) => {
      const place = "/js/write-verdict.js";
      const { verdict } = await import(place);
      return verdict(given).map((/** @type {{tone: string, words: string}} */ remark) => `${remark.tone}: ${remark.words}`);
    }, { ...figures, ...change });
  assert.match((await words({}))[0] ?? "", /^fair: red wins 61 % of random play/u);
  assert.match((await words({ cut: 300 })).join(" "), /bad: 30 % of playouts are cut/u);
  assert.match((await words({ stuck: 20 })).join(" "), /bad: 2 % of playouts are stuck/u);
  assert.match((await words({ branching: { mean: 1, byPly: [] } })).join(" "), /bad: There is never a choice/u);
  const always = [{ role: "red", mean: 100, histogram: [{ goal: 100, count: 1000 }] }, { role: "blue", mean: null, histogram: [] }];
  assert.deepEqual((await words({ goals: always })).slice(0, 2), ["bad: red got 100 in every playout that ended.", "bad: blue got no goal at all: a rule for its goals is missing."]);
  const even = figures.goals.map((goal) => ({ ...goal, mean: 50 }));
  assert.match((await words({ goals: even, balance: { wins: [0.4, 0.4], draws: 0.2 } }))[0] ?? "", /^good: Random play is even: mean goals are 50, 50, 20 % are drawn/u);
});
