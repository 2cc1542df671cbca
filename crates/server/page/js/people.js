/**
 * Two people, two places: roles are taken by link, each from one browser; others watch.
 */
import { post, tokenPart } from "./api.js";
import { busy, button, element, message, notice, readable, replace } from "./dom.js";

const SEATS = "paidia-seats-";

/** The roles that were taken at a table in this browser. @param {string} id @returns {number[]} */
export function ownRoles(id) {
  try {
    const kept = JSON.parse(localStorage.getItem(SEATS + id) ?? "[]");
    return Array.isArray(kept) ? kept.filter((role) => Number.isInteger(role)) : [];
  } catch {
    return [];
  }
}

/** Notes that a role was taken here. @param {string} id @param {number} role */
export function noteOwn(id, role) {
  localStorage.setItem(SEATS + id, JSON.stringify([...new Set([...ownRoles(id), role])]));
}

/**
 * The panel of a table at which people play.
 * @param {import("./table.js").TableView} page
 * @returns {import("./parts.js").Part}
 */
export function atTable(page) {
  const { game, table } = page;
  const list = element("ul", { class: "lines" });
  const panel = element("details", { class: "panel people" }, element("summary", {}, "Play from two places"),
    element("p", { class: "hint" }, "Send a link for each role: who opens it takes the role, from that browser alone. Until then all who open the table may move. ",
      "Other machines can connect where Paidia was started with --listen."), list);
  const sit = async (/** @type {number} */ role) => {
    await post(`${page.path}/sit`, { role }, page.signal);
    noteOwn(table.id, role);
    page.refresh();
  };
  const copy = async (/** @type {string} */ query, /** @type {string} */ token) => {
    await navigator.clipboard.writeText(`${location.origin}/tables/${encodeURIComponent(table.id)}${query}${token}`);
    notice("The link is copied.");
  };
  const row = (/** @type {number} */ role) => {
    const mine = ownRoles(table.id).includes(role);
    const taken = (page.table.taken ?? []).includes(role);
    const take = button("Take it", () => busy(take, () => sit(role)));
    const link = button("Copy its link", () => busy(link, () => copy(`?sit=${role}`, tokenPart())));
    return element("li", {}, element("strong", {}, readable(game.roles[role] ?? "")), " ",
      element("span", { class: "muted" }, mine ? "is yours" : taken ? "is taken" : "is free"), " ", ...(taken ? [] : [take, " ", link]));
  };
  const watch = button("Copy a link to watch", () => busy(watch, () => copy("", "")));
  const show = () => {
    const people = page.table.seats.flatMap((seat, role) => (seat === "human" ? [role] : []));
    panel.hidden = people.length === 0;
    replace(list, ...people.map(row), element("li", {}, watch));
  };
  const asked = new URLSearchParams(location.search).get("sit");
  if (asked !== null && /^\d+$/u.test(asked)) {
    history.replaceState(history.state, "", location.pathname);
    sit(Number(asked)).catch((problem) => notice(message(problem), "error"));
  }
  return { element: panel, show };
}
