// SPDX-License-Identifier: Apache-2.0
// Tests packaging/vscode without the editor: vscode_test.js clc2spv.
//
// - It is packed with every file and every dependency that it names.
// - It starts the server, passes it the settings, restarts it when they change, and stops it. Stand-ins take the place
//   of the editor and of its client library; that one starts the server in fact, and asks what it can do. One server is
//   left however events follow one another.
// - The grammar has a scope for each keyword of the language, as frontend/lex/tokens.def has it.
'use strict';

const assert = require('node:assert');
const child_process = require('node:child_process');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const compiler = path.resolve(process.argv[2]);
const root = path.join(__dirname, '..', '..');
const folder = path.join(root, 'packaging', 'vscode');
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json')));
const {languages, grammars, configuration, commands} = manifest.contributes;

/// Whether vsce packs a file: if it is of what "files" names, or without "files", of all but what .vscodeignore names.
function is_packed(file) {
  const of_stars = {'**/': '(?:.*/)?', '**': '.*', '*': '[^/]*'};
  const expression = (pattern) => pattern.replace(/[.+^$()|[\]{}\\]/g, '\\$&')
      .replace(/\*\*\/|\*\*|\*/g, (stars) => of_stars[stars]);
  const matches = (pattern) => new RegExp(`^${expression(pattern)}(?:/.*)?$`).test(file);
  if (manifest.files) return manifest.files.some(matches);
  const lines = fs.readFileSync(path.join(folder, '.vscodeignore'), 'utf8').split('\n');
  return !lines.map((line) => line.trim()).filter((line) => line && !line.startsWith('#')).some(matches);
}

function test_package() {
  const packing = ['pack', '--dry-run', '--json', '--offline'];
  const packed = JSON.parse(child_process.execFileSync('npm', packing, {cwd: folder}));
  const files = packed[0].files.map((file) => file.path);
  for (const file of [manifest.main, languages[0].configuration, grammars[0].path])
    assert(files.includes(file) && is_packed(file), `${file} is not packed`);
  for (const name of Object.keys(manifest.dependencies))
    for (const file of ['package.json', 'lib/node/main.js', 'License.txt'])
      assert(is_packed(`node_modules/${name}/${file}`), `${file} of ${name} is not packed`);
  const code = fs.readFileSync(path.join(folder, manifest.main), 'utf8');
  for (const [, name] of code.matchAll(/require\('([^']+)'\)/g)) {
    if (name === 'vscode') continue;  // the editor has it
    assert(manifest.dependencies[name.split('/')[0]], `${name} is of no dependency`);
    assert(is_packed(`node_modules/${name}.js`), `${name} is not packed`);
  }
  assert.strictEqual(fs.readFileSync(path.join(folder, 'LICENSE'), 'utf8'),
                     fs.readFileSync(path.join(root, 'LICENSE'), 'utf8'));
  const header = fs.readFileSync(path.join(root, 'include', 'caldera', 'version.h'), 'utf8');
  const numbers = header.match(/(?<=define CALDERA_VERSION_(?:MAJOR|MINOR|PATCH) )\d+/g);
  assert.strictEqual(manifest.version, numbers.join('.'));
  JSON.parse(fs.readFileSync(path.join(folder, languages[0].configuration)));
}

// ---- Stand-ins ----

const settings = {compiler, options: ['-cl-std=CL3.0']};
const shown = [], registered = {}, clients = [];
let on_change;
const vscode = {
  workspace: {
    getConfiguration: (name) => (assert.strictEqual(name, 'caldera'), {get: (key) => settings[key]}),
    onDidChangeConfiguration: (call) => (on_change = call, {}),
  },
  commands: {registerCommand: (name, call) => (registered[name] = call, {})},
  window: {showErrorMessage: (text) => shown.push(text)},
};

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, {id, name, server, options, state: 'new'});
    clients.push(this);
  }
  async start() {
    this.state = 'starting';
    await new Promise((resolve, reject) => {
      this.process = child_process.spawn(this.server.command, this.server.args, {stdio: ['pipe', 'pipe', 'inherit']});
      this.process.on('error', reject);
      let text = '';
      this.process.stdout.on('data', (data) => {
        text += data;
        const body = text.slice(text.indexOf('\r\n\r\n') + 4);
        const length = Number(/Content-Length: (\d+)/.exec(text)?.[1]);
        if (!length || Buffer.byteLength(body) < length) return;
        this.capabilities ??= JSON.parse(body.slice(0, length)).result.capabilities;
        resolve();
      });
      const message = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params: {
        processId: process.pid, rootUri: null, capabilities: {},
        initializationOptions: this.options.initializationOptions}});
      this.process.stdin.on('error', () => {});
      this.process.stdin.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
    });
    this.state = 'running';
  }
  async stop() {
    assert.strictEqual(this.state, 'running');  // as the library does
    this.state = 'stopping';
    const ends = new Promise((resolve) => this.process.on('exit', resolve));
    this.process.kill();
    await ends;
    this.is_stopped = true;
  }
  /// The server ends, and nobody has told it to.
  crash() {
    this.state = 'crashed';
    this.process.kill();
  }
}

