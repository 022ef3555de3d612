// What the recording holds at each event. Numbers are those of htmlpage's data.

class Recorded {
  constructor(data) {
    this.data = data;
    this.length = data.kinds.length;
    this.kind = Uint8Array.from(Array.from(data.kinds, Number));
    this.line = new Int32Array(this.length);
    this.act = new Int32Array(this.length); // the activation on top of the stack
    this.place = new Int32Array(this.length); // the top of the stack, in places
    this.value = new Int32Array(this.length); // what the event returns, yields or raises, 0 for nothing
    this.first = new Int32Array(data.acts.length).fill(-1); // by activation: its first event
    this.last = new Int32Array(data.acts.length).fill(-1); // by activation: its last event so far
    this.places = []; // activation, the place below, line and event of the activation below
    this.names = data.acts.map(() => new Map()); // by activation and slot: its values
    this.texts = []; // by object: its texts
    this.log = []; // all values in order: event, activation, slot, value
    this.known = new Map(); // texts that were put together
    this.room = 0;
    this.raised = new Set(data.raised);
    this.said = new Map(data.said.map((s) => [s.event, s.text]));
    this.read();
  }

  code(act) {
    return this.data.codes[this.data.acts[act]];
  }

  // Reading: one pass over the events.

  read() {
    const d = this.data;
    this.newTexts = this.newObjects = this.rank = 0;
    const at = { pushed: 0, act: 0, stacks: 0, changes: 0, asides: 0, aside: 0, objects: 0, object: 0, values: 0 };
    let top = -1;
    for (let i = 0, line = 0; i < this.length; i++) {
      line += d.lines[i];
      this.line[i] = line;
      top = this.restack(i, top, at);
      this.place[i] = top;
      const act = this.places[top].act;
      this.act[i] = act;
      while (at.asides < d.asides.length && at.aside + d.asides[at.asides] === i) {
        at.aside = i;
        at.asides = this.change(i, d.asides[at.asides + 1], d.asides, at.asides + 2);
      }
      at.changes = this.change(i, act, d.changes, at.changes);
      if (this.kind[i] >= 2 && this.kind[i] <= 5) {
        const value = d.values[at.values++];
        this.value[i] = value && this.reference(value);
      }
      while (at.objects < d.objects.length && at.object + d.objects[at.objects] === i) {
        at.object = i;
        const text = d.objects[at.objects + 2];
        this.text(i, this.newObjects - d.objects[at.objects + 1], text);
        at.objects += 3;
      }
      if (this.first[act] < 0) this.first[act] = i;
      this.last[act] = i;
    }
  }

  restack(i, top, at) {
    const d = this.data;
    if (i > 0 && this.kind[i - 1] >= 2 && this.kind[i - 1] <= 4) top = this.places[top].below;
    if (at.stacks < d.stacks.length && d.stacks[at.stacks][0] === i) {
      const full = d.stacks[at.stacks++];
      top = -1;
      for (let k = 1; k < full.length; k += 2) top = this.push(full[k], top, k > 1 ? full[k - 1] : 0);
      return top;
    }
    if (this.kind[i] === 0 || this.kind[i] === 6) {
      at.act += d.pushed[at.pushed++];
      const below = top < 0 ? 0 : this.line[this.last[this.places[top].act]] ?? 0;
      top = this.push(at.act, top, below);
    }
    return top;
  }

  push(act, below, line) {
    const event = below < 0 ? -1 : this.last[this.places[below].act];
    const depth = below < 0 ? 0 : this.places[below].depth + 1;
    this.places.push({ act, below, line, event, depth });
    return this.places.length - 1;
  }

  change(i, act, from, at) {
    for (let n = from[at++]; n > 0; n--) {
      const slot = from[at++];
      if (slot < 0) {
        for (let m = from[at++]; m > 0; m--) {
          const name = this.names[act].get(from[at++]);
          this.keep(name, i, name.value[name.value.length - 1], ++this.rank);
        }
        continue;
      }
      const value = from[at++];
      this.set(i, act, slot, value && this.reference(value));
    }
    return at;
  }

  set(i, act, slot, value) {
    let name = this.names[act].get(slot);
    if (!name) this.names[act].set(slot, (name = { event: [], value: [], rank: [] }));
    const n = name.event.length - 1;
    this.keep(name, i, value, n >= 0 && name.value[n] ? name.rank[n] : ++this.rank);
    this.log.push(i, act, slot, value);
  }

