// SPDX-License-Identifier: Apache-2.0
// The page in a headless Chromium, from file://: node browser_test.mjs CALDERA.HTML [FOLDER FOR SCREENSHOTS].
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [page, pictures] = process.argv.slice(2);
const chromium = process.env.CHROMIUM ?? 'chromium';
if (spawnSync(chromium, ['--version']).status !== 0) {
  console.log(`skipped: ${chromium} is not installed`);
  process.exit(77);
}
if (pictures) mkdirSync(pictures, { recursive: true });

/** A browser that is driven by Chrome's DevTools protocol, over a pipe: messages of JSON, each with a zero behind. */
class Browser {
  constructor() {
    this.profile = mkdtempSync(path.join(tmpdir(), 'caldera-chromium-'));
    this.process = spawn(
      chromium,
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--remote-debugging-pipe',
        `--user-data-dir=${this.profile}`,
        '--window-size=1600,950',
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
    );
    this.waiting = new Map();
    this.next = 1;
    this.faults = [];
    let rest = '';
    this.process.stdio[4].setEncoding('utf8').on('data', (text) => {
      const parts = (rest + text).split('\0');
      rest = parts.pop();
      for (const part of parts) this.receive(JSON.parse(part));
    });
  }
  receive({ id, result, error, method, params }) {
    if (method === 'Runtime.exceptionThrown')
      this.faults.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && params.type === 'error') this.faults.push(params.args.map((one) => one.description ?? one.value).join(' '));
    if (!this.waiting.has(id)) return;
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }
  send(method, params = {}) {
    const id = this.next++;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + '\0');
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }
  async open(address) {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    ({ sessionId: this.session } = await this.send('Target.attachToTarget', { targetId, flatten: true }));
    await this.send('Runtime.enable');
    await this.send('Page.enable');
    await this.go(address);
  }
  async go(address) {
    await this.send('Page.navigate', { url: address });
    await this.until('document.readyState === "complete"');
  }
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  async until(expression, seconds = 120) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
      if (await this.evaluate(expression)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(
      `${expression} did not become true: ${await this.evaluate('document.getElementById("status")?.value')} ${this.faults}`,
    );
  }
  async picture(name) {
    if (!pictures) return;
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    writeFileSync(path.join(pictures, `${name}.png`), Buffer.from(data, 'base64'));
  }
  /** The profile can go when all of the browser's processes have. */
  async close() {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.session = undefined;
    this.send('Browser.close').catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 10000))]);
    this.process.kill('SIGKILL');
    for (let i = 0; i < 20; ++i) {
      try {
        return rmSync(this.profile, { recursive: true, force: true });
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
  }
}

const browser = new Browser();
const text = (id) => browser.evaluate(`document.getElementById('${id}').textContent`);
/** Does something that compiles, and waits for the answer. */
async function compiling(expression) {
  const before = await browser.evaluate('document.body.dataset.round ?? "0"');
  await browser.evaluate(expression);
  await browser.until(`Number(document.body.dataset.round ?? 0) > ${before}`);
}
const type = (source) =>
  compiling(`{ const box = document.getElementById('source'); box.value = ${JSON.stringify(source)};
  box.dispatchEvent(new Event('input')); }`);
const choose = (id, value) =>
  compiling(`{ const box = document.getElementById('${id}'); box.value = ${JSON.stringify(value)};
  box.dispatchEvent(new Event('input')); }`);

