// SPDX-License-Identifier: Apache-2.0
// What the package does, beside the native tool: node package_test.mjs PACKAGE CLC2SPV [FILES OF A FOLDER TO TAKE].
//
// PACKAGE is the folder that `npm pack` packed, and CLC2SPV the native tool. Each n-th file of a folder is compiled in
// several forms: modules must have the same instructions, reflection and diagnostics must be the same.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';

const [folder, tool, share = '8'] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
const { load, fromBytes } = await import(pathToFileURL(path.join(path.resolve(folder), 'index.mjs')));
const compiler = await load();
const scratch = mkdtempSync(path.join(tmpdir(), 'caldera-web-'));
after(() => rmSync(scratch, { recursive: true }));

const kForms = [
  [],
  ['-O2'],
  ['-g'],
  ['--abi=descriptors'],
  ['--target=vulkan1.3', '-cl-std=CL3.0'],
  ['--target=opencl2.0', '-cl-std=CL2.0'],
  ['-cl-fast-relaxed-math', '--validate'],
];

const read = (file) => readFileSync(path.join(root, file), 'utf8');

/** How often a module has each opcode with its number of words, and its version. g++, which built the native tool, evaluates
 * arguments from the last to the first, and clang from the first to the last: independent instructions change places. */
function instructions(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const counts = {};
  for (let at = 20; at < bytes.byteLength; at += 4 * (view.getUint32(at, true) >>> 16)) {
    const first = view.getUint32(at, true);
    counts[first] = (counts[first] ?? 0) + 1;
  }
  return [bytes.byteLength, view.getUint32(4, true), counts];
}

/** Every n-th kernel of the folders. */
function kernels() {
  const all = ['tests/exec', 'examples', 'tests/diag'].flatMap((where) =>
    readdirSync(path.join(root, where), { recursive: true })
      .sort()
      .filter((name) => name.endsWith('.cl'))
      .map((name) => path.join(where, name)),
  );
  return all.filter((_, index) => index % Number(share) === 0);
}

/** What kernels of a folder may include. */
function filesOf(folder) {
  const names = readdirSync(path.join(root, folder)).filter((name) => /\.(h|cl|inc|def)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, read(path.join(folder, name))]));
}

/** The options that a file's `// OPTIONS:` lines name. */
const optionsOf = (text) =>
  [...text.matchAll(/^\/\/ OPTIONS:(.*)/gm)].flatMap(([, words]) => words.trim().split(/\s+/));

test('modules are those of the native tool', () => {
  let same = 0,
    declined = 0;
  kernels().forEach((file, index) => {
    const name = path.basename(file);
    const files = filesOf(path.dirname(file));
    for (const form of [kForms[0], kForms[1 + (index % (kForms.length - 1))]]) {
      const given = [...form, ...optionsOf(read(file))];
      const theirs = spawnSync(path.resolve(tool), [name, ...given, '-o', path.join(scratch, 'out.spv')], {
        encoding: 'utf8',
        cwd: path.join(root, path.dirname(file)),
      });
      const ours = compiler.compile(read(file), { name, arguments: given, files });
      const what = `${file} ${given.join(' ')}`;
      assert.equal(ours.ok, theirs.status === 0, `${what}: ${ours.log}${theirs.stderr}`);
      if (ours.ok) {
        const bytes = (ours.vulkan ?? ours.opencl).bytes;
        assert.deepEqual(instructions(bytes), instructions(readFileSync(path.join(scratch, 'out.spv'))), what);
        ++same;
      } else {
        ++declined;
        const text = theirs.stderr
          .split('\n')
          .filter((line) => !/^\d+ (error|warning)s?( and .*)? generated\.$/.test(line));
        if (!/^(note|.*: note): /m.test(theirs.stderr))
          assert.equal(ours.log.trimEnd(), text.join('\n').trimEnd(), what);
      }
      ours.free();
    }
  });
  console.log(`${same} modules have the same instructions, ${declined} sources are declined by both`);
  assert.ok(same > 10 && declined > 10);
});

test('reflection is that of the native tool', () => {
  for (const file of ['examples/saxpy.cl', 'examples/histogram.cl', 'examples/mandelbrot.cl']) {
    for (const given of [[], ['--abi=descriptors']]) {
      const theirs = JSON.parse(
        execFileSync(path.resolve(tool), [path.join(root, file), ...given, '--emit=reflection-json', '-o', '-']),
      );
      const ours = compiler.compile(read(file), {
        name: path.basename(file),
        arguments: [...given, '--emit=reflection-json'],
      });
      assert.deepEqual(ours.reflection, theirs);
      ours.free();
    }
  }
});