  keep(name, i, value, rank) {
    const n = name.event.length - 1;
    if (n >= 0 && name.event[n] === i) {
      name.value[n] = value;
      name.rank[n] = rank;
      return;
    }
    name.event.push(i);
    name.value.push(value);
    name.rank.push(rank);
  }

  // A value is 1 more than four times its text or object, plus 2 for an object, plus 1 for a hidden name.
  reference(value) {
    const flags = (value - 1) & 3;
    const distance = (value - 1) >> 2;
    let id;
    if (flags & 2) {
      id = distance ? this.newObjects - distance : this.newObjects++;
      if (!distance) this.texts.push({ event: [], text: [] });
    } else {
      id = distance ? this.newTexts - distance : this.newTexts++;
    }
    return id * 4 + flags + 1;
  }

  text(i, object, text) {
    const distance = text >> 1;
    const id = distance ? this.newTexts - distance : this.newTexts++;
    this.texts[object].event.push(i);
    this.texts[object].text.push(id * 2 + (text & 1));
  }

  // Looking: what is known as of an event.

  // stack returns the frames as of an event, outermost first.
  stack(i) {
    const frames = [];
    for (let at = this.place[i], line = this.line[i], event = i; at >= 0; ) {
      const p = this.places[at];
      frames.push({ act: p.act, line, event });
      ({ line, event, below: at } = p);
    }
    return frames.reverse();
  }

  depth(i) {
    return this.places[this.place[i]].depth;
  }

  bottom(i) {
    let at = this.place[i];
    while (this.places[at].below >= 0) at = this.places[at].below;
    return this.places[at].act;
  }

  onStack(act, i) {
    for (let at = this.place[i]; at >= 0; at = this.places[at].below) if (this.places[at].act === act) return true;
    return false;
  }

  // locals returns the names of an activation that have a value as of an event, in order.
  locals(act, i) {
    const code = this.code(act);
    const found = [];
    for (const [slot, name] of this.names[act]) {
      const at = upTo(name.event, i);
      const value = at < 0 ? 0 : name.value[at];
      if (value) found.push({ name: code.names[slot], order: code.fast ? slot : name.rank[at], hidden: ((value - 1) & 1) === 1, ...this.show(value, i) });
    }
    return found.sort((a, b) => a.order - b.order);
  }

  // globals returns those names of an activation's module that its function uses.
  globals(act, i) {
    const module = this.data.module[act];
    const uses = this.code(act).uses;
    if (module < 0 || module === act || !uses) return [];
    const all = new Map(this.locals(module, i).map((l) => [l.name, l]));
    return uses.filter((name) => all.has(name) && !all.get(name).hidden).map((name) => all.get(name));
  }

  // returned returns what an event returns, yields or raises, or null.
  returned(i) {
    return this.value[i] ? this.show(this.value[i], i) : null;
  }

  // show returns the text of a value as of an event. unasked says that an object with a __repr__ of its
  // own is shown by its attributes.
  show(value, i) {
    const id = (value - 1) >> 2;
    if (!((value - 1) & 2)) return { text: this.textOf(id), unasked: false };
    const texts = this.texts[id];
    const at = texts.text[Math.max(upTo(texts.event, i), 0)];
    return { text: this.textOf(at >> 1), unasked: (at & 1) === 1 };
  }

  // textOf returns a text, which may be written as a difference from an earlier one.
  textOf(id) {
    const all = this.data.texts;
    const later = [];
    while (typeof all[id] !== 'string' && !this.known.has(id)) {
      later.push(id);
      id -= all[id][0];
    }
    let text = this.known.get(id) ?? all[id];
    while (later.length) {
      id = later.pop();
      const [, head, tail, between] = all[id];
      text = text.slice(0, head) + between + text.slice(text.length - tail);
      if (later.length % 32 === 0) this.remember(id, text);
    }
    return text;
  }

  remember(id, text) {
    this.room += text.length;
    if (this.room > 3e7) {
      this.known.clear();
      this.room = text.length;
    }
    this.known.set(id, text);
  }
}

// upTo returns the index of the last number that is at most n, or -1.
function upTo(numbers, n) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= n) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
