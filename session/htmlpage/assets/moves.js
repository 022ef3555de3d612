// Where moves lead: the table of moves of dsl.Goal, over the events of the page.

const CALL = 0;
const LINE = 1;
const RETURNED = 2;
const YIELDED = 3;
const UNWOUND = 4;
const EXCEPTION = 5;
const RESUMED = 6;

const isCall = (kind) => kind === CALL || kind === RESUMED;
const isReturn = (kind) => kind >= RETURNED && kind <= UNWOUND;

// goalOf returns which events a move accepts that starts at event i: see dsl.Action.Goal.
function goalOf(rec, move, back, i) {
  const goal = { depth: -1, own: -1, places: false, outermost: -1 };
  if (i === rec.length && move !== 'continue') move = 'step'; // from the end
  if (move === 'step') goal.depth = Infinity;
  if (move !== 'next' && move !== 'return') return goal;
  const act = rec.act[i];
  const over = move === 'next';
  const suspends = rec.code(act).generator;
  const leaves = back ? isCall(rec.kind[i]) : isReturn(rec.kind[i]);
  if (!leaves && (suspends || !over)) {
    goal.own = act;
    goal.places = over;
  }
  if (!suspends || leaves) goal.depth = rec.depth(i) - (over ? 0 : 1);
  else if (rec.bottom(i) !== act) goal.outermost = rec.bottom(i);
  return goal;
}

// accepts reports whether a move lands on event j: see dsl.Goal.Lands.
function accepts(rec, goal, back, j) {
  const kind = rec.kind[j];
  const act = rec.act[j];
  const ends = back ? kind === CALL : kind === RETURNED || kind === UNWOUND;
  return (
    rec.depth(j) <= goal.depth ||
    (ends && (act === goal.own || act === goal.outermost)) ||
    (act === goal.own && goal.places && (kind === LINE || kind === EXCEPTION))
  );
}

const breakKey = (file, line) => file + ':' + line;

// stops reports whether a breakpoint is on the line of event j.
function stops(rec, breaks, j) {
  return breaks.size > 0 && rec.kind[j] === LINE && breaks.has(breakKey(rec.code(rec.act[j]).file, rec.line[j]));
}

// moved returns where a move leads: { event, end, fatal, edge } and why, which is '' if the move found what
// it looks for. edge says that a backward move stopped at the end of an unrecorded part, which the next one
// passes over.
function moved(rec, from, move, back, breaks) {
  const stay = (why) => ({ ...from, why });
  if (!back && from.end) return stay('end');
  const i = from.end ? rec.length : from.event;
  const to = land(rec, i, back, from.edge && back, searchFor(rec, i, move, back, breaks));
  if (!back) {
    if (from.fatal || to.why === 'end') return atEnd(rec, move === 'continue' && breaks.size === 0 ? '' : 'end');
    return { event: to.event, end: false, fatal: false, edge: false, why: to.why };
  }
  if (to.why === 'start') return stay('start');
  if (to.why === 'hole' && to.event === i) return { ...from, edge: i > 0, why: 'hole' };
  const edge = to.why === 'hole' && !from.edge && to.event > 0;
  return { event: to.event, end: false, fatal: false, edge, why: to.why };
}

// atEnd returns the end of the program or, if the page does not go that far, its last event.
function atEnd(rec, why) {
  const d = rec.data;
  const cut = d.first + rec.length < d.all;
  return { event: rec.length - 1, end: !cut, fatal: false, edge: false, why: cut ? 'cut' : why };
}

// searchFor returns a function that says whether a move lands on an event.
function searchFor(rec, i, move, back, breaks) {
  const goal = goalOf(rec, move, back, i);
  if (move === 'continue' && back && breaks.size === 0) return (j) => j === 0 && rec.data.first === 0;
  return (j) => accepts(rec, goal, back, j) || stops(rec, breaks, j);
}

// land searches from event i in one direction, up to the first unrecorded part. cross passes over one that
// ends at i.
function land(rec, i, back, cross, found) {
  const holes = new Set(rec.data.holes);
  const cut = rec.data.first > 0;
  if (!back) {
    for (let j = i + 1; j < rec.length; j++) {
      if (holes.has(j)) return { event: j, why: 'hole' };
      if (found(j)) return { event: j, why: '' };
    }
    return { event: rec.length, why: 'end' };
  }
  let j = i - 1;
  while (j >= 0 && !found(j)) j--;
  let edge = cross ? i - 1 : i;
  while (edge >= 0 && !holes.has(edge)) edge--;
  if (edge > j && !(cross && j < 0 && !cut)) return { event: edge, why: 'hole' };
  if (j >= 0) return { event: j, why: cross ? 'hole' : '' };
  return cut ? { event: 0, why: 'cut' } : { event: i, why: 'start' };
}
