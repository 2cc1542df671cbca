/**
 * How a game ended, in words: `outcome(game, seats, frame)` gives a headline, what led to it, and each role's result.
 */
import { number, readable } from "./dom.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {{headline: string, why: string, mood: "good" | "bad" | "even", results: {role: number, goal: number | null}[]}} Outcome */

/**
 * @param {import("./types.js").Game} game
 * @param {(string | null)[]} seats
 * @param {Frame} frame
 * @returns {Outcome}
 */
export function outcome(game, seats, frame) {
  const results = game.roles.flatMap((_, role) => (role === game.random ? [] : [{ role, goal: frame.goals?.[role] ?? null }]));
  return { ...headline(game, seats, results, frame.ended ?? ""), why: reason(frame.ended ?? "over"), results };
}

/** @param {string} ended */
function reason(ended) {
  if (ended === "cut") return "The match was cut after as many moves as are allowed.";
  if (ended === "stuck") return "A role has no legal move, so the rules say no more.";
  if (ended.startsWith("fault")) return `The rules failed: ${ended.slice(6).trim()}`;
  if (ended.startsWith("resigned")) return `${readable(ended.slice(9))} resigned.`;
  if (ended.startsWith("time")) return `The time of ${readable(ended.slice(5))} is up.`;
  return "";
}

/**
 * @param {import("./types.js").Game} game
 * @param {(string | null)[]} seats
 * @param {{role: number, goal: number | null}[]} results
 * @param {string} ended
 * @returns {{headline: string, mood: "good" | "bad" | "even"}}
 */
function headline(game, seats, results, ended) {
  const people = results.filter(({ role }) => seats[role] === "human");
  if (ended.startsWith("resigned")) {
    const mine = people.some(({ role }) => game.roles[role] === ended.slice(9));
    return { headline: mine && people.length === 1 ? "You resigned" : `${readable(ended.slice(9))} resigned`, mood: "even" };
  }
  if (ended.startsWith("time")) {
    const late = game.roles.indexOf(ended.slice(5));
    const others = results.filter(({ role }) => role !== late);
    const mine = people.length === 1 && people[0]?.role === late;
    const winner = others.length === 1 ? `${readable(game.roles[others[0]?.role ?? 0] ?? "")} wins on time` : `${readable(ended.slice(5))} loses on time`;
    return { headline: mine ? "You lose on time" : people.length === 1 && others.length === 1 ? "You win on time!" : winner, mood: mine ? "bad" : "good" };
  }
  if (results.every(({ goal }) => goal === null)) return { headline: "The game has ended", mood: "even" };
  const only = results[0];
  if (results.length === 1 && only) {
    return only.goal === 100 ? { headline: "Solved!", mood: "good" } : { headline: `The end: ${number(only.goal ?? 0)} of 100`, mood: "bad" };
  }
  const best = Math.max(...results.map(({ goal }) => goal ?? 0));
  const winners = results.filter(({ goal }) => goal === best);
  const me = people.length === 1 ? people[0] : undefined;
  if (winners.length === results.length) return { headline: "A draw", mood: "even" };
  if (me && winners.some(({ role }) => role === me.role)) return { headline: winners.length === 1 ? "You win!" : "You share the win!", mood: "good" };
  const names = winners.map(({ role }) => readable(game.roles[role] ?? ""));
  return { headline: `${names.join(" and ")} ${winners.length === 1 ? "wins" : "win"}`, mood: me ? "bad" : "good" };
}
