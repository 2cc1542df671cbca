/**
 * Moving between pages: `go(path)` from code; links to paths of this server do the same by themselves.
 */

/** @type {() => void} */
let visit = () => {};
/** What is shown, so that a jump within the page (the skip link) is not taken for another page. */
let shown = "";

/**
 * Sets what is called when the address has changed, and starts to listen for that.
 * @param {() => void} action
 */
export function onNavigate(action) {
  visit = () => {
    shown = location.pathname + location.search;
    action();
  };
  addEventListener("popstate", () => {
    if (location.pathname + location.search !== shown) visit();
  });
  document.addEventListener("click", follow);
}

/**
 * Goes to another page; `instead` leaves no trace of this one in the history.
 * @param {string} path
 * @param {{instead?: boolean}} [options]
 */
export function go(path, { instead = false } = {}) {
  if (instead) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  scrollTo(0, 0);
  visit();
}

/** Shows the page anew. */
export function revisit() {
  visit();
}

/** @param {MouseEvent} event */
function follow(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = /** @type {Element | null} */ (event.target)?.closest?.("a");
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
  if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
