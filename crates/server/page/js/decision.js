/**
 * What a search found, as a small panel: value, certainty, simulations, rate, and the best moves with bars. Hovering or
 * focusing a move calls `onPoint` with its squares; hovering the line of play calls `onLine`.
 *
 *     root.append(decisionPanel(decision, game, { onPoint: (cells) => ..., onLine: (line) => ... }));
 */
import { compact, element, number, readable } from "./dom.js";
import { jointText, moveText } from "./naming.js";

/** @typedef {import("./types.js").Decision} Decision */
/** @typedef {{onPoint?: (cells: number[]) => void, onLine?: (line: import("./types.js").LineMove[]) => void, most?: number}} Pointing */

/**
 * @param {Decision} decision
 * @param {import("./naming.js").Named} game
 * @param {Pointing} [pointing]
 */
export function decisionPanel(decision, game, pointing = {}) {
  const { roles, scene } = game;
  const role = readable(roles[decision.role] ?? "");
  const chosen = (decision.moves ?? []).find((one) => one.move === decision.move);
  return element("article", { class: "decision" },
    element("h4", {}, element("span", { class: `swatch series-${decision.role % 6}`, "aria-hidden": "true" }), `${decision.player} for ${role}: `,
      element("strong", {}, moveText(decision.move, chosen?.steps.flat() ?? [], scene))),
    element("p", { class: "figures" }, figures(decision)),
    values(decision, roles),
    ranking(decision, scene, pointing),
    line(decision, game, pointing));
}

/** @param {Decision} decision */
function figures(decision) {
  const parts = [];
  if (decision.certain !== null && decision.certain !== undefined) parts.push(`certain: ${number(decision.certain)}`);
  if (decision.simulations) parts.push(`${compact(decision.simulations)} simulations`);
  if (decision.rate) parts.push(`${compact(decision.rate)} a second`);
  if (decision.nodes) parts.push(`${compact(decision.nodes)} nodes`);
  parts.push(`${number(decision.seconds ?? 0, 2)} s`);
  return parts.join(" · ");
}

/**
 * @param {Decision} decision
 * @param {string[]} roles
 */
function values(decision, roles) {
  const known = (decision.values ?? []).flatMap((value, role) => (typeof value === "number" ? [{ role, value }] : []));
  if (known.length === 0) return null;
  return element("ul", { class: "values" }, ...known.map(({ role, value }) =>
    element("li", {}, element("span", { class: `swatch series-${role % 6}`, "aria-hidden": "true" }), `${readable(roles[role] ?? "")} ${number(value, 1)}`)));
}

/**
 * @param {Decision} decision
 * @param {import("./types.js").Scene} scene
 * @param {Pointing} pointing
 */
function ranking(decision, scene, { onPoint, most = 6 }) {
  const moves = (decision.moves ?? []).slice(0, most);
  if (moves.length === 0) return null;
  const visits = Math.max(1, ...moves.map((one) => one.visits));
  const rows = moves.map((one) => {
    const bar = element("span", { class: "bar" });
    bar.style.width = `${Math.round((100 * one.visits) / visits)}%`;
    const cells = one.steps.flatMap((step) => (step.length === 1 ? step : []));
    const value = typeof one.certain === "number" ? `${number(one.certain)} sure` : number(one.value, 1);
    const [point, leave] = [() => onPoint?.(cells), () => onPoint?.([])];
    return element("tr", { tabIndex: onPoint ? 0 : -1, onmouseenter: point, onmouseleave: leave, onfocus: point, onblur: leave },
      element("th", { scope: "row" }, moveText(one.move, one.steps.flat(), scene)), element("td", {}, value),
      element("td", { class: "visits" }, bar, element("span", {}, compact(one.visits))));
  });
  return element("table", { class: "ranking" },
    element("thead", {}, element("tr", {}, ...["Move", "Value", "Visits"].map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...rows));
}

/**
 * @param {Decision} decision
 * @param {import("./naming.js").Named} game
 * @param {Pointing} pointing
 */
function line(decision, game, { onLine }) {
  if (!decision.line?.length) return null;
  const text = decision.line.map((one) => jointText(one.joint, one.cells, game)).join(" → ");
  if (!onLine) return element("p", { class: "line" }, text);
  return element("button", {
    type: "button", class: "line plain",
    onmouseenter: () => onLine(decision.line), onmouseleave: () => onLine([]),
    onfocus: () => onLine(decision.line), onblur: () => onLine([]),
  }, element("span", { class: "unseen" }, "Line of play: "), text);
}
