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

/**
 * @param {Fact} fact
 * @param {{beside?: Fact[]} | null} from
 */
function entry(fact, from) {
  const before = from ? new Set(from.beside?.find((one) => one.label === fact.label)?.values) : null;
  const values = fact.values.length === 0 ? [element("dd", { class: "yes" }, "yes")] : fact.values.map((value) =>
    element("dd", { class: before && !before.has(value) ? "fresh" : "" }, readable(value)));
  const wide = fact.values.length > 3 || fact.values.some((value) => value.length > 18);
  return element("div", { class: wide ? "fact wide" : "fact" }, element("dt", {}, readable(fact.label)), ...values);
}
