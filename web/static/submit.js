// A file that is dropped anywhere on the form is the one chosen; its size is told before anything is sent.

const form = document.querySelector("[data-submit]");
const file = form.querySelector("input[type=file]");
const drop = form.querySelector("[data-part=drop]");
const note = form.querySelector("[data-part=chosen]");
const FIRST_WORDS = note.textContent;

/** Say what was chosen, and at once if it is too large. */
function tell() {
  const [chosen] = file.files;
  const most = Number(/\.zip$/i.test(chosen?.name ?? "") ? file.dataset.mostZip : file.dataset.mostSource);
  const isTooLarge = Boolean(chosen) && chosen.size > most;
  drop.classList.toggle("drop--chosen", Boolean(chosen) && !isTooLarge);
  drop.classList.toggle("drop--fault", isTooLarge);
  if (!chosen) note.textContent = FIRST_WORDS;
  else if (isTooLarge) note.textContent = `${chosen.name} has ${chosen.size.toLocaleString("en")} bytes; ${most.toLocaleString("en")} are the most.`;
  else note.textContent = `${chosen.name}, ${chosen.size.toLocaleString("en")} bytes`;
  file.setCustomValidity(isTooLarge ? note.textContent : "");
}

file.addEventListener("change", tell);
for (const kind of ["dragenter", "dragover"]) {
  form.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    drop.classList.add("drop--over");
  });
}
form.addEventListener("dragleave", (event) => {
  if (!form.contains(event.relatedTarget)) drop.classList.remove("drop--over");
});
form.addEventListener("drop", (event) => {
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  drop.classList.remove("drop--over");
  file.files = event.dataTransfer.files;
  tell();
});
