// The timeline: the depth of the stack over all events, and a place to drag.

class Timeline {
  constructor(rec, view, drag) {
    this.rec = rec;
    this.view = view;
    this.drag = drag; // goes to an event; its second argument says that a drag begins
    this.box = $('timeline');
    this.canvas = this.box.firstElementChild;
    this.depths = Uint16Array.from({ length: rec.length }, (_, i) => Math.min(rec.depth(i), 65535));
    this.deepest = this.depths.reduce((a, b) => Math.max(a, b), 1);
    new ResizeObserver(() => this.draw()).observe(this.box);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    this.listen();
  }

  listen() {
    let dragging = false;
    let wanted = null;
    const move = (x, begins) => {
      if (wanted === null) requestAnimationFrame(() => { const [event, first] = wanted; wanted = null; this.drag(event, first); });
      wanted = [this.eventAt(x), begins || (wanted !== null && wanted[1])];
    };
    this.box.addEventListener('pointerdown', (e) => {
      dragging = true;
      this.box.setPointerCapture(e.pointerId);
      move(e.offsetX, true);
    });
    this.box.addEventListener('pointermove', (e) => {
      if (dragging) move(e.offsetX, false);
      this.hover(e.offsetX);
    });
    for (const name of ['pointerup', 'pointercancel']) this.box.addEventListener(name, () => (dragging = false));
    this.box.addEventListener('pointerleave', () => ($('hover').hidden = true));
  }

  eventAt(x) {
    const n = this.rec.length;
    return Math.min(Math.max(Math.floor((x / this.box.clientWidth) * n), 0), n - 1);
  }

  x(event) {
    return ((event + 0.5) / this.rec.length) * this.box.clientWidth;
  }

  // hover says which event is under the pointer.
  hover(x) {
    const event = this.eventAt(x);
    const box = $('hover');
    box.hidden = false;
    box.textContent = this.rec.data.first + event + '  ' + this.view.place(event);
    const half = box.offsetWidth / 2;
    box.style.left = Math.min(Math.max(x, half), this.box.clientWidth - half) + 'px';
  }

  show(at) {
    this.at = at;
    const d = this.rec.data;
    this.box.ariaValueMin = String(d.first);
    this.box.ariaValueMax = String(d.first + this.rec.length - 1);
    this.box.ariaValueNow = String(d.first + at.event);
    this.box.ariaValueText = at.end ? 'the end' : this.view.place(at.event);
    this.draw();
  }

  draw() {
    const width = this.box.clientWidth;
    const height = this.box.clientHeight;
    const scale = devicePixelRatio || 1;
    if (!width || !this.at) return;
    if (this.canvas.width !== Math.round(width * scale)) {
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
    }
    const colors = getComputedStyle(document.documentElement);
    const color = (name) => colors.getPropertyValue('--' + name).trim();
    const g = this.canvas.getContext('2d');
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, width, height);
    this.drawDepths(g, width, height, color('timeline-call'));
    g.setLineDash([3, 3]);
    g.strokeStyle = color('dim');
    for (const hole of this.rec.data.holes) {
      g.beginPath();
      g.moveTo((hole / this.rec.length) * width, 0);
      g.lineTo((hole / this.rec.length) * width, height);
      g.stroke();
    }
    g.setLineDash([]);
    this.drawMarks(g, height, color);
    const x = this.at.end ? width - 1 : this.x(this.at.event);
    g.fillStyle = color('timeline-here');
    g.fillRect(x - 1, 2, 2, height - 2);
    g.beginPath();
    g.arc(x, 6, 5, 0, 7);
    g.fill();
  }

  drawDepths(g, width, height, color) {
    const n = this.rec.length;
    const room = height - 16;
    const level = (depth) => 3 + ((room - 3) * Math.sqrt(depth)) / Math.sqrt(this.deepest);
    g.fillStyle = color;
    const bars = Math.min(n, Math.floor(width));
    for (let k = 0; k < bars; k++) {
      const from = Math.floor((k * n) / bars);
      const to = Math.max(Math.floor(((k + 1) * n) / bars), from + 1);
      let deepest = 0;
      for (let i = from; i < to; i++) deepest = Math.max(deepest, this.depths[i]);
      const h = level(deepest);
      const gap = width / bars > 6 ? 1 : 0;
      g.fillRect((k * width) / bars, height - h, width / bars - gap + (gap ? 0 : 0.5), h);
    }
  }

  drawMarks(g, height, color) {
    const dot = (event, y, name, radius) => {
      g.fillStyle = color(name);
      g.beginPath();
      g.arc(this.x(event), y, radius, 0, 7);
      g.fill();
    };
    for (const event of this.rec.data.raised) dot(event, 6, 'timeline-exception', 2.5);
    if (this.view.breaks.size) {
      let last = -9;
      for (let i = 0; i < this.rec.length; i++) {
        if (!stops(this.rec, this.view.breaks, i) || this.x(i) - last < 2) continue;
        last = this.x(i);
        dot(i, height - 4, 'timeline-breakpoint', 3);
      }
    }
    for (const m of this.rec.data.marks) {
      if (m.end || m.event < 0 || m.event >= this.rec.length) continue;
      const x = this.x(m.event);
      g.fillStyle = color('timeline-shown');
      g.fillRect(x - 0.5, 2, 1.5, height - 2);
      g.beginPath();
      g.moveTo(x, 2);
      g.lineTo(x + 9, 6);
      g.lineTo(x, 10);
      g.fill();
    }
  }
}
