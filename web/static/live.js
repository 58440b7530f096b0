// Keeps the page of a tournament up to date while it is played: the server says when (events), and draws what changed.

import { replaceParts } from "./parts.js";

const PAUSE_MS = 1000; // between two looks, however fast results come in
const POLL_MS = 5000; // when no stream of events can be had
const RETRY_MS = 5000;

const live = document.querySelector("[data-live]");
const note = document.querySelector("[data-part=note]");
let last = Number(live.dataset.last);
let looking = false;
let again = false;
let ended = false;

/** Ask for what is new, one question at a time. */
async function look() {
  if (looking) {
    again = true;
    return;
  }
  looking = true;
  try {
    const answer = await fetch(live.dataset.live, { headers: { Accept: "text/html" } });
    if (answer.ok) replaceParts(live, await answer.text());
  } catch {
    // the network is away; the stream says when it is back
  }
  await new Promise((done) => setTimeout(done, PAUSE_MS));
  looking = false;
  if (again) {
    again = false;
    look();
  }
}

function follow() {
  const stream = new EventSource(`${live.dataset.events}?after=${last}`);
  const news = (event) => {
    if (event.lastEventId) last = Number(event.lastEventId);
    look();
  };
  stream.addEventListener("open", () => (note.textContent = "This page follows the tournament."));
  for (const kind of ["progress", "result", "rating"]) stream.addEventListener(kind, news);
  stream.addEventListener("end", () => {
    ended = true;
    stream.close();
    note.textContent = "The tournament has ended.";
    look();
  });
  stream.addEventListener("error", () => {
    if (ended || stream.readyState !== EventSource.CLOSED) return; // a browser connects again by itself
    note.textContent = "The connection is lost; this page asks again now and then.";
    const polling = setInterval(look, POLL_MS);
    setTimeout(() => {
      clearInterval(polling);
      follow();
    }, RETRY_MS * 2);
  });
}

follow();