async function test_extension() {
  const load = Module._load;
  Module._load = (name, ...others) => name === 'vscode' ? vscode
      : name === 'vscode-languageclient/node' ? {LanguageClient, TransportKind: {stdio: 0}} : load(name, ...others);
  const extension = require(path.join(folder, manifest.main));
  const context = {subscriptions: []};
  await extension.activate(context);
  assert.deepStrictEqual(shown, []);
  assert.strictEqual(context.subscriptions.length, 2);
  assert.deepStrictEqual(clients[0].server.args, ['--lsp']);
  assert.deepStrictEqual(clients[0].options.initializationOptions, {options: ['-cl-std=CL3.0']});
  assert.deepStrictEqual(clients[0].options.documentSelector, [{language: languages[0].id}]);
  assert(clients[0].capabilities.hoverProvider && clients[0].capabilities.completionProvider);
  assert.deepStrictEqual(Object.keys(registered), commands.map((command) => command.command));

  await registered['caldera.restart']();
  assert(clients[0].is_stopped && !clients[1].is_stopped);
  await on_change({affectsConfiguration: () => false});
  assert.strictEqual(clients.length, 2);
  settings.compiler = '/no/such/clc2spv';
  await on_change({affectsConfiguration: (name) => name === 'caldera'});
  assert(clients[1].is_stopped);
  assert.strictEqual(shown.length, 1);
  assert(shown[0].includes('/no/such/clc2spv') && shown[0].includes('caldera.compiler'), shown[0]);
  settings.compiler = compiler;

  const change = () => on_change({affectsConfiguration: () => true});
  const has_one_server = () => {
    const is_alive = ({state, process}) => ['starting', 'running'].includes(state) && process.pid;
    assert.strictEqual(clients.filter(is_alive).length, 1);
    assert.strictEqual(clients.at(-1).state, 'running');
  };
  await Promise.all([change(), change()]);
  has_one_server();
  await Promise.all([registered['caldera.restart'](), change(), change()]);
  has_one_server();
  clients.at(-1).crash();
  await registered['caldera.restart']();
  has_one_server();
  await Promise.all([change(), extension.deactivate()]);
  assert(clients.at(-1).is_stopped);
  await Promise.all([extension.activate({subscriptions: []}), change()]);  // a change while it starts
  has_one_server();
  await extension.deactivate();
  assert(clients.every((client) => client.is_stopped || client.state === 'crashed' || !client.process.pid));
  assert.strictEqual(shown.length, 1);
  for (const key of Object.keys(settings))
    assert(configuration.properties[`caldera.${key}`], `the setting ${key} is not declared`);
}

// ---- The grammar ----

function test_grammar() {
  const grammar = JSON.parse(fs.readFileSync(path.join(folder, grammars[0].path)));
  assert.strictEqual(grammar.scopeName, grammars[0].scopeName);
  const all = [];
  const visit = (value) => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!value || typeof value !== 'object') return;
    for (const key of ['match', 'begin', 'end'])
      if (typeof value[key] === 'string') new RegExp(value[key], 'm');
    if (value.match) all.push(value);
    if (value.include?.startsWith('#')) assert(grammar.repository[value.include.slice(1)], value.include);
    Object.values(value).forEach(visit);
  };
  visit(grammar);
  const scope_of = (word) => grammar.repository.words.patterns.concat(grammar.repository.numbers.patterns)
      .find((rule) => new RegExp(rule.match).exec(word)?.[0] === word)?.name;
  const tokens = fs.readFileSync(path.join(root, 'frontend', 'lex', 'tokens.def'), 'utf8').replace(/\/\/.*/g, '');
  const keywords = [...tokens.matchAll(/KEYWORD\(\w+, "(\w+)"/g)].map((found) => found[1]);
  assert(keywords.length > 60);
  const rare = ['_Complex', '_Imaginary', '__asm__'];  // which OpenCL C does not have
  for (const word of keywords) assert(rare.includes(word) || scope_of(word), `no scope for ${word}`);
  for (const [word, scope] of Object.entries({
         __global: 'storage.modifier.opencl', uchar16: 'storage.type.opencl', float3: 'storage.type.opencl',
         image2d_array_msaa_depth_t: 'storage.type.opencl', CLK_LOCAL_MEM_FENCE: 'constant.language.opencl',
         '0x1.8p-3f': 'constant.numeric.opencl', '1e10f': 'constant.numeric.opencl', '.5h': 'constant.numeric.opencl',
         '42ul': 'constant.numeric.opencl'}))
    assert.strictEqual(scope_of(word), scope, word);
  for (const word of ['globals', 'float5', 'int32', 'kernel_1']) assert.strictEqual(scope_of(word), undefined, word);
}

test_package();
test_grammar();
test_extension().then(() => console.log('the extension works'), (error) => {
  console.error(error);
  process.exit(1);
});
