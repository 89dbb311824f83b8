// SPDX-License-Identifier: Apache-2.0
// The page: an editor, and beside it what the compiler makes of its text. web/build.sh sets kWasm (base64 of the
// gzipped module), kWorker (the worker's text) and kExamples before this text.
'use strict';

const kPatience = 10000; // milliseconds that a compilation may take
const kMostShown = 500; // diagnostics: thousands of elements stop the page for seconds
const kMostOfLink = 1 << 22; // bytes that a link's source and options may have
const at = (id) => document.getElementById(id);
const choices = ['standard', 'target', 'abi', 'level', 'options'];
let about = null;
let answer = null;
let compiled = ''; // the source that `answer` is of

// ---- The worker ----

/** The compiler's thread. A request that takes too long ends it, and the next one starts another. */
class Thread {
  constructor(wasm) {
    this.wasm = wasm;
    this.code = URL.createObjectURL(new Blob([kWorker], { type: 'text/javascript' }));
    this.restart();
  }
  restart() {
    this.worker?.terminate();
    for (const { reject } of this.waiting?.values() ?? []) reject(new Error('stopped'));
    this.waiting = new Map();
    this.next ??= 1; // no number twice: a worker that ended may have sent an answer
    this.worker = new Worker(this.code);
    this.worker.onmessage = ({ data: { id, value, fault } }) => {
      const asked = this.waiting.get(id);
      this.waiting.delete(id);
      if (fault === undefined) asked?.resolve(value);
      else asked?.reject(new Error(fault));
    };
    this.ready = this.ask('start', { wasm: this.wasm });
  }
  ask(action, given) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, action, ...given });
    });
  }
  /** As ask(), but with an end. */
  async demand(action, given) {
    await this.ready;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.restart();
    }, kPatience);
    try {
      return await this.ask(action, given);
    } catch (fault) {
      throw late ? new Error(`stopped after ${kPatience / 1000} s`) : fault;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

// ---- Options ----

/** The words of a command line: blanks part them, and quotation marks and backslashes work as in a shell. */
function words(text) {
  const found = [];
  const pattern = /(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/g;
  for (const [word] of text.matchAll(pattern))
    found.push(
      word.replace(
        /\\([\s\S])|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'/g,
        (_, escaped, double, single) => escaped ?? single ?? double.replace(/\\(["\\])/g, '$1'),
      ),
    );
  return found;
}

function args() {
  const list = ['-cl-kernel-arg-info']; // the types of arguments are part of how to call a kernel
  if (at('standard').value) list.push(`-cl-std=${at('standard').value}`);
  if (at('target').value) list.push(`--target=${at('target').value}`);
  if (at('abi').value) list.push(`--abi=${at('abi').value}`);
  if (at('level').value) list.push(at('level').value);
  if (at('debug').checked) list.push('-g');
  return [...list, ...words(at('options').value)];
}

// ---- Compiling ----

let thread = null;
let round = 0;
let running = null; // the compilation that the worker has, until its answer is shown

/** Compiles what the editor has when the worker is free: a request behind a slow one would end with it. */
async function compile() {
  const mine = ++round;
  while (running) await running;
  if (mine !== round) return;
  running = compileNow(mine)
    .catch((fault) => console.error(fault))
    .finally(() => (running = null));
  await running;
}

async function compileNow(mine) {
  const source = at('source').value;
  let made = null;
  try {
    made = await thread.demand('compile', { source, options: { arguments: args(), passes: true } });
  } catch (fault) {
    made = {
      ok: false,
      failed: 'compiler',
      log: `error: ${fault.message}\n`,
      diagnostics: [{ kind: 'error', message: fault.message, locations: [], children: [] }],
      target: '',
      reflection: null,
      text: '',
      times: [],
      opencl: null,
      vulkan: null,
      passes: [],
      ms: 0,
    };
  }
  if (mine === round) {
    answer = made;
    compiled = source;
    await show();
    document.body.dataset.round = mine; // tests wait for it
  }
}

let timer = 0;
function compileSoon() {
  clearTimeout(timer);
  timer = setTimeout(compile, 150);
}

// ---- Diagnostics ----

/** The diagnostics with their notes, one after another. */
const flat = (list) => list.flatMap((one) => [one, ...flat(one.children)]);
const placeOf = (one) => one.locations[0]?.caret;
const isHere = (place) => place && place.file === 'kernel.cl' && place.line;

/** Where a byte of a line is in its text. */
function column(line, byte) {
  const bytes = new TextEncoder().encode(line);
  return new TextDecoder().decode(bytes.subarray(0, Math.max(0, byte - 1))).length;
}

function showDiagnostics() {
  const lines = compiled.split('\n');
  const found = flat(answer.diagnostics);
  const all = found.slice(0, kMostShown);
  const list = at('problems');
  list.replaceChildren(
    ...all.map((one) => {
      const item = document.createElement('li');
      item.className = one.kind.split(' ').pop();
      const place = placeOf(one);
      const where = place?.line
        ? `${place.file === 'kernel.cl' ? '' : place.file + ':'}${place.line}:${place['byte-column'] ?? 1} `
        : '';
      item.append(span('place', where), bold(one.kind), ` ${one.message}${one.option ? ` [${one.option}]` : ''}`);
      item.onclick = () => {
        if (isHere(place)) go(place.line, column(lines[place.line - 1] ?? '', place['byte-column'] ?? 1));
      };
      return item;
    }),
  );
  if (found.length > all.length)
    list.append(Object.assign(document.createElement('li'), { textContent: `${found.length - all.length} more in the log` }));
  const marked = all.filter((one) => isHere(placeOf(one)) && one.kind !== 'note');
  showGutter(lines.length, marked);
  showMarks(lines, marked);
}

/** Line: what is said of it. There may be many thousands of either. */
function byLine(marked) {
  const lines = new Map();
  for (const one of marked) {
    const { line } = placeOf(one);
    if (lines.has(line)) lines.get(line).push(one);
    else lines.set(line, [one]);
  }
  return lines;
}

function showGutter(count, marked) {
  const rows = [];
  const said = byLine(marked);
  let plain = ''; // of lines without an element: many elements are slow
  for (let line = 1; line <= count; ++line) {
    const here = said.get(line);
    if (here) {
      const row = span(here.some((one) => one.kind !== 'warning') ? 'error' : 'warning', String(line));
      row.title = here.map((one) => one.message).join('\n');
      rows.push(plain, row);
    }
    plain = here ? '\n' : `${plain}${line}\n`;
  }
  at('gutter').replaceChildren(...rows, plain);
}

function showMarks(lines, marked) {
  const parts = [];
  const said = byLine(marked);
  let plain = '';
  lines.forEach((line, index) => {
    let done = 0;
    const here = (said.get(index + 1) ?? [])
      .map((one) => [column(line, placeOf(one)['byte-column'] ?? 1), endOf(one, line), one])
      .sort((a, b) => a[0] - b[0]);
    for (const [begin, end, one] of here) {
      if (begin < done) continue;
      const mark = document.createElement('u');
      mark.className = one.kind === 'warning' ? 'warning' : '';
      mark.textContent = line.slice(begin, end) || ' ';
      parts.push(plain + line.slice(done, begin), mark);
      plain = '';
      done = Math.max(end, begin);
    }
    plain += line.slice(done) + '\n';
  });
  at('marks').replaceChildren(...parts, plain);
}

/** Behind the last character that a diagnostic of this line is about: the word at its place, if it names none. */
function endOf(one, line) {
  const { caret, finish } = one.locations[0];
  if (finish?.line === caret.line && finish['byte-column']) return column(line, finish['byte-column'] + 1);
  const begin = column(line, caret['byte-column'] ?? 1);
  return begin + Math.max(1, /^\w*/.exec(line.slice(begin))[0].length);
}

function go(line, offset) {
  const box = at('source');
  const lines = box.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + offset;
  box.focus();
  box.setSelectionRange(start, start);
  box.scrollTop = Math.max(0, (line - 5) * 18);
}

// ---- Stages ----

/** What a pane can show: [key, label, how to get its text]. */
function stages() {
  const list = [];
  const text =
    (module, bySource = false) =>
    () =>
      thread.demand('text', { module, bySource });
  if (answer.opencl !== null) list.push(['opencl', 'OpenCL SPIR-V', text(answer.opencl), answer.opencl]);
  for (const pass of answer.passes)
    if (pass.number > 0)
      list.push([`pass ${pass.name}`, `after ${pass.number} ${pass.name}`, text(pass.module), pass.module]);
  if (answer.vulkan !== null) {
    list.push(['vulkan', 'Vulkan SPIR-V', text(answer.vulkan), answer.vulkan]);
    if (at('debug').checked) list.push(['lines', 'Vulkan SPIR-V by lines', text(answer.vulkan, true), null]);
  }
  if (answer.text) list.push(['text', 'text of the options', async () => answer.text, null]);
  return list;
}

const wanted = { left: 'opencl', right: 'vulkan' };
const shown = { left: '', right: '' };

async function showPanes() {
  const list = stages();
  const texts = {};
  for (const side of ['left', 'right']) {
    const stage = list.find(([key]) => key === wanted[side]) ?? (side === 'left' ? list[0] : list[list.length - 1]);
    at(side).replaceChildren(...list.map(([key, label]) => new Option(label, key, false, key === stage?.[0])));
    texts[side] = stage ? await stage[2]().catch((fault) => `${fault.message}\n`) : '';
    at(`${side}-size`).value = stage ? `${texts[side].trimEnd().split('\n').length} lines` : '';
    at(side).dataset.module = stage?.[3] ?? '';
    shown[side] = stage?.[0] ?? '';
  }
  showText('left-text', texts.left, texts.right, 'gone');
  showText('right-text', texts.right, texts.left, 'added');
  showPassChoice();
}

/** The text, with those lines marked that the other text lacks. */
function showText(id, text, other, mark) {
  const rest = new Map();
  for (const line of other.split('\n')) rest.set(line, (rest.get(line) ?? 0) + 1);
  const parts = [];
  let plain = '';
  for (const line of text.split('\n')) {
    const left = rest.get(line) ?? 0;
    if (left > 0 || other === '' || line === '') {
      rest.set(line, left - 1);
      plain += line + '\n';
      continue;
    }
    parts.push(plain, span(mark, line), '\n');
    plain = '';
  }
  at(id).replaceChildren(...parts, plain);
}

// ---- Passes ----

function showPasses() {
  const ms = new Map(answer.times.map(({ stage, ms: time }) => [stage, time]));
  at('passes').replaceChildren(
    ...answer.passes
      .filter((pass) => pass.number > 0)
      .map((pass) => {
        const row = document.createElement('button');
        row.className = pass.changed ? '' : 'same';
        row.dataset.pass = pass.name;
        row.title = `${pass.summary}\n${pass.need}${pass.changed ? '' : '; it changed nothing here'}`;
        row.append(span('number', String(pass.number)), pass.name, span('ms', (ms.get(pass.name) ?? 0).toFixed(2)));
        row.onclick = () => choosePass(pass);
        return row;
      }),
  );
}

/** Left the module before the pass, right the one after it. */
function choosePass(pass) {
  const before = answer.passes[answer.passes.indexOf(pass) - 1];
  wanted.left = before.number === 0 ? 'opencl' : `pass ${before.name}`;
  wanted.right = `pass ${pass.name}`;
  showPanes();
}

function showPassChoice() {
  for (const row of at('passes').children) row.setAttribute('aria-current', shown.right === `pass ${row.dataset.pass}`);
}

// ---- How to call it ----

const span = (name, text) => Object.assign(document.createElement('span'), { className: name, textContent: text });
const bold = (text) => Object.assign(document.createElement('b'), { textContent: text });

function table(names, rows) {
  const made = document.createElement('table');
  made.append(
    ...[names, ...rows].map((row, index) => {
      const line = document.createElement('tr');
      line.append(
        ...row.map((text) => Object.assign(document.createElement(index ? 'td' : 'th'), { textContent: text })),
      );
      return line;
    }),
  );
  return made;
}

function placeOfArgument(one) {
  const places = [];
  if (one.offset_bytes !== undefined) places.push(`${one.size_bytes ?? ''} bytes at ${one.offset_bytes}`.trim());
  if (one.binding !== undefined) places.push(`binding ${one.binding}`);
  if (one.spec_id !== undefined) places.push(`length: constant ${one.spec_id}`);
  return places.join(', ');
}

function showCall() {
  const box = at('call');
  box.replaceChildren();
  if (!answer.reflection) return;
  for (const kernel of answer.reflection.kernels) {
    box.append(Object.assign(document.createElement('h2'), { textContent: kernel.name }));
    box.append(
      table(
        ['argument', 'type', 'kind', 'place'],
        kernel.arguments.map((one) => [
          one.name ?? '',
          `${one.type_qualifiers ?? ''} ${one.type_name ?? ''}`.trim(),
          one.kind,
          placeOfArgument(one),
        ]),
      ),
    );
    if (kernel.hidden.length)
      box.append(
        table(
          ['the host fills in', 'place'],
          kernel.hidden.map((one) => [one.kind, `at ${one.offset_bytes}`]),
        ),
      );
    const size = kernel.required_local_size.some((n) => n)
      ? `required local size ${kernel.required_local_size.join(' × ')}; `
      : '';
    box.append(
      Object.assign(document.createElement('p'), {
        textContent:
          `${size}argument block: ${kernel.block_bytes} bytes, ${kernel.block}; ` +
          `local size: constants ${kernel.local_size_spec_ids.join(', ')}`,
      }),
    );
  }
  box.append(
    table(
      ['the module needs'],
      [...answer.reflection.capabilities, ...answer.reflection.float_controls].map((name) => [name]),
    ),
  );
}

// ---- All ----

async function show() {
  const count = flat(answer.diagnostics).filter((one) => one.kind !== 'note' && one.kind !== 'warning').length;
  const status = at('status');
  status.className = answer.ok ? '' : 'bad';
  status.value = answer.ok
    ? `${answer.ms.toFixed(1)} ms`
    : `${count} error${count === 1 ? '' : 's'} (${answer.failed})`;
  at('log').textContent = answer.log;
  showDiagnostics();
  showPasses();
  showCall();
  await showPanes();
}

function chooseTab(name) {
  for (const tab of at('tabs').children) tab.setAttribute('aria-selected', tab.dataset.tab === name);
  for (const panel of ['passes', 'call', 'log']) at(panel).hidden = panel !== name;
}

function save(side) {
  const module = at(side).dataset.module;
  if (module === '') return;
  thread.ask('bytes', { module: Number(module) }).then((bytes) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = `${shown[side].replace(/[^a-z0-9_]+/g, '_')}.spv`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

// ---- Sharing ----

/** The bytes behind a stream that packs or unpacks them. A link of a few bytes may unpack to gigabytes. */
async function pass(bytes, stream) {
  const parts = [];
  let size = 0;
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > kMostOfLink) throw new Error('too long');
    parts.push(value);
  }
}

/** The source and its options, in the part of an address that no server sees. */
async function toFragment() {
  const state = { source: at('source').value, debug: at('debug').checked };
  for (const id of choices) state[id] = at(id).value;
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  if (bytes.length > kMostOfLink) throw new Error('too long');
  const packed = await pass(bytes, new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

async function fromFragment(text) {
  const packed = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const state = JSON.parse(new TextDecoder().decode(await pass(packed, new DecompressionStream('deflate-raw'))));
  at('source').value = String(state.source ?? '');
  at('debug').checked = state.debug === true;
  for (const id of choices) at(id).value = String(state[id] ?? '');
}

async function share() {
  try {
    history.replaceState(null, '', '#' + (await toFragment())); // the editor keeps its text, as hashchange does not come
  } catch {
    at('status').value = 'the source is too long for a link';
    return;
  }
  try {
    await navigator.clipboard.writeText(location.href);
    at('status').value = 'the link is copied';
  } catch {
    at('status').value = 'the address is the link';
  }
}

async function openFragment() {
  try {
    if (location.hash.length < 2) return false;
    await fromFragment(location.hash.slice(1));
    return true;
  } catch {
    at('status').value = 'the link is damaged';
    return false;
  }
}

// ---- The start ----

function listen() {
  at('source').addEventListener('input', compileSoon);
  at('source').addEventListener('scroll', () => {
    at('gutter').scrollTop = at('marks').scrollTop = at('source').scrollTop;
    at('marks').scrollLeft = at('source').scrollLeft;
  });
  at('source').addEventListener('keydown', (event) => {
    if (event.key !== 'Tab' || event.ctrlKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    document.execCommand('insertText', false, '    ');
  });
  for (const id of [...choices, 'debug']) at(id).addEventListener('input', compileSoon);
  at('example').addEventListener('input', () => {
    at('source').value = kExamples[at('example').value].source;
    at('options').value = kExamples[at('example').value].options ?? '';
    at('standard').value = kExamples[at('example').value].standard ?? '';
    compile();
  });
  for (const side of ['left', 'right'])
    at(side).addEventListener('input', () => {
      wanted[side] = at(side).value;
      showPanes();
    });
  for (const button of document.querySelectorAll('[data-save]')) button.onclick = () => save(button.dataset.save);
  at('tabs').addEventListener('click', (event) => {
    if (event.target.dataset.tab) chooseTab(event.target.dataset.tab);
  });
  at('share').onclick = share;
  addEventListener('hashchange', async () => {
    if (await openFragment()) compile();
  });
}

async function start() {
  at('example').append(...Object.keys(kExamples).map((name) => new Option(name)));
  if (!(await openFragment())) at('source').value = Object.values(kExamples)[0].source;
  showGutter(at('source').value.split('\n').length, []);
  listen();
  try {
    thread = new Thread(await unpack(kWasm));
    about = await thread.ready;
    document.title = `Caldera ${about.version}: OpenCL C to SPIR-V`;
  } catch (fault) {
    at('status').className = 'bad';
    at('status').value = `this browser cannot run the compiler: ${fault.message}`;
    return;
  }
  await compile();
}
start();
