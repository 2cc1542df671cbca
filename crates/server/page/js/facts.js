/**
 * What is true of a position beside the board: `facts(frame, { large })` is a list of labels with their values, short
 * ones as small chips in a row. A game with no board is shown by its facts alone, large, with what changed since `from`
 * marked.
 */
import { element, readable } from "./dom.js";

/** @typedef {import("./types.js").Fact} Fact */

/**
 * @param {{beside?: Fact[]}} frame
 * @param {{large?: boolean, from?: {beside?: Fact[]} | null}} [options]
 */
export function facts(frame, { large = false, from = null } = {}) {
  const list = element("dl", { class: large ? "facts large" : "facts" });
  for (const fact of frame.beside ?? []) list.append(entry(fact, large ? from : null));
  if (large && list.childElementCount === 0) list.append(element("div", {}, element("dt", {}, "Nothing"), element("dd", {}, "is known of this position")));
  return list;
}

/** Words of facts that are about cards, and the cards that there are. */
const ABOUT_CARDS = /\b(card|cards|hand|hands|holds|dealt|deck|community|board)\b/iu;
const RANK = /\b(ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two)\b/iu;

/**
 * @param {Fact} fact
 * @param {{beside?: Fact[]} | null} from
 */
function entry(fact, from) {
  const before = from ? new Set(from.beside?.find((one) => one.label === fact.label)?.values) : null;
  const values = fact.values.length === 0 ? [element("dd", { class: "yes" }, "yes")] : fact.values.map((value) => {
    const isCard = RANK.test(readable(value)) && ABOUT_CARDS.test(readable(`${fact.label} ${value}`));
    const words = isCard ? readable(value).replace(/^card /u, "") : readable(value);
    return element("dd", { class: `${before && !before.has(value) ? "fresh" : ""}${isCard ? " playing-card" : ""}` }, words);
  });
  const wide = fact.values.length > 3 || fact.values.some((value) => value.length > 18);
  return element("div", { class: wide ? "fact wide" : "fact" }, element("dt", {}, readable(fact.label)), ...values);
}

/**
 * The facts without those that say whose turn it is, or count moves: both are told elsewhere.
 * @param {{beside: Fact[]}} frame
 * @param {string[]} roles
 */
export function worthSeeing(frame, roles) {
  return frame.beside.filter((fact) => !isTurn(fact, roles));
}

/**
 * Whether a fact says whose turn it is, or counts moves: both are told elsewhere.
 * @param {import("./types.js").Fact} fact
 * @param {string[]} roles
 */
function isTurn({ label, values }, roles) {
  const counts = /^(step|steps|stepcount|move_?count|turn_?count|ply|count)$/iu.test(label) && values.every((value) => /^\d+$/u.test(value));
  return counts || (/^(control|turn|whose_?turn|to_?move)$/iu.test(label) && values.every((value) => roles.includes(value)));
}
