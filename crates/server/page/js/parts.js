/**
 * What tables of some kinds of games have beside the usual, a module each, which is loaded when a game asks for it.
 *
 * To add one: a line in `PARTS`, and a module that exports `atTable(page)`, which gives a `Part`: its element goes to
 * the column beside the board, and `show` is called whenever another position is shown or something has changed. A page
 * with an address of its own is a line in `main.js`.
 */

/** @typedef {import("./table.js").TableView} TableView */
/** @typedef {{element: HTMLElement | null, show: () => void}} Part */
/** @typedef {{fits: (game: import("./types.js").Game) => boolean, load: () => Promise<{atTable: (page: TableView) => Part}>}} Kind */

/** @type {Kind[]} */
const PARTS = [
  { fits: (game) => game.roles.length > 1, load: () => import("./people.js") },
  { fits: (game) => /^gdl/iu.test(game.dialect), load: () => import("./why.js") },
];

/**
 * Adds the parts of its kind to a table.
 * @param {TableView} page
 * @param {HTMLElement} root
 */
export async function joinParts(page, root) {
  for (const { load } of PARTS.filter(({ fits }) => fits(page.game))) {
    const part = (await load()).atTable(page);
    if (page.signal.aborted) return;
    page.parts.push(part);
    if (part.element) root.querySelector(".viewer .side .analysis")?.before(part.element);
    part.show();
  }
}