test('assembly and headers are those of the native tool', () => {
  const native = (...given) =>
    execFileSync(path.resolve(tool), [path.join(root, 'examples/saxpy.cl'), ...given, '-o', '-'], { encoding: 'utf8' });
  const source = read('examples/saxpy.cl');
  const compile = (...given) => compiler.compile(source, { name: 'saxpy.cl', arguments: given });
  const withoutWords = (text) => text.replaceAll(/0x[0-9a-f]{8}/g, 'WORD');
  assert.equal(withoutWords(compile('--emit=cpp-header').text), withoutWords(native('--emit=cpp-header')));
  const opcodes = (text) => text.match(/Op[A-Z]\w+/g).sort();
  assert.deepEqual(opcodes(compile().vulkan.disassemble()), opcodes(native('-S')));
  assert.match(compile('-g').vulkan.disassemble({ bySource: true }), /get_global_id/);
});

test('diagnostics have places', () => {
  const made = compiler.compile('kernel void f(global int *p) {\n  p[0] = q;\n}\n');
  assert.equal(made.ok, false);
  assert.equal(made.failed, 'front end');
  assert.equal(made.opencl, null);
  assert.match(made.log, /^kernel\.cl:2:10: error: use of undeclared identifier 'q'/);
  const [first] = made.diagnostics;
  assert.equal(first.kind, 'error');
  assert.deepEqual([first.locations[0].caret.line, first.locations[0].caret['byte-column']], [2, 10]);
});

test('half a surrogate pair is a faulty character of the source', () => {
  const made = compiler.compile('kernel void f(global int *p) { p[0] = 1; } // \ud83d');
  assert.ok(made.ok, made.log);
  const text = { 'half.h': '#define N 3 // \udc00', '\ud800': '' };
  assert.ok(compiler.compile('#include "half.h"\nkernel void f(global int *p) { p[0] = N; }', { files: text }).ok);
});

test('what the translator declines has a place', () => {
  const source = 'kernel void f(global double *p) {\n  p[0] = sin(p[0]);\n}\n';
  const profile = readFileSync(path.join(root, 'tests/profiles/lavapipe.json'), 'utf8').replaceAll(
    '"shaderFloat64": true',
    '"shaderFloat64": false',
  );
  const made = compiler.compile(source, { arguments: ['--device-profile=gpu.json'], files: { 'gpu.json': profile } });
  assert.equal(made.ok, false, 'doubles without shaderFloat64');
  assert.ok(made.diagnostics[0].locations.length > 0, JSON.stringify(made.diagnostics));
});

test('files are those of the request', () => {
  const source = '#include "a.h"\nkernel void f(global int *p) { p[0] = TWO; }\n';
  const made = compiler.compile(source, { arguments: ['-I', 'headers'], files: { 'headers/a.h': '#define TWO 2\n' } });
  assert.ok(made.ok, made.log);
  const missing = compiler.compile(source);
  assert.match(missing.log, /'a\.h' file not found/);
  const real = compiler.compile('#include "/etc/passwd"\n');
  assert.match(real.log, /file not found/);
  const profile = compiler.compile('', { arguments: ['--device-profile=/etc/passwd'] });
  assert.match(profile.log, /cannot read the device profile/);
});

test('passes have modules', () => {
  const made = compiler.compile(read('examples/saxpy.cl'), { passes: true });
  const names = made.passes.map(({ name }) => name);
  const listed = compiler.about().passes.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => name !== 'read'),
    listed.filter((name) => names.includes(name)),
  );
  assert.ok(names.includes('lower_memory'));
  const lowered = made.passes.find(({ name }) => name === 'lower_memory');
  assert.ok(lowered.changed && lowered.module.bytes.length > 100);
  const dump = execFileSync(path.resolve(tool), [
    path.join(root, 'examples/saxpy.cl'),
    '--stop-after=lower_memory',
    '-o',
    '-',
  ]);
  assert.deepEqual(instructions(lowered.module.bytes), instructions(dump), 'the module after lower_memory');
});

test('assembly of SPIR-V is a source', () => {
  const front = compiler.compile(read('examples/saxpy.cl'), { arguments: ['--target=opencl2.0'] });
  const made = compiler.compile(front.opencl.disassemble(), { name: 'saxpy.spvasm' });
  assert.ok(made.ok, made.log);
  const bad = compiler.compile('OpNonsense\n', { name: 'bad.spvasm' });
  assert.equal(bad.ok, false);
  assert.equal(bad.diagnostics[0].locations[0].caret.line, 1);
});

