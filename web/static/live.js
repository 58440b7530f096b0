// Keeps the page of a tournament up to date while it is played: the server says when (events), and draws what changed.

const PAUSE_MS = 1000; // between two looks, however fast results come in
const POLL_MS = 5000; // when no stream of events can be had
const RETRY_MS = 5000;

const live = document.querySelector("[data-live]");
const note = document.querySelector("[data-part=note]");
let last = Number(live.dataset.last);
let looking = false;
let again = false;
let ended = false;

/** Put the parts of a newer page in place of those that differ; what had the focus keeps it. */
function show(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  for (const old of live.querySelectorAll("[data-part]")) {
    if (!fresh.querySelector(`[data-part="${old.dataset.part}"]`)) old.remove();
  }
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = live.querySelector(`[data-part="${part.dataset.part}"]`);
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

/** Ask for what is new, one question at a time. */
async function look() {
  if (looking) {
    again = true;
    return;
  }
  looking = true;
  try {
    const answer = await fetch(live.dataset.live, { headers: { Accept: "text/html" } });
    if (answer.ok) show(await answer.text());
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
