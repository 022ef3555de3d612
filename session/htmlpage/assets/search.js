// Search in the source, the values and the output.

const mostFound = 300; // in each of the three

// search returns what contains a text: lines of source, values with the event that set them, output.
function search(rec, query) {
  const found = { source: [], values: [], output: [], more: false };
  if (!query) return found;
  const wanted = query.toLowerCase();
  const add = (list, what) => (list.length < mostFound ? list.push(what) : (found.more = true));
  const has = (text) => text.toLowerCase().includes(wanted);
  rec.data.files.forEach((file, f) => {
    file.lines.forEach((text, k) => has(text) && add(found.source, { file: f, line: k + 1, text: text.trim() }));
  });
  searchValues(rec, has, (hit) => add(found.values, hit));
  for (const piece of outputLines(rec)) if (has(piece.text)) add(found.output, piece);
  return found;
}

// searchValues calls hit for each value that has the text when it is set or, for an object, changes.
function searchValues(rec, has, hit) {
  const known = new Int8Array(rec.data.texts.length);
  const matches = (id) => (known[id] ||= has(rec.textOf(id)) ? 1 : -1) > 0;
  const holder = new Map(); // by object: the name that held it last
  const changes = [];
  for (const [object, texts] of rec.texts.entries()) {
    texts.event.forEach((event, k) => changes.push({ event, object, text: texts.text[k] >> 1 }));
  }
  changes.sort((a, b) => a.event - b.event);
  let next = 0;
  const told = (event, act, slot, text) => {
    const name = rec.code(act).names[slot];
    if (matches(text) || has(name + ' =')) hit({ event, name, text: rec.textOf(text) });
  };
  const upToEvent = (event) => {
    for (; next < changes.length && changes[next].event < event; next++) {
      const held = holder.get(changes[next].object);
      if (held) told(changes[next].event, held.act, held.slot, changes[next].text);
    }
  };
  for (let k = 0; k < rec.log.length; k += 4) {
    const [event, act, slot, value] = rec.log.slice(k, k + 4);
    upToEvent(event);
    if (!value || (value - 1) & 1) continue;
    const id = (value - 1) >> 2;
    if (!((value - 1) & 2)) told(event, act, slot, id);
    else {
      const fresh = !holder.has(id);
      holder.set(id, { act, slot });
      if (!fresh) told(event, act, slot, rec.texts[id].text[Math.max(upTo(rec.texts[id].event, event), 0)] >> 1);
    }
  }
  upToEvent(Infinity);
}

// outputLines returns the lines of the output, each with the event that wrote its end and its pieces.
function outputLines(rec) {
  if (rec.lines) return rec.lines;
  const lines = [];
  let open = null;
  for (const piece of rec.data.output) {
    const parts = piece.text.split('\n');
    parts.forEach((part, k) => {
      if (part || k < parts.length - 1) {
        if (!open) lines.push((open = { event: piece.event, text: '', pieces: [] }));
        if (part) open.pieces.push({ text: part, error: piece.error, event: piece.event });
        open.text += part;
        open.event = piece.event;
      }
      if (k < parts.length - 1) open = null;
    });
  }
  return (rec.lines = lines);
}