test('requests that are wrong have answers', () => {
  for (const given of [
    ['-o', 'x'],
    ['other.cl'],
    ['--lsp'],
    ['--help'],
    ['-M'],
    ['--no-such-option'],
    [''],
    ['-x', 'spv'],
    ['-'],
    ['--', 'b.cl'],
  ]) {
    const made = compiler.compile('kernel void f() {}', { arguments: given });
    if (given[0] === '-o') continue; // accepted, and no file is written
    assert.equal(made.ok, false, given.join(' '));
    assert.ok(['options', 'request'].includes(made.failed), `${given}: ${made.failed}`);
  }
  assert.equal(compiler.compile('', { name: '' }).failed, 'request');
  assert.equal(compiler.compile('', { arguments: 'text' }).failed, 'request');
  assert.equal(compiler.compile('', { arguments: [3] }).failed, 'request');
  assert.equal(compiler.compile('', { files: [] }).failed, 'request');
  assert.equal(compiler.compile('', { files: { a: 3 } }).failed, 'request');
  assert.equal(compiler.compile('', { passes: 3 }).failed, 'request');
});

/** Numbers that are the same in each run. */
function randomNumbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

test('damaged sources have answers, and the compiler goes on', () => {
  const random = randomNumbers(7);
  const sources = readdirSync(path.join(root, 'tests/exec'))
    .filter((name) => name.endsWith('.cl'))
    .sort()
    .filter((_, index) => index % 12 === 0)
    .map((name) => read(path.join('tests/exec', name)));
  for (const source of sources) {
    for (let i = 0; i < 6; ++i) {
      const begin = random(source.length),
        end = begin + random(40);
      const damaged = source.slice(0, begin) + '(){};[]*&'.slice(random(9)) + source.slice(end);
      compiler.compile(damaged, { arguments: ['-cl-std=CL3.0'] }).free();
      compiler.compile(source.slice(0, begin), { arguments: ['-O2'] }).free();
    }
  }
  const deep = [
    '('.repeat(100000),
    '{'.repeat(100000),
    'int '.repeat(100000),
    '!'.repeat(100000) + '1',
    '#if 1\n'.repeat(100000),
    `kernel void f(){int a=${'(1+'.repeat(5000)}1${')'.repeat(5000)};}`,
    '\0\0\0',
    '\ud800',
    '"'.repeat(10001),
    '/*',
    '#include "kernel.cl"\n',
    'kernel void f(global int*p){' + 'for(;;)'.repeat(3000) + 'p[0]=1;}',
    `kernel void f(global int*p){int a${'[2]'.repeat(4000)};}`,
  ];
  for (const source of deep) compiler.compile(source, { files: { 'kernel.cl': source } }).free();
  const assembly = compiler.compile(read('examples/saxpy.cl')).opencl.disassemble().split('\n');
  for (let i = 0; i < 40; ++i) {
    const damaged = assembly.filter(() => random(40) !== 0).join('\n');
    compiler.compile(damaged, { name: 'k.spvasm' }).free();
  }
  const good = compiler.compile(read('examples/saxpy.cl'));
  assert.ok(good.ok, good.log);
});

test('a trap ends the instance and not the compiler', async () => {
  const other = await fromBytes(readFileSync(path.join(folder, 'caldera.wasm')));
  const before = other.compile('kernel void f() {}');
  other.instance.exports = {
    ...other.instance.exports,
    caldera_run: () => {
      throw new WebAssembly.RuntimeError('unreachable');
    },
  };
  const broken = other.compile('kernel void f() {}');
  assert.deepEqual([broken.ok, broken.failed, broken.vulkan], [false, 'compiler', null]);
  assert.match(broken.log, /internal compiler error: unreachable/);
  assert.ok(other.compile('kernel void f() {}').ok);
  assert.throws(() => before.vulkan.bytes, /start again/);
  before.free();
  assert.throws(() => before.vulkan.bytes, /freed/);
});

test('a compiler does not grow', () => {
  const source = read('examples/mandelbrot.cl');
  for (let i = 0; i < 20; ++i) compiler.compile(source, { passes: true }).free();
  const before = compiler.instance.exports.memory.buffer.byteLength;
  for (let i = 0; i < 60; ++i) compiler.compile(source, { passes: true }).free();
  assert.equal(compiler.instance.exports.memory.buffer.byteLength, before);
});
