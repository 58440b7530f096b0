// Choosing a bot says that only those chosen play; nothing here is needed to send the form.

const form = document.querySelector("[data-tournament]");
const these = form.querySelector("#who-these");
const choosing = form.querySelector("[data-part=choosing]");

choosing.addEventListener("input", () => {
  these.checked = true;
});
