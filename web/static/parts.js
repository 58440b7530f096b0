// Puts what has changed on the server in place on the page: its elements with data-part, and only those that differ.

/** Put the parts of a newer page in place of those that differ; what had the focus keeps it. */
export function replaceParts(root, html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  for (const old of root.querySelectorAll("[data-part]")) {
    if (!fresh.querySelector(`[data-part="${old.dataset.part}"]`)) old.remove();
  }
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = root.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!old || old.innerHTML === part.innerHTML) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const before = new Map([...old.querySelectorAll("[data-key]")].map((row) => [row.dataset.key, row.textContent]));
    const scrolled = [...old.querySelectorAll(".wide")].map((wide) => wide.scrollLeft);
    old.replaceChildren(...part.childNodes);
    old.querySelectorAll(".wide").forEach((wide, index) => (wide.scrollLeft = scrolled[index] ?? 0));
    for (const row of old.querySelectorAll("[data-key]")) {
      if (before.has(row.dataset.key) && before.get(row.dataset.key) !== row.textContent) row.classList.add("fresh");
    }
    if (focused) [...old.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
  }
}
