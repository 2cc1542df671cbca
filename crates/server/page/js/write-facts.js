/**
 * What is known about a game, and what random play shows of it: facts, a verdict in words, and plots.
 */
import { element, number } from "./dom.js";
import { barPlot, figure, linePlot } from "./plots.js";
import { verdict } from "./write-verdict.js";

/** @typedef {import("./write-verdict.js").Statistics} Statistics */

/** The facts that are shown, in this order, with their names for people. @type {[string, string][]} */
const FACTS = [
  ["dialect", "language"],
  ["roles", "roles"],
  ["turn_order", "turns"],
  ["information", "information"],
  ["fluents", "fluents"],
  ["moves", "moves"],
  ["percepts", "percepts"],
  ["fluent_count", "fluents in all"],
  ["move_count", "moves in all"],
  ["clauses", "clauses"],
  ["rules", "rules"],
  ["relations", "relations"],
  ["strata", "strata"],
  ["engine", "engine"],
  ["engine_because", "because"],
  ["rates", "joint moves per CPU second"],
  ["network", "network"],
];

/** @param {unknown} value @returns {string} */
function words(value) {
  if (Array.isArray(value)) return value.map(words).join(", ");
  if (typeof value === "number") return number(value, 2);
  const { gates, operations, engine, states_per_cpu_s: rate } =
    /** @type {{gates?: number, operations?: number, engine?: string, states_per_cpu_s?: number}} */ (value);
  if (rate !== undefined) return `${engine} ${number(Math.round(rate))}`;
  return gates === undefined ? String(value) : `${number(gates)} gates, ${number(operations ?? 0)} operations`;
}

/**
 * @param {Record<string, unknown>} info
 */
export function factsOf(info) {
  const rows = FACTS.flatMap(([key, name]) => {
    const value = info[key];
    const nothing = value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
    return nothing ? [] : [element("div", {}, element("dt", {}, name), element("dd", {}, words(value)))];
  });
  return element("dl", { class: "game-facts" }, ...rows);
}

/**
 * Bars of equal width from the first to the last; lengths that never came have a bar of no height.
 * @param {Statistics["length"]["histogram"]} histogram
 */
function withoutGaps(histogram) {
  const [first] = histogram;
  const last = histogram[histogram.length - 1];
  if (!first || !last) return [];
  const width = first.to - first.from + 1;
  return Array.from({ length: (last.from - first.from) / width + 1 }, (_, index) => {
    const from = first.from + index * width;
    return histogram.find((bar) => bar.from === from) ?? { from, to: from + width - 1, count: 0 };
  });
}

/** @param {Statistics["length"]} length */
function lengthPlot({ mean, histogram }) {
  const bars = withoutGaps(histogram).map(({ from, to, count }) => ({
    label: String(from),
    value: count,
    title: `${to > from ? `${from} to ${to}` : from} steps: ${count}`,
  }));
  return barPlot({ caption: `Length of a game: ${figure(mean)} steps on average`, across: "steps", bars, unit: " playouts" });
}

/** @param {Statistics["branching"]} branching */
function branchingPlot({ mean, byPly }) {
  const points = byPly.map((value, index) => ({ x: index + 1, y: value }));
  return linePlot({ caption: `Choice: ${figure(mean)} ways to go on, on average`, across: "step of the game", series: [{ name: "ways to go on", points }] });
}

/**
 * @param {Statistics["goals"][number]} goal
 * @param {number} colour
 */
function goalPlot({ role, mean, histogram }, colour) {
  const all = histogram.reduce((sum, entry) => sum + entry.count, 0) || 1;
  const bars = [...histogram]
    .sort((one, other) => one.goal - other.goal)
    .map(({ goal, count }) => ({ label: String(goal), value: (100 * count) / all }));
  const average = mean === null ? "none" : `${figure(mean)} on average`;
  return barPlot({ caption: `Goals of ${role}: ${average}`, across: "goal", bars, unit: " %", colour });
}

/** @param {Statistics} figures */
export function statisticsOf(figures) {
  const remarks = verdict(figures).map(({ tone, words: text }) => element("li", { class: `remark ${tone}` }, text));
  const goals = figures.goals.filter((goal) => goal.histogram.length > 0);
  const plots = figures.playouts > 0 ? [lengthPlot(figures.length), branchingPlot(figures.branching), ...goals.map(goalPlot)] : [];
  return element(
    "div",
    { class: "statistics" },
    element("ul", { class: "remarks", "aria-label": "Verdict" }, ...remarks),
    element("div", { class: "plots" }, ...plots),
    element("p", { class: "hint" }, `${number(figures.playouts)} random playouts in ${figure(figures.seconds)} s by the ${figures.engine} engine.`),
  );
}
