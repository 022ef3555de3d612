// Keys, buttons, the search, and what begins it all.

const moveKeys = { s: 'step', n: 'next', r: 'return', c: 'continue' };

const helpTexts = [
  ['s n r c', 'step, next, return, continue'], ['S N R C', 'the same backwards'], ['t T', 'to the cursor’s line, back to it'],
  ['z Z', 'back to what was shown before, and forth'], ['#', 'go to an event by its number'], ['Home End', 'first event, the end'],
  ['j k ↓ ↑', 'move the cursor in the source'], ['b', 'breakpoint at the cursor'], ['u d', 'frame up, frame down'],
  ['*', 'show hidden names'], ['/', 'search source, values, output'], ['. ,', 'next and previous match'], ['← →', 'on the timeline: step'],
  ['Esc', 'close'], ['?', 'these keys'],
];

const reasons = {
  start: 'start: nothing before this point',
  end: 'the end of the program',
  hole: 'this part ran unrecorded; the same move again goes on before it',
  cut: 'this page has no further events in this direction',
};

class Page {
  constructor(rec) {
    this.rec = rec;
    this.view = new View(rec, (event) => this.go({ event }));
    this.timeline = new Timeline(rec, this.view, (event, begins) => this.dragTo(event, begins));
    this.trail = [];
    this.ahead = [];
    this.found = [];
    this.match = -1;
    const d = rec.data;
    $('program').textContent = d.program;
    $('program').title = d.python ? 'Python ' + d.python : '';
    $('cut').textContent = d.cut;
    $('cut').hidden = !d.cut;
    this.view.onBreaks = () => this.timeline.draw();
    this.addMoves();
    this.addTabs();
    this.addDialogs();
    this.view.showMarks((m) => (m.end ? this.atEnd() : this.go({ event: m.event })));
    document.addEventListener('keydown', (e) => this.key(e));
    addEventListener('hashchange', () => this.goHash());
    this.before = null;
    this.at = { event: d.shown, end: d.end, fatal: d.fatal, edge: false };
    if (!this.goHash()) this.show();
  }

  // Positions.

  go(to, why = '') {
    const at = { end: false, fatal: false, edge: false, ...to };
    if (at.event < 0 || at.event >= this.rec.length) return;
    if (at.event !== this.at.event || at.end !== this.at.end) {
      this.trail.push(this.at);
      this.ahead = [];
      this.before = this.at;
      this.view.frame = 0;
    }
    this.at = at;
    this.show();
    $('message').textContent = why;
  }

  show() {
    this.view.show(this.at, this.before);
    this.timeline.show(this.at);
    clearTimeout(this.naming);
    this.naming = setTimeout(() => history.replaceState(null, '', '#' + (this.rec.data.first + this.at.event)), 400);
  }

  goHash() {
    const number = Number(location.hash.slice(1));
    if (!location.hash || !Number.isInteger(number)) return false;
    const event = number - this.rec.data.first;
    if (event < 0 || event >= this.rec.length || event === this.at.event) return false;
    this.go({ event });
    return true;
  }

  atEnd() {
    const { event, end, why } = atEnd(this.rec, 'end');
    this.go({ event, end }, reasons[why]);
  }

  move(name, back, breaks = this.view.breaks) {
    const to = moved(this.rec, this.at, name, back, breaks);
    let why = reasons[to.why] ?? '';
    if (to.why === 'end') why = this.view.ending();
    if (!to.why && !to.end && breaks === this.view.breaks && name !== 'step' && stops(this.rec, breaks, to.event)) why = 'breakpoint';
    this.go(to, why);
  }

  dragTo(event, begins) {
    const before = this.before;
    this.go({ event });
    if (begins) this.dragged = this.before;
    else {
      this.before = this.dragged ?? before;
      this.trail.pop();
      this.view.before = this.before;
      this.view.showLocals();
    }
  }

  // back shows what was shown before; forth undoes that.
  back() {
    if (!this.trail.length) return;
    this.ahead.push(this.at);
    this.at = this.trail.pop();
    this.before = this.ahead[this.ahead.length - 1];
    this.show();
  }

