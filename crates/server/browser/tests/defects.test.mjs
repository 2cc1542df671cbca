/** What once went wrong, and must not again; other such defects have their tests beside what they are about. */
import assert from "node:assert/strict";
import { check, eventually, newTable, pasted, see, square, SQUARES } from "../harness.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** A sheet with these contents on three squares, and moves that put them there. @param {string[]} contents */
const sheetOf = (contents) => `(role ann) (role bob)
${contents.map((content, index) => `(init (cell ${index + 1} 1 ${content})) (piece ${content}) (index ${index + 1})`).join("\n")}
(init (cell ${contents.length + 1} 1 void)) (index ${contents.length + 1}) (init (control ann))
(opponent ann bob) (opponent bob ann)
(<= (legal ?p (place ?x 1 ?c)) (true (control ?p)) (true (cell ?x 1 void)) (piece ?c))
(<= (legal ?p noop) (true (control ?q)) (opponent ?p ?q))
(<= (next (cell ?x 1 ?c)) (does ?p (place ?x 1 ?c)))
(<= (next (cell ?x 1 ?c)) (true (cell ?x 1 ?c)) (distinct ?c void))
(<= (next (control ?q)) (true (control ?p)) (opponent ?p ?q))
(<= open (true (cell ?x 1 void)))
(<= terminal (not open)) (<= (goal ?p 50) (role ?p))
`;

/** How contents look. @param {Page} page @param {string[]} contents @returns {Promise<Record<string, any>>} */
async function looks(page, contents) {
  const id = await pasted(page, contents.join(" "), sheetOf(contents));
  return (await (await page.request.get(`/api/games/${id}`)).json()).scene.looks;
}

check("two different pieces never look alike", async (page) => {
  for (const contents of [["redstone", "redstoneking", "redstar"], ["a", "b", "c"], ["black_disc", "black_disk", "blackcounter"], ["wall", "walls", "block"]]) {
    const found = await looks(page, contents);
    const drawn = contents.map((content) => JSON.stringify(found[content] ?? content));
    assert.equal(new Set(drawn).size, drawn.length, drawn.join(" "));
  }
});

check("colours of two letters are no chess pieces", async (page) => {
  const found = await looks(page, ["br", "bk", "rd"]);
  for (const [content, look] of Object.entries(found)) {
    assert.doesNotMatch(JSON.stringify(look), /[\u2654-\u265f]|king|rook|queen|knight|bishop|pawn/u, content);
  }
});

check("a hint of a hidden game knows no more than the role was told", async (page) => {
  await newTable(page, "kuhn-poker", {});
  /** @type {any[]} */
  const asked = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/analyse")) asked.push(request.postDataJSON());
  });
  const hint = page.getByRole("button", { name: "Hint" });
  await hint.click();
  await eventually(async () => asked.length, 1, "the question");
  assert.equal(asked[0].moves, undefined, "no joint moves are sent");
  assert.ok(Array.isArray(asked[0].told), "what the role was told is sent");
});

check("an expected line begins with the move that is played", async (page) => {
  await newTable(page, "connect-four", { red: "paidia", yellow: "uct" }, "0.1", "Watch");
  await page.getByLabel("Pace").selectOption("0");
  await page.getByRole("region", { name: "Result" }).waitFor({ timeout: 120_000 });
  const id = page.url().split("/").at(-1);
  const { frames } = await (await page.request.get(`/api/tables/${id}`)).json();
  let lines = 0;
  for (const frame of frames) {
    for (const decision of frame.made?.by ?? []) {
      if (!decision?.line?.length) continue;
      lines += 1;
      assert.equal(decision.line[0].joint[decision.role], decision.move);
      assert.equal(frame.made.joint[decision.role], decision.move);
    }
  }
  assert.ok(lines > 5, `${lines} lines`);
});

check("the doors of Monty Hall are to be seen, each once, and clicked", async (page) => {
  await newTable(page, "monty-hall", {});
  const labels = () => page.locator(`.viewer ${SQUARES}`).evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
  const doors = await eventually(labels, (found) => found.length === 3, "three doors");
  assert.ok(doors.every((label) => /closed/u.test(label) && !/step/u.test(label)), doors.join("; "));
  await page.locator(`.viewer ${SQUARES}`).nth(1).click();
  await eventually(() => page.getByRole("list", { name: "Moves" }).getByRole("listitem").count(), (count) => count >= 2, "a door is chosen");
});

check("a match that was broken off is shown as such", async (page) => {
  await newTable(page, "tic-tac-toe", { x: "human", o: "human" });
  await square(page, "a1").click();
  await eventually(() => page.getByRole("list", { name: "Moves" }).getByRole("listitem").count(), 2, "a move");
  await page.getByRole("button", { name: "Resign" }).click();
  await see(page.getByRole("region", { name: "Result" }), /resigned/u);
  const link = page.getByRole("link", { name: "Its record" });
  const id = ((await link.getAttribute("href")) ?? "").split("/").at(-1);
  await page.goto("/matches?game=tic-tac-toe");
  const row = page.getByRole("row").filter({ has: page.locator(`a[href*="${id}"]`) }).first();
  await row.waitFor();
  assert.doesNotMatch(await row.innerText(), /null|undefined|NaN|100/u, "no role is said to have won");
  await page.goto(`/matches/${id}`);
  await see(page, /it was broken off/u);
});
