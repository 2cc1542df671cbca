/**
 * What the parts of a rule sheet are: comments, variables, keywords, parentheses. Nothing here knows the page; the editor
 * paints what this finds. Reading is tolerant: half-written rules are what an editor holds most of the time.
 */

/** @typedef {"comment"|"variable"|"keyword"|"connective"|"number"|"name"|"open"|"close"} Kind */
/** @typedef {{from: number, to: number, kind: Kind}} Token  A part of the text, from its first character up to `to`. */
/** @typedef {"kif"|"infix"} Notation */

const KEYWORDS = new Set(["role", "init", "true", "next", "legal", "does", "goal", "terminal", "sees", "expired", "base", "input"]);
const CONNECTIVES = new Set(["<=", "not", "or", "and", "distinct"]);

// One alternative a kind; what none of them matches (blanks, commas, odd signs) stays plain.
const KIF = /(?<comment>;[^\n]*)|(?<open>\()|(?<close>\))|(?<word>[^\s();]+)/gu;
const INFIX = new RegExp(
  [
    String.raw`(?<comment>%[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))`,
    String.raw`(?<open>\()`,
    String.raw`(?<close>\))`,
    String.raw`(?<connective>:-|<=|<-|⇐|←|\\\+|\\=|!=|[~¬∧∨≠&|])`,
    String.raw`(?<quoted>'[^'\n]*'?)`,
    String.raw`(?<word>[?]?[\p{L}\p{N}_+-]+(?:\.[0-9]+)?)`,
  ].join("|"),
  "gu",
);

/**
 * Which notation a sheet is written in. A sheet in KIF begins with a parenthesis, once comments and blanks are taken away.
 * @param {string} text
 * @returns {Notation}
 */
export function notationOf(text) {
  const start = text.replace(/^(?:\s+|;[^\n]*)+/u, "");
  return start === "" || start.startsWith("(") ? "kif" : "infix";
}

/**
 * @param {string} word
 * @param {Notation} notation
 * @returns {Kind}
 */
function kindOfWord(word, notation) {
  const variable = notation === "kif" ? /^\?/u : /^(?:[?_]|\p{Lu})/u;
  if (variable.test(word)) return "variable";
  const lower = word.toLowerCase();
  if (KEYWORDS.has(lower)) return "keyword";
  if (CONNECTIVES.has(lower)) return "connective";
  return /^[+-]?\d+(?:\.\d+)?$/u.test(word) ? "number" : "name";
}

/**
 * The parts of a rule sheet in order; they never overlap.
 * @param {string} text
 * @param {Notation} [notation]
 * @returns {Token[]}
 */
export function tokens(text, notation = notationOf(text)) {
  /** @type {Token[]} */
  const found = [];
  for (const match of text.matchAll(notation === "kif" ? KIF : INFIX)) {
    const from = match.index;
    const to = from + match[0].length;
    const groups = match.groups ?? {};
    const named = /** @type {Kind[]} */ (["comment", "open", "close", "connective"]).find((kind) => groups[kind] !== undefined);
    const kind = named ?? (groups["quoted"] === undefined ? kindOfWord(match[0], notation) : "name");
    found.push({ from, to, kind });
  }
  return found;
}

/**
 * The parenthesis at the cursor (before it, or else after it) and the one that belongs to it; null where there is none.
 * `other` is null if nothing belongs to it.
 * @param {Token[]} list
 * @param {number} cursor
 * @returns {{at: number, other: number | null} | null}
 */
export function parenthesesAt(list, cursor) {
  const isParenthesis = (/** @type {Token} */ token) => token.kind === "open" || token.kind === "close";
  let index = list.findIndex((token) => token.to === cursor && isParenthesis(token));
  if (index < 0) index = list.findIndex((token) => token.from === cursor && isParenthesis(token));
  if (index < 0) return null;
  const step = list[index].kind === "open" ? 1 : -1;
  let depth = 0;
  for (let place = index; place >= 0 && place < list.length; place += step) {
    if (list[place].kind === "open") depth += 1;
    if (list[place].kind === "close") depth -= 1;
    if (depth === 0) return { at: list[index].from, other: list[place].from };
  }
  return { at: list[index].from, other: null };
}

/**
 * How many parentheses are open at a place; what a new line is indented by.
 * @param {Token[]} list
 * @param {number} cursor
 */
export function depthAt(list, cursor) {
  let depth = 0;
  for (const token of list) {
    if (token.from >= cursor) break;
    if (token.kind === "open") depth += 1;
    if (token.kind === "close") depth = Math.max(0, depth - 1);
  }
  return depth;
}
