/**
 * What figures of random play say about a game, in words: is it fair, does it end, is there anything to choose? Random play is
 * not good play, so the words claim no more than the figures show.
 */

/**
 * What the server counts in random playouts.
 * @typedef {object} Statistics
 * @property {number} playouts
 * @property {number} seconds
 * @property {number} cut  How many playouts were stopped because they were too long.
 * @property {number} stuck  How many ended where a role had no legal move.
 * @property {string | null} fault  The limit that the engine ran into, if it did.
 * @property {string} engine
 * @property {{mean: number, least: number, most: number, histogram: {from: number, to: number, count: number}[]}} length
 * @property {{mean: number, byPly: number[]}} branching  Joint moves that could be made.
 * @property {{role: string, mean: number | null, histogram: {goal: number, count: number}[]}[]} goals
 * @property {{wins: number[], draws: number}} balance  How often each role alone had the highest goal, and how often none had.
 */
/** @typedef {{tone: "good" | "fair" | "bad", words: string}} Remark */

const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;

/** @param {Statistics} figures @returns {Remark[]} */
function onEnding({ playouts, cut, stuck, fault, length }) {
  /** @type {Remark[]} */
  const remarks = [];
  if (fault) remarks.push({ tone: "bad", words: `Playing ran into a limit: ${fault}` });
  if (stuck > 0) remarks.push({ tone: "bad", words: `${percent(stuck / playouts)} of playouts are stuck: a role has no legal move, and the game is not over.` });
  if (cut > 0) {
    const words = `${percent(cut / playouts)} of playouts are cut: the game can go on and on. A step counter that ends it would help.`;
    remarks.push({ tone: cut / playouts > 0.02 ? "bad" : "fair", words });
  }
  if (remarks.length > 0) return remarks;
  if (length.most < 2) return [{ tone: "fair", words: "The game is over after one step." }];
  if (length.least === length.most) return [{ tone: "good", words: `Every playout ends, always after ${length.most} steps.` }];
  return [{ tone: "good", words: `Every playout ends, after ${length.least} to ${length.most} steps.` }];
}

/** @param {Statistics} figures @returns {Remark[]} */
function onChoice({ branching }) {
  if (branching.mean <= 1.0001) return [{ tone: "bad", words: "There is never a choice: the game plays itself." }];
  const words = `A position has ${branching.mean.toFixed(1)} ways to go on, on average`;
  if (branching.mean < 1.5) return [{ tone: "fair", words: `${words}: little to choose.` }];
  return [{ tone: branching.mean > 200 ? "fair" : "good", words: `${words}${branching.mean > 200 ? ": very many" : ""}.` }];
}

/** @param {Statistics["goals"][number]} goal @returns {Remark[]} */
function onPuzzle({ role, mean, histogram }) {
  if (mean === null) return [{ tone: "bad", words: `${role} got no goal at all: a rule for its goals is missing.` }];
  const all = histogram.reduce((sum, entry) => sum + entry.count, 0);
  const share = histogram.filter((entry) => entry.goal === 100).reduce((sum, entry) => sum + entry.count, 0) / all;
  if (share === 0) return [{ tone: "fair", words: "Random play never reaches 100: a real puzzle, or one without a solution." }];
  if (share > 0.5) return [{ tone: "fair", words: `Random play solves it in ${percent(share)} of playouts: an easy puzzle.` }];
  return [{ tone: "good", words: `Random play solves it in ${share < 0.01 ? "under 1 %" : percent(share)} of playouts.` }];
}

/** @param {Statistics} figures @returns {Remark[]} */
function onBalance({ goals, balance }) {
  /** @type {Remark[]} */
  const remarks = goals.flatMap(({ role, mean, histogram }) => {
    if (mean === null) return [{ tone: "bad", words: `${role} got no goal at all: a rule for its goals is missing.` }];
    return histogram.length === 1 ? [{ tone: "bad", words: `${role} got ${histogram[0]?.goal} in every playout that ended.` }] : [];
  });
  if (remarks.length > 0) return remarks;
  const means = goals.map((goal) => goal.mean ?? 0);
  const spread = Math.max(...means) - Math.min(...means);
  const ahead = means.indexOf(Math.max(...means));
  const share = balance.wins[ahead] ?? 0;
  const draws = balance.draws > 0.005 ? `, ${percent(balance.draws)} are drawn` : "";
  const lead = `${goals[ahead]?.role} wins ${percent(share)} of random play${draws}`;
  if (spread < 6) return [{ tone: "good", words: `Random play is even: mean goals are ${means.map((mean) => mean.toFixed(0)).join(", ")}${draws}.` }];
  return [{ tone: spread < 30 ? "fair" : "bad", words: `${lead}: ${spread < 30 ? "some advantage" : "lopsided"}, ${spread.toFixed(0)} points of mean goal.` }];
}

/**
 * The verdict: a few remarks, what matters most first.
 * @param {Statistics} figures
 * @returns {Remark[]}
 */
export function verdict(figures) {
  if (figures.playouts === 0) return [{ tone: "bad", words: "Not one playout came to an end in the time given." }];
  // A playout that was cut or stuck has no goals: that none is known says nothing about the rules for them.
  if (figures.playouts <= figures.cut + figures.stuck) return [...onEnding(figures), ...onChoice(figures)];
  const [only] = figures.goals;
  const result = figures.goals.length === 1 && only ? onPuzzle(only) : onBalance(figures);
  return [...result, ...onEnding(figures), ...onChoice(figures)];
}