try {
  await browser.open(pathToFileURL(path.resolve(page)).href);
  await browser.until('document.body.dataset.round === "1"');
  assert.match(await text('left-text'), /OpEntryPoint Kernel/);
  assert.match(await text('right-text'), /OpEntryPoint GLCompute/);
  assert.match(await browser.evaluate("document.getElementById('status').value"), / ms$/);
  await browser.picture('1-start');

  // A pass: the module before it and after it.
  await browser.evaluate(`document.querySelector('[data-pass=lower_memory]').click()`);
  await browser.until(
    `document.getElementById('right').value === 'pass lower_memory' && document.querySelector('#right-text .added') !== null`,
  );
  assert.doesNotMatch(await text('left-text'), /PhysicalStorageBuffer /);
  assert.match(await text('right-text'), /PhysicalStorageBuffer/);
  assert.equal(await browser.evaluate(`document.querySelector('[aria-current=true]').dataset.pass`), 'lower_memory');
  await browser.picture('2-pass');

  // How to call it.
  await browser.evaluate(`document.querySelector('[data-tab=call]').click()`);
  assert.match(await text('call'), /saxpy/);
  assert.match(await text('call'), /global_pointer/);
  await choose('abi', 'descriptors');
  assert.match(await text('call'), /binding 0/);
  await browser.picture('3-call');
  await choose('abi', '');

  // Errors at their places.
  await type('kernel void f(global int *p) {\n    p[0] = missing;\n    int unused;\n    p[1] = <b>3;\n}\n');
  await choose('options', '-Wall');
  const problems = await browser.evaluate(
    `[...document.querySelectorAll('#problems li')].map((item) => item.textContent)`,
  );
  assert.match(problems[0], /^2:12 error use of undeclared identifier 'missing'/);
  assert.equal(await browser.evaluate(`document.querySelector('#gutter .error').textContent`), '2');
  assert.equal(await browser.evaluate(`document.querySelector('#marks u').textContent`), 'missing');
  assert.match(await browser.evaluate("document.getElementById('status').value"), /errors? /);
  await browser.evaluate(`document.querySelector('#problems li').click()`);
  assert.equal(
    await browser.evaluate(`document.getElementById('source').selectionStart`),
    'kernel void f(global int *p) {\n'.length + 11,
  );
  await browser.picture('4-errors');
  assert.equal(
    await browser.evaluate(`document.querySelectorAll('#left-text b, #problems li b b').length`),
    0,
    'text is no markup',
  );

  // A link has the source and its options.
  await type('kernel void shared(global float *p) { p[0] = 4.25f; } // ü\n');
  await choose('options', '-DN="a b" -cl-fast-relaxed-math');
  await browser.evaluate('share()');
  const address = await browser.evaluate('location.href');
  assert.match(address, /^file:.*#[\w-]+$/);
  await browser.go('about:blank');
  await browser.go(address);
  await browser.until('document.body.dataset.round === "1"');
  assert.match(await browser.evaluate(`document.getElementById('source').value`), /shared.*ü/);
  assert.equal(await browser.evaluate(`document.getElementById('options').value`), '-DN="a b" -cl-fast-relaxed-math');
  assert.match(await text('left-text'), /"shared"/);
  await browser.go('about:blank');
  await browser.go(`${pathToFileURL(path.resolve(page)).href}#damaged`);
  await browser.until('document.body.dataset.round === "1"');

  // Sources that are no kernels, and one that would take too long, do not stop the page.
  for (const source of [
    '',
    '('.repeat(50000),
    '\0'.repeat(100),
    'kernel void f(',
    '#include "kernel.cl"',
    '</script><script>throw 1</script>',
  ])
    await type(source);
  await type('kernel void f(global int *p) { p[0] = 1; }\n');
  assert.match(await browser.evaluate("document.getElementById('status').value"), / ms$/);
  assert.equal(await browser.evaluate(`document.querySelectorAll('#problems li').length`), 0);

  // Thousands of lines that each have a warning: the page shows some of them, and goes on.
  await type(`kernel void f(global int *p) {\n${Array.from({ length: 8000 }, (_, i) => `{ int unused${i}; }\n`).join('')}}\n`);
  await choose('options', '-Wall');
  assert.match(await browser.evaluate(`document.querySelector('#problems li:last-child').textContent`), /^7500 more/);
  await choose('options', '');

  // A short link that unpacks to a lot.
  await browser.evaluate(`(async () => {
    const packed = new Blob([new Uint8Array(1 << 26)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    location.hash = btoa([...bytes].map((byte) => String.fromCharCode(byte)).join('')).replace(/\\+/g, '-').replace(/\\//g, '_');
  })()`);
  await browser.until(`document.getElementById('status').value === 'the link is damaged'`);
  await type('kernel void f(global int *p) { p[0] = 1; }\n');

  // With debug information, a pane shows the module by lines.
  await browser.evaluate(`document.getElementById('debug').checked = true`);
  await choose('options', '');
  await browser.evaluate(
    `{ const box = document.getElementById('right'); box.value = 'lines'; box.dispatchEvent(new Event('input')); }`,
  );
  await browser.until(`document.getElementById('right-text').textContent.includes('kernel void f(global int *p)')`);
  await browser.picture('5-lines');

  assert.deepEqual(browser.faults, []);
  console.log('the page works in', spawnSync(chromium, ['--version'], { encoding: 'utf8' }).stdout.trim());
} finally {
  await browser.close();
}
