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
 * @property {string} engine
 * @property {{mean: number, least: number, most: number, histogram: {from: number, to: number, count: number}[]}} length
 * @property {{mean: number, byPly: number[]}} branching
 * @property {{role: string, mean: number | null, histogram: {goal: number, count: number}[]}[]} goals
 */
/** @typedef {{tone: "good" | "fair" | "bad", words: string}} Remark */

const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;

/**
 * How often each role has the highest goal alone, and how often nobody has.
 * @param {Statistics["goals"]} goals
 */
function bestShare(goals) {
  return goals.map(({ role, histogram }) => {
    const all = histogram.reduce((sum, entry) => sum + entry.count, 0);
    const highest = histogram.filter((entry) => entry.goal === 100).reduce((sum, entry) => sum + entry.count, 0);
    return { role, all, share: all > 0 ? highest / all : 0 };
  });
}

/** @param {Statistics} figures @returns {Remark[]} */
function onEnding({ playouts, cut, length }) {
  if (cut > 0) {
    const share = cut / playouts;
    const words = `${percent(share)} of playouts are cut: the game can go on and on. A step counter that ends it would help.`;
    return [{ tone: share > 0.02 ? "bad" : "fair", words: share < 0.005 ? `${cut} of ${playouts} playouts are cut for length.` : words }];
  }
  if (length.most < 2) return [{ tone: "fair", words: "The game is over after one step." }];
  if (length.least === length.most) return [{ tone: "good", words: `Every playout ends, always after ${length.most} steps.` }];
  return [{ tone: "good", words: `Every playout ends, after ${length.least} to ${length.most} steps.` }];
}

/** @param {Statistics} figures @returns {Remark[]} */
function onChoice({ branching }) {
  const mean = branching.mean.toFixed(1);
  if (branching.mean <= 1.0001) return [{ tone: "bad", words: "Nobody ever has a choice: the game plays itself." }];
  if (branching.mean < 1.5) return [{ tone: "fair", words: `There is little to choose: ${mean} moves on average.` }];
  if (branching.mean > 200) return [{ tone: "fair", words: `There are very many moves to choose from: ${mean} on average.` }];
  return [{ tone: "good", words: `There are ${mean} moves to choose from on average.` }];
}

/** @param {Statistics["goals"]} goals @returns {Remark[]} */
function onPuzzle(goals) {
  const [{ share, all, role }] = bestShare(goals);
  if (all === 0) return [{ tone: "bad", words: `${role} got no goal at all.` }];
  if (share === 0) return [{ tone: "fair", words: "Random play never reaches 100: either a real puzzle, or one without a solution." }];
  if (share > 0.5) return [{ tone: "fair", words: `Random play solves it in ${percent(share)} of playouts: an easy puzzle.` }];
  return [{ tone: "good", words: `Random play solves it in ${share < 0.01 ? "under 1 %" : percent(share)} of playouts.` }];
}

/** @param {Statistics["goals"]} goals @returns {Remark[]} */
function onBalance(goals) {
  /** @type {Remark[]} */
  const remarks = [];
  const none = goals.filter((goal) => goal.mean === null);
  for (const { role } of none) remarks.push({ tone: "bad", words: `${role} got no goal at all: a rule for its goals is missing.` });
  const known = goals.filter((goal) => goal.mean !== null);
  for (const { role, histogram } of known) {
    if (histogram.length === 1) remarks.push({ tone: "bad", words: `${role} always gets ${histogram[0].goal}, whatever happens.` });
  }
  if (known.length < 2 || remarks.length > 0) return remarks;
  const means = known.map((goal) => goal.mean ?? 0);
  const spread = Math.max(...means) - Math.min(...means);
  const ahead = known[means.indexOf(Math.max(...means))];
  const share = bestShare(known).find((entry) => entry.role === ahead.role)?.share ?? 0;
  const lead = share > 0 ? `${ahead.role} wins ${percent(share)} of random play` : `${ahead.role} gets ${(ahead.mean ?? 0).toFixed(0)} on average`;
  if (spread < 6) return [{ tone: "good", words: `In random play it is even: mean goals are ${means.map((mean) => mean.toFixed(0)).join(" and ")}.` }];
  if (spread < 25) return [{ tone: "fair", words: `${lead}: some advantage, ${spread.toFixed(0)} points of mean goal.` }];
  return [{ tone: "bad", words: `${lead}: lopsided, by ${spread.toFixed(0)} points of mean goal.` }];
}

/**
 * The verdict: a few remarks, what matters most first.
 * @param {Statistics} figures
 * @returns {Remark[]}
 */
export function verdict(figures) {
  if (figures.playouts === 0) return [{ tone: "bad", words: "Not one playout came to an end in the time given." }];
  const players = figures.goals.filter((goal) => goal.role !== "random");
  const result = players.length === 1 ? onPuzzle(players) : onBalance(players);
  return [...result, ...onEnding(figures), ...onChoice(figures)];
}
