// What the page shows of an event.

const $ = (id) => document.getElementById(id);

// el makes an element. Texts are texts, never HTML.
function el(tag, name, ...inside) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...inside);
  return made;
}

// control makes an element that can be clicked and used by keyboard.
function control(tag, name, act, ...inside) {
  const made = el(tag, name, ...inside);
  if (tag === 'button') made.type = 'button';
  made.addEventListener('click', act);
  return made;
}

class View {
  constructor(rec, go) {
    this.rec = rec;
    this.go = go; // goes to an event
    this.frame = 0; // the selected frame, counted from the innermost one
    this.cursor = null; // { file, line }
    this.breaks = new Set(rec.data.breaks.map(([file, line]) => breakKey(file, line)));
    this.open = new Set(); // paths of expanded values
    this.hidden = false; // hidden names are shown
    this.files = new Map(); // by file: its lines on the page
    this.file = -1;
    this.onBreaks = () => {};
  }

  // show shows a position. before is the one that was shown before, for the marks of what changed.
  show(at, before) {
    this.at = at;
    this.before = before;
    this.frames = at.end ? [] : this.rec.stack(at.event).reverse();
    this.frame = Math.min(this.frame, Math.max(this.frames.length - 1, 0));
    this.showHead();
    this.showStack();
    this.showSource();
    this.showLocals();
    this.showOutput();
  }

  select(frame) {
    if (frame < 0 || frame >= this.frames.length) return;
    this.frame = frame;
    this.showStack();
    this.showSource();
    this.showLocals();
  }

  // The first row.

  place(event) {
    const code = this.rec.code(this.rec.act[event]);
    const kind = ['call ', '', 'return ', 'yield ', 'unwind ', 'exception ', 'resume '][this.rec.kind[event]];
    return kind + code.name + ':' + this.rec.line[event];
  }

  showHead() {
    const d = this.rec.data;
    const number = d.first + this.at.event;
    $('where').textContent = this.at.end ? this.ending() : this.place(this.at.event);
    if (document.activeElement !== $('number')) $('number').value = this.at.end ? 'end' : String(number);
    $('all').textContent = 'of ' + d.all.toLocaleString('en');
  }

  ending() {
    const exit = this.rec.data.exit;
    if (!exit) return 'the end of the recording';
    return 'the program ended, exit code ' + exit.code + (exit.exception ? ', ' + exit.exception : '');
  }

  // Source.

  fileOf(n) {
    let shown = this.files.get(n);
    if (shown) return shown;
    const file = this.rec.data.files[n];
    const rows = file.lines.map((text, k) => {
      const code = el('span', 'text');
      let at = 0;
      for (const [, kind, length] of file.kinds[k].matchAll(/([a-z])(\d+)/g)) {
        const part = text.slice(at, (at += Number(length)));
        code.append(kind === 'a' ? part : el('span', kind, part));
      }
      const row = el('div', 'line', control('button', '', () => this.toggle(n, k + 1)), el('i', '', String(k + 1)), code);
      row.firstChild.tabIndex = -1;
      row.firstChild.ariaLabel = 'breakpoint at line ' + (k + 1);
      row.addEventListener('mousedown', () => this.point(n, k + 1));
      row.addEventListener('mouseover', (e) => this.explain(e.target));
      row.classList.toggle('stop', this.breaks.has(breakKey(n, k + 1)));
      return row;
    });
    shown = { rows, all: el('div', 'lines', ...rows), marked: [] };
    this.files.set(n, shown);
    return shown;
  }

  // explain puts the value of a name under the mouse into its tooltip.
  explain(token) {
    if (token.tagName !== 'SPAN' || token.className.length !== 1 || !this.frames.length) return;
    const known = this.values().find((l) => l.name === token.textContent);
    token.title = known ? known.name + ' = ' + short(known.text, 1000) : '';
  }

  values() {
    const { act } = this.frames[this.frame];
    return [...this.rec.locals(act, this.at.event), ...this.rec.globals(act, this.at.event)];
  }