  forth() {
    if (!this.ahead.length) return;
    this.trail.push(this.at);
    this.before = this.at;
    this.at = this.ahead.pop();
    this.show();
  }

  // Keys and buttons.

  addMoves() {
    for (const back of [true, false]) {
      for (const key of back ? ['C', 'R', 'N', 'S'] : ['s', 'n', 'r', 'c']) {
        const name = moveKeys[key.toLowerCase()];
        const button = control('button', '', () => this.move(name, back), el('b', '', key), el('span', '', back ? '‹ ' + name : name + ' ›'));
        button.title = name + (back ? ' backwards' : '');
        $('moves').append(button);
      }
    }
  }

  addTabs() {
    for (const name of ['locals', 'stack', 'output', 'marks']) {
      const tab = control('button', '', () => this.choose(name), name === 'marks' ? 'bookmarks' : name);
      tab.id = 'tab-' + name;
      $('tabs').append(tab);
    }
    this.choose('locals');
  }

  choose(name) {
    for (const other of ['locals', 'stack', 'output', 'marks']) {
      $(other).classList.toggle('chosen', other === name);
      $('tab-' + other).classList.toggle('chosen', other === name);
    }
    if (this.at) this.view.showOutput();
  }

  addDialogs() {
    $('help').lastElementChild.append(...helpTexts.map(([keys, text]) => el('div', '', el('b', '', keys), text)));
    $('helper').addEventListener('click', () => this.toggle('help'));
    $('finder').addEventListener('click', () => this.toggle('find'));
    $('shade').addEventListener('click', () => this.shade());
    $('number').addEventListener('focus', () => $('number').select());
    $('number').addEventListener('keydown', (e) => {
      if (e.key === 'Enter') {
        const event = Number($('number').value.replace(/,/g, '')) - this.rec.data.first;
        $('number').blur();
        if (Number.isInteger(event) && event >= 0 && event < this.rec.length) this.go({ event });
        else $('message').textContent = 'This page has no such event.';
        this.view.showHead();
      }
    });
    const input = $('find').firstElementChild;
    input.addEventListener('input', () => this.search(input.value));
    input.addEventListener('keydown', (e) => this.findKey(e));
  }

  toggle(id) {
    const opens = $(id).hidden;
    for (const other of ['help', 'find']) $(other).hidden = other !== id || !opens;
    if (opens && id === 'find') {
      $('find').firstElementChild.focus();
      $('find').firstElementChild.select();
    }
  }

