// The parts of a value's text: the elements of a list, the entries of a dict, the attributes of an object.

const opening = '([{';
const closing = ')]}';

// splitParts splits a text at the commas outside of quotes and brackets.
function splitParts(text) {
  const parts = [];
  let depth = 0;
  let from = 0;
  let colon = -1;
  let equals = -1;
  const end = (to) => {
    const part = text.slice(from, to);
    if (part.trim()) parts.push({ text: part.trim(), colon: colon < 0 ? -1 : colon - from, equals: equals < 0 ? -1 : equals - from, from });
    colon = equals = -1;
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "'" || c === '"') {
      for (i++; i < text.length && text[i] !== c; i++) if (text[i] === '\\') i++;
    } else if (opening.includes(c)) {
      depth++;
    } else if (closing.includes(c)) {
      depth--;
    } else if (depth === 0 && c === ',') {
      end(i);
      from = i + 1;
      while (text[from] === ' ') from++;
    } else if (depth === 0 && c === ':' && colon < 0) {
      colon = i;
    } else if (depth === 0 && c === '=' && equals < 0) {
      equals = i;
    }
  }
  end(text.length);
  return depth === 0 ? parts : [];
}

// partsOf returns the parts of a value's text, each with a key, or [] if the text has none.
function partsOf(text) {
  const last = text[text.length - 1];
  if (text.length > 1 && text[0] === '[' && last === ']') return indexed(text.slice(1, -1));
  if (text.length > 1 && text[0] === '(' && last === ')') return indexed(text.slice(1, -1));
  if (text.length > 1 && text[0] === '{' && last === '}') return entries(text.slice(1, -1));
  const call = /^[A-Za-z_\u0080-\uffff][\w.\u0080-\uffff]*\(/.exec(text);
  if (!call || last !== ')') return [];
  const inner = text.slice(call[0].length, -1);
  const parts = splitParts(inner);
  if (parts.length === 1 && parts[0].equals < 0) return opening.includes(inner[0]) ? partsOf(inner) : [];
  return parts.map((p, i) => {
    if (p.equals > 0) return { key: p.text.slice(0, p.equals), text: p.text.slice(p.equals + 1) };
    return { key: p.text.startsWith('…') ? '' : String(i), text: p.text };
  });
}

function indexed(inner) {
  return splitParts(inner).map((p, i) => ({ key: p.text.startsWith('…') ? '' : String(i), text: p.text }));
}

function entries(inner) {
  return splitParts(inner).map((p) => {
    if (p.colon < 0) return { key: '', text: p.text };
    return { key: p.text.slice(0, p.colon), text: p.text.slice(p.colon + 1).trim() };
  });
}

// partChanged returns the first part of a value that differs from the value before, if both have parts.
function partChanged(text, was) {
  const before = new Map(partsOf(was).map((p) => [p.key, p.text]));
  const changed = partsOf(text).filter((p) => p.key !== '' && before.get(p.key) !== p.text);
  if (!before.size || !changed.length) return null;
  return { ...changed[0], was: before.get(changed[0].key), more: changed.length - 1 };
}
