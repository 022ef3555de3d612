// Searches the sections of all pages, which index.js holds. A section is found if it or its titles contain every word.
const input = document.getElementById("search"), found = document.getElementById("found");
const most = 30;

// score ranks a section for some words: titles before text. It is 0 if a word is missing.
function score(section, words) {
  const title = (section.title + " " + section.page).toLowerCase(), text = section.text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const here = (title.includes(word) ? 10 : 0) + (text.includes(word) ? 1 : 0);
    if (here === 0) return 0;
    sum += here;
  }
  return sum;
}

// excerpt returns the text around a word.
function excerpt(text, word) {
  const at = Math.max(text.toLowerCase().indexOf(word) - 40, 0);
  return (at > 0 ? "…" : "") + text.slice(at, at + 120) + (at + 120 < text.length ? "…" : "");
}

function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const hits = sections.map((s) => [score(s, words), s]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0]);
  for (const [, s] of hits.slice(0, most)) {
    const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
    link.href = s.address;
    link.textContent = s.page + ": " + s.title;
    text.textContent = excerpt(s.text, words[0]);
    item.append(link, text);
    found.append(item);
  }
  if (hits.length === 0) {
    const item = document.createElement("li");
    item.textContent = "Nothing found.";
    found.append(item);
  }
}

input.hidden = false;
input.addEventListener("input", search);
found.addEventListener("click", () => { input.value = ""; search(); });
document.addEventListener("keydown", (e) => {
  if (e.key === "/" && document.activeElement !== input) {
    e.preventDefault();
    input.focus();
  }
  if (e.key === "Escape") {
    input.value = "";
    search();
  }
  if (e.key === "Enter" && document.activeElement === input) found.querySelector("a")?.click();
});

// On a narrow screen the list of pages is closed at first.
if (window.matchMedia("(max-width: 60rem)").matches) document.querySelector("nav details").open = false;