  // shade changes between dark and light.
  shade() {
    const root = document.documentElement;
    const dark = root.classList.contains('dark') || (!root.classList.contains('light') && matchMedia('(prefers-color-scheme: dark)').matches);
    root.classList.toggle('dark', !dark);
    root.classList.toggle('light', dark);
    this.timeline.draw();
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === 'Escape') {
      for (const id of ['help', 'find']) $(id).hidden = true;
      document.activeElement.blur();
      return;
    }
    if (e.target.tagName === 'INPUT') return;
    if (this.press(e.key, e.target)) e.preventDefault();
  }

  // press does what a key does, and reports whether it does anything.
  press(key, target) {
    const { view } = this;
    const name = moveKeys[key.toLowerCase()];
    const slides = target === this.timeline.box;
    if (name) this.move(name, key !== key.toLowerCase());
    else if (slides && (key === 'ArrowLeft' || key === 'ArrowRight')) this.move('step', key === 'ArrowLeft');
    else if (key === 'j' || key === 'ArrowDown') view.pointBy(1);
    else if (key === 'k' || key === 'ArrowUp') view.pointBy(-1);
    else if (key === 'b' && view.cursor) view.toggle(view.cursor.file, view.cursor.line);
    else if ((key === 't' || key === 'T') && view.cursor) this.move('continue', key === 'T', new Set([breakKey(view.cursor.file, view.cursor.line)]));
    else if (key === 'u') view.select(view.frame + 1);
    else if (key === 'd') view.select(view.frame - 1);
    else if (key === 'z') this.back();
    else if (key === 'Z') this.forth();
    else if (key === 'Home') this.go({ event: 0 });
    else if (key === 'End') this.atEnd();
    else if (key === '*') view.toggleHidden();
    else if (key === '/') this.toggle('find');
    else if (key === '?') this.toggle('help');
    else if (key === '#') $('number').focus();
    else if (key === '.') this.nextMatch(1);
    else if (key === ',') this.nextMatch(-1);
    else return false;
    return true;
  }

  // Search.

  search(query) {
    const found = search(this.rec, query);
    const box = $('find').lastElementChild;
    this.found = [];
    this.match = -1;
    const rows = [];
    const group = (title, hits, row) => {
      if (hits.length) rows.push(el('p', 'group', title + ' · ' + hits.length + (hits.length === mostFound ? ' or more' : '')));
      for (const hit of hits) {
        const entry = control('button', 'entry', () => this.follow(hit), ...row(hit));
        this.found.push({ hit, entry });
        rows.push(entry);
      }
    };
    const end = (event) => el('span', 'end', event < 0 ? '' : this.rec.data.first + event + '  ' + this.view.place(event));
    group('values', found.values, (h) => [el('span', 'what', h.name + ' ='), el('span', 'grow', ...marked(around(h.text, query), query)), end(h.event)]);
    group('output', found.output, (h) => [el('span', 'grow', ...marked(around(h.text, query), query)), end(h.event)]);
    group('source', found.source, (h) => [el('span', 'grow', ...marked(h.text, query)), el('span', 'end', this.rec.data.files[h.file].name + ':' + h.line)]);
    if (query && !rows.length) rows.push(el('p', 'note', 'nothing found'));
    box.replaceChildren(...rows);
    const next = this.found.findIndex((f) => f.hit.event >= this.at.event);
    if (this.found.length) this.mark(Math.max(next, 0));
  }

  mark(n) {
    this.found[this.match]?.entry.classList.remove('selected');
    this.match = n;
    this.found[n].entry.classList.add('selected');
    this.found[n].entry.scrollIntoView({ block: 'nearest' });
  }

  findKey(e) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (by && this.found.length) {
      this.mark((this.match + by + this.found.length) % this.found.length);
      e.preventDefault();
    } else if (e.key === 'Enter' && this.found[this.match]) {
      $('find').hidden = true;
      e.target.blur();
      this.follow(this.found[this.match].hit);
    }
  }

  nextMatch(by) {
    const n = this.found.length;
    if (!n) return;
    this.mark((this.match + by + n) % n);
    this.follow(this.found[this.match].hit);
    $('message').textContent = 'match ' + (this.match + 1) + ' of ' + n;
  }

  follow(hit) {
    $('find').hidden = true;
    this.match = Math.max(this.found.findIndex((f) => f.hit === hit), 0);
    if (hit.file === undefined) return this.go({ event: hit.event });
    this.view.showFile(hit.file);
    this.view.point(hit.file, hit.line);
    this.view.reveal(hit.file, hit.line);
  }
}

// around returns the part of a long text that has the match.
function around(text, query) {
  const at = text.toLowerCase().indexOf(query.toLowerCase());
  return at > 60 ? '…' + text.slice(at - 40, at + 200) : text.slice(0, 240);
}

// marked returns a text with its matches marked.
function marked(text, query) {
  const parts = [];
  const small = text.toLowerCase();
  let from = 0;
  for (let at; query && (at = small.indexOf(query.toLowerCase(), from)) >= 0; from = at + query.length) {
    parts.push(text.slice(from, at), el('mark', '', text.slice(at, at + query.length)));
  }
  return [...parts, text.slice(from)];
}

// unpack reads the recording in the page.
async function unpack() {
  const bytes = Uint8Array.from(atob($('recording').textContent), (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(plain).text());
}

unpack().then((data) => {
  const rec = new Recorded(data);
  if (rec.length) document.page = new Page(rec);
  else $('message').textContent = 'The recording has no events.';
}).catch((error) => ($('message').textContent = 'This browser cannot show the page: ' + error.message));
