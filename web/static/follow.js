// Follows something that is about to be decided: asks for the page again until its parts say that it is settled.

import { replaceParts } from "./parts.js";

const BETWEEN_MS = 1500;
const root = document.querySelector("[data-follow]");

async function look() {
  try {
    const answer = await fetch(root.dataset.follow, { headers: { Accept: "text/html" } });
    if (answer.ok) {
      const html = await answer.text();
      const fresh = new DOMParser().parseFromString(html, "text/html");
      if (fresh.querySelector("[data-settled]") || !fresh.querySelector("[data-follow]")) {
        location.reload(); // other parts of the page depend on it, too
        return;
      }
      replaceParts(root, html);
    }
  } catch {
    // the network is away; it is asked again
  }
  setTimeout(look, BETWEEN_MS);
}

setTimeout(look, BETWEEN_MS);
