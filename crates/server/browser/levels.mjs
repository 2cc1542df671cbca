/**
 * How the levels of players score against the level below: `node levels.mjs [ROUNDS]` plays each game of the list in both
 * seatings, as often as ROUNDS says (2), and prints points in percent. It uses the program that the tests use. `FROM=4` begins
 * with the pair of levels 4 and 3, and `TO=4` ends with it. On a busy machine `SECONDS=10` lets all levels but the highest make
 * all their simulations.
 */
import { startProgram } from "./harness.mjs";

const GAMES = ["connect-four", "breakthrough", "othello", "hex-9x9", "atari-go-7x7", "domineering", "amazons-6x6", "checkers-small"];
const LEVELS = ["level-1", "level-2", "level-3", "level-4", "level-5"];
const SECONDS = Number(process.env["SECONDS"] ?? 1);
const rounds = Number(process.argv[2] ?? 2);

const program = await startProgram();
const ask = async (/** @type {string} */ path, /** @type {object | undefined} */ body = undefined) => {
  const init = body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  return (await fetch(program.address + path, init)).json();
};

/** Points of the first of two seats in a match, from 0 to 1. @param {string} game @param {string[]} seats @param {number} seed */
async function played(game, seats, seed) {
  const { id, error } = await ask("/api/tables", { game, seats, seconds: SECONDS, seed });
  if (error) throw new Error(error);
  for (;;) {
    const { frames } = await ask(`/api/tables/${id}`);
    const goals = frames[frames.length - 1].goals;
    if (goals) {
      await ask(`/api/tables/${id}/close`, {});
      return goals[0] > goals[1] ? 1 : goals[0] < goals[1] ? 0 : 0.5;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

for (const [place, above] of LEVELS.entries()) {
  const below = LEVELS[place - 1];
  if (!below || place + 1 < Number(process.env["FROM"] ?? 0) || place + 1 > Number(process.env["TO"] ?? 9)) continue;
  let points = 0;
  let count = 0;
  /** @type {string[]} */
  const told = [];
  for (const game of GAMES) {
    let own = 0;
    for (let round = 0; round < rounds; round += 1) {
      own += await played(game, [above, below], round);
      own += 1 - await played(game, [below, above], round);
    }
    told.push(`${game} ${((100 * own) / (2 * rounds)).toFixed(0)}`);
    points += own;
    count += 2 * rounds;
  }
  console.log(`${above} against ${below}: ${((100 * points) / count).toFixed(0)} % of ${count} matches (${told.join(", ")})`);
}
await program.stop();