  showFile(n) {
    if (this.file === n) return;
    this.file = n;
    $('lines').replaceChildren(this.fileOf(n).all);
    $('file').textContent = this.rec.data.files[n].name;
  }

  // mark gives a line a class, until the next stop.
  mark(n, line, name, after) {
    const shown = this.fileOf(n);
    const row = shown.rows[line - 1];
    if (!row) return;
    row.classList.add(name);
    shown.marked.push(row);
    if (after) row.append(after);
  }

  showSource() {
    for (const shown of this.files.values()) {
      for (const row of shown.marked) {
        row.classList.remove('now', 'frame', 'raises', 'ran');
        for (const after of row.querySelectorAll('em')) after.remove();
      }
      shown.marked = [];
    }
    const frame = this.frames[this.frame];
    if (!frame) return;
    const file = this.rec.code(frame.act).file;
    this.showFile(file);
    const raises = this.frame === 0 && this.rec.kind[this.at.event] === EXCEPTION;
    this.mark(file, frame.line, this.frame === 0 ? 'now' : 'frame', this.lineEnd(file, frame, raises));
    if (raises) this.mark(file, frame.line, 'raises');
    this.point(file, frame.line);
    this.reveal(file, frame.line);
  }

  // lineEnd returns what is shown behind the current line: the exception, or the values of its names.
  lineEnd(file, frame, raises) {
    if (raises) return el('em', 'error', short(this.raised(this.at.event), 200));
    const text = this.rec.data.files[file].lines[frame.line - 1] ?? '';
    const used = new Set(text.match(/[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*/g));
    const values = this.rec.locals(frame.act, this.at.event).filter((l) => used.has(l.name) && !l.hidden);
    return values.length ? el('em', '', values.map((l) => l.name + '=' + short(l.text, 40)).join('  ')) : null;
  }

  raised(event) {
    return this.rec.said.get(event) ?? this.rec.returned(event)?.text ?? 'exception';
  }

  reveal(file, line) {
    const row = this.fileOf(file).rows[line - 1];
    const box = $('lines');
    if (!row) return;
    const top = row.offsetTop - box.offsetTop;
    const margin = Math.min(box.clientHeight / 4, 120);
    if (top < box.scrollTop + margin || top > box.scrollTop + box.clientHeight - margin) {
      box.scrollTop = top - box.clientHeight / 2.4;
    }
  }

  point(file, line) {
    const was = this.cursor && this.fileOf(this.cursor.file).rows[this.cursor.line - 1];
    if (was) was.classList.remove('cursor');
    this.cursor = { file, line };
    this.fileOf(file).rows[line - 1]?.classList.add('cursor');
  }

  pointBy(lines) {
    if (this.file < 0) return;
    const from = this.cursor?.file === this.file ? this.cursor.line : 1;
    const line = Math.min(Math.max(from + lines, 1), this.rec.data.files[this.file].lines.length);
    this.point(this.file, line);
    this.fileOf(this.file).rows[line - 1].scrollIntoView({ block: 'nearest' });
  }

  toggle(file, line) {
    const key = breakKey(file, line);
    if (!this.breaks.delete(key)) this.breaks.add(key);
    this.fileOf(file).rows[line - 1].classList.toggle('stop', this.breaks.has(key));
    this.onBreaks();
  }

  // Locals.

  showLocals() {
    const box = $('locals').lastElementChild;
    const frame = this.frames[this.frame];
    $('owner').textContent = frame ? this.rec.code(frame.act).name : '';
    if (!frame) {
      box.replaceChildren(el('p', 'note', this.ending()));
      return;
    }
    const rows = [];
    const locals = this.rec.locals(frame.act, this.at.event);
    const was = this.was(frame.act);
    const shown = locals.filter((l) => this.hidden || !l.hidden);
    for (const l of shown) this.addValue(rows, 0, l.name, l, was, 'l/' + l.name);
    if (!shown.length) rows.push(el('p', 'note', 'no locals'));
    if (shown.length < locals.length) {
      rows.push(control('button', 'note', () => this.toggleHidden(), locals.length - shown.length + ' hidden: * shows them'));
    }
    this.addResult(rows, frame);
    const globals = this.rec.globals(frame.act, this.at.event);
    if (globals.length) {
      rows.push(el('p', 'group', 'globals'));
      const before = this.was(this.rec.data.module[frame.act]);
      for (const l of globals) this.addValue(rows, 0, l.name, l, before, 'g/' + l.name);
    }
    box.replaceChildren(...rows);
  }

  toggleHidden() {
    this.hidden = !this.hidden;
    this.showLocals();
  }

  // was returns the values of an activation at the position shown before, or null if it did not exist then.
  was(act) {
    if (!this.before || this.before.end || !this.rec.onStack(act, this.before.event)) return null;
    return new Map(this.rec.locals(act, this.before.event).map((l) => [l.name, l.text]));
  }

  addResult(rows, frame) {
    const event = this.at.event;
    const value = this.rec.returned(event);
    if (this.frame !== 0 || frame.event !== event) return;
    const word = { [RETURNED]: 'returns', [YIELDED]: 'yields', [UNWOUND]: 'left by an exception', [EXCEPTION]: 'raises' }[this.rec.kind[event]];
    if (!word) return;
    rows.push(el('p', 'group', word));
    if (value) this.addValue(rows, 0, this.rec.kind[event] === EXCEPTION ? '!' : '→', value, null, 'r');
    if (this.rec.said.has(event)) rows.push(el('p', 'note error', this.rec.said.get(event)));
  }

  // addValue adds the row of a value, and those of its parts if it is expanded.
  addValue(rows, level, name, value, was, path) {
    const before = was ? was.get(name) : undefined;
    const changed = was !== null && before !== value.text;
    const parts = partsOf(value.text);
    const open = this.open.has(path);
    const row = el('div', 'row' + (changed ? ' changed' : '') + (open && !parts.length ? ' whole' : ''));
    const pad = el('span', 'name', '\u2007'.repeat(level * 2) + name);
    pad.title = name;
    row.append(el('span', 'open', parts.length ? (open ? '▾' : '▸') : ''), pad, this.valueOf(value, before, changed, open));
    if (parts.length || value.text.length > 30) {
      row.role = 'button';
      row.tabIndex = -1;
      row.addEventListener('click', () => this.expand(path));
    }
    rows.push(row);
    if (!open || level > 20) return;
    const earlier = changed && before !== undefined ? new Map(partsOf(before).map((p) => [p.key, p.text])) : null;
    for (const [k, part] of parts.slice(0, 200).entries()) {
      if (part.key) this.addValue(rows, level + 1, part.key, { text: part.text }, earlier, path + '/' + part.key);
      else this.addValue(rows, level + 1, '', { text: part.text }, null, path + '/' + k);
    }
    if (parts.length > 200) rows.push(el('p', 'note', '… ' + (parts.length - 200) + ' more'));
  }

  valueOf(value, before, changed, open) {
    const part = changed && before !== undefined && !open && value.text.length > 40 ? partChanged(value.text, before) : null;
    const text = part ? part.text : value.text;
    const shown = el('span', 'value');
    if (value.unasked) shown.append(el('span', 'dim', '~'));
    if (part) shown.append(el('span', 'dim', '…[' + part.key + '] '));
    shown.append(el('b', changed ? '' : classOf(text), open ? text : short(text, 400)));
    const was = part ? part.was : before;
    if (changed && was !== undefined && !(open && partsOf(text).length)) shown.append(el('span', 'was', 'was ' + short(was, 80)));
    if (part && part.more) shown.append(el('span', 'dim', ' +' + part.more + ' more'));
    return shown;
  }

  expand(path) {
    if (!this.open.delete(path)) this.open.add(path);
    this.showLocals();
  }

  // Stack.

  showStack() {
    const most = 300;
    const rows = this.frames.slice(0, most).map((f, k) => {
      const code = this.rec.code(f.act);
      const told = k < 60 ? this.tells(k) : null;
      const row = control('button', 'entry' + (k === this.frame ? ' selected' : ''), () => this.select(k));
      row.append(el('span', 'sign', k === this.frame ? '»' : ''), el('span', 'what', code.name + (code.class ? ' [' + code.class + ']' : '')));
      if (told) row.append(el('span', 'grow dim', told.name + '=' + short(told.text, 60)));
      row.append(el('span', 'end', this.rec.data.files[code.file].name + ':' + (f.line || '?')));
      return row;
    });
    if (this.frames.length > most) rows.push(el('p', 'note', '… ' + (this.frames.length - most) + ' more frames'));
    $('frames').textContent = this.frames.length > 1 ? this.frames.length + ' frames' : '';
    $('stack').lastElementChild.replaceChildren(...rows);
    rows[this.frame]?.scrollIntoView({ block: 'nearest' });
  }

  // tells returns the first local of a frame that distinguishes it from the next frame of the same function.
  tells(k) {
    const code = this.rec.data.acts[this.frames[k].act];
    const same = (f) => this.rec.data.acts[f.act] === code;
    const other = this.frames.find((f, n) => n > k && same(f)) ?? this.frames.findLast((f, n) => n < k && same(f));
    if (!other) return null;
    const there = new Map(this.rec.locals(other.act, this.at.event).map((l) => [l.name, l.text]));
    return this.rec.locals(this.frames[k].act, this.at.event).find((l) => !l.hidden && there.get(l.name) !== l.text) ?? null;
  }

  // Output.

  showOutput() {
    const most = 500;
    const { event, end } = this.at;
    const lines = outputLines(this.rec);
    let n = lines.length;
    if (!end) while (n > 0 && lines[n - 1].pieces.every((p) => p.event >= event) && lines[n - 1].event >= event) n--;
    const rows = [];
    for (const line of lines.slice(Math.max(n - most, 0), n)) {
      const pieces = line.pieces.filter((p) => end || p.event < event);
      const row = control('button', 'out', () => this.go(line.event), ...pieces.map((p) => (p.error ? el('span', 'err', p.text) : p.text)));
      row.disabled = line.event < 0;
      row.title = row.disabled ? 'printed before the first event of this page' : 'go to event ' + (this.rec.data.first + line.event) + ', which printed this';
      rows.push(row);
    }
    if (n > most) rows.unshift(el('p', 'note', '… ' + (n - most) + ' lines before'));
    const box = $('output').lastElementChild;
    box.replaceChildren(...(rows.length ? rows : [el('p', 'note', 'nothing yet')]));
    box.scrollTop = box.scrollHeight;
  }

  // Bookmarks and exceptions, which do not change.

  showMarks(goMark) {
    const d = this.rec.data;
    const rows = [];
    for (const m of d.marks) {
      const here = m.end || (m.event >= 0 && m.event < this.rec.length);
      const row = control('button', 'entry', () => goMark(m), el('span', 'sign', '⚑'), el('span', 'what', m.name));
      row.append(el('span', 'end', m.end ? 'the end' : here ? this.place(m.event) : 'not on this page'));
      row.disabled = !here;
      rows.push(row);
      if (m.note) rows.push(el('p', 'remark', m.note));
    }
    if (d.raised.length) rows.push(el('p', 'group', 'exceptions, latest first'));
    for (const event of d.raised.slice(-100).reverse()) {
      const row = control('button', 'entry', () => this.go(event), el('span', 'sign error', '!'), el('span', 'grow', short(this.raised(event), 200)));
      row.append(el('span', 'end', this.place(event).replace('exception ', '')));
      rows.push(row);
    }
    if (d.raised.length > 100) rows.push(el('p', 'note', '… ' + (d.raised.length - 100) + ' before'));
    $('marks').lastElementChild.replaceChildren(...rows);
    $('marks').hidden = !rows.length;
  }
}

// short cuts a text for one line.
function short(text, most) {
  return text.length > most ? text.slice(0, most) + '…' : text;
}

// classOf returns the class of a value's color, as of a token in the source.
function classOf(text) {
  if (/^b?['"]/.test(text)) return 'm';
  if (/^-?[\d.]/.test(text)) return 'l';
  return /^(None|True|False)$/.test(text) ? 'c' : '';
}
