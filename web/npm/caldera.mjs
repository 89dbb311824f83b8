// SPDX-License-Identifier: Apache-2.0
// The compiler in JavaScript: it hands texts to the module for WebAssembly (web/exports_web.cpp), and takes back what
// comes out. index.d.ts says what each function does.

/** What the module asks of its system: no files, no environment, no clock but the host's. */
const kUnknownCall = 52; // WASI's errno "nosys"

class Instance {
  constructor(module, log) {
    const fail = (address, bytes) => {
      this.reason = this.text(address, bytes);
    };
    const system = {
      clock_time_get: (_clock, _precision, address) => {
        this.view().setBigUint64(address >>> 0, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      environ_sizes_get: (count, bytes) => {
        this.view().setUint32(count >>> 0, 0, true);
        this.view().setUint32(bytes >>> 0, 0, true);
        return 0;
      },
      environ_get: () => 0,
      fd_write: (_file, list, count, written) => this.write(list, count, written, log),
      proc_exit: (code) => {
        throw new WebAssembly.RuntimeError(`the compiler ended with code ${code}`);
      },
    };
    const known = { caldera: { fail }, wasi_snapshot_preview1: system };
    const imports = {};
    for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
      if (kind === 'function') (imports[from] ??= {})[name] = known[from]?.[name] ?? (() => kUnknownCall);
    this.reason = '';
    this.exports = new WebAssembly.Instance(module, imports).exports;
    this.exports._initialize?.();
  }

  view() {
    return new DataView(this.exports.memory.buffer);
  }
  bytes(address, count) {
    // Addresses come as signed numbers, and a module may have more than 2 GiB.
    return new Uint8Array(this.exports.memory.buffer, address >>> 0, count >>> 0);
  }
  text(address, count) {
    return new TextDecoder().decode(this.bytes(address, count));
  }

  /** What the C library prints, as when it aborts. */
  write(list, count, written, log) {
    list >>>= 0;
    let total = 0;
    let text = '';
    for (let i = 0; i < count; ++i) {
      const bytes = this.view().getUint32(list + 8 * i + 4, true);
      text += this.text(this.view().getUint32(list + 8 * i, true), bytes);
      total += bytes;
    }
    this.view().setUint32(written >>> 0, total, true);
    log(text);
    return 0;
  }

  /** The text of a handle, which is freed. */
  take(handle) {
    const text = this.text(this.exports.caldera_text(handle), this.exports.caldera_text_bytes(handle));
    this.exports.caldera_free_text(handle);
    return text;
  }
}

/** The module's words as bytes of a SPIR-V file. */
export class SpirvModule {
  constructor(result, number) {
    this.result = result;
    this.number = number;
  }
  get bytes() {
    return this.result.moduleBytes(this.number);
  }
  disassemble(options = {}) {
    return this.result.disassembly(this.number, options.bySource === true);
  }
}

/** What a compilation gave; its modules stay in the compiler's memory until free(). */
export class Result {
  constructor(compiler, instance, handle, answer) {
    this.compiler = compiler;
    this.instance = instance;
    this.handle = handle;
    Object.assign(this, answer);
    const at = (number) => (number === null ? null : new SpirvModule(this, number));
    this.opencl = at(answer.opencl);
    this.vulkan = at(answer.vulkan);
    this.passes = answer.passes.map((pass) => ({ ...pass, module: at(pass.module) }));
  }
  /** Calls the instance, which must be the one that compiled. */
  use(action) {
    if (this.handle === 0) throw new Error('the result was freed');
    return this.compiler.guard(this.instance, action);
  }
  moduleBytes(number) {
    return this.use(({ exports, bytes }) =>
      bytes(exports.caldera_module(this.handle, number), exports.caldera_module_bytes(this.handle, number)).slice(),
    );
  }
  disassembly(number, bySource) {
    return this.use(({ exports, take }) => take(exports.caldera_disassemble(this.handle, number, bySource ? 1 : 0)));
  }
  free() {
    if (this.handle !== 0 && this.compiler.instance === this.instance)
      this.instance.exports.caldera_free_answer(this.handle);
    this.handle = 0;
  }
}

/** A compilation that ended the instance has this answer. */
function brokenAnswer(reason) {
  const message = `${reason}; please report it with the source`;
  return {
    ok: false,
    failed: 'compiler',
    log: `error: ${message}\n`,
    target: '',
    opencl: null,
    vulkan: null,
    reflection: null,
    text: '',
    passes: [],
    times: [],
    diagnostics: [{ kind: 'error', message, locations: [], children: [] }],
  };
}

/** Why an instance ended, in words. */
function reasonOf(instance, fault) {
  if (instance.reason) return instance.reason;
  if (fault instanceof RangeError) return 'internal compiler error: the stack is too small for the source';
  if (instance.exports.memory.buffer.byteLength > 0xf0000000) return 'internal compiler error: out of memory';
  return `internal compiler error: ${fault.message}`;
}

/** JSON in which halves of surrogate pairs, as an editor may leave them, are U+FFFD: the module reads UTF-8. */
function wellFormed(json) {
  return json.replace(/\\(?:u(d[89a-f][0-9a-f]{2})|[^])/g, (all, half) => (half ? '\ufffd' : all));
}

export class Compiler {
  constructor(module, options = {}) {
    this.module = module;
    this.log = options.log ?? (() => {});
    this.start();
  }
  start() {
    this.instance = new Instance(this.module, (text) => this.log(text));
  }

  /** Calls `action` with an instance's functions. A trap ends the instance: the next call gets another. */
  guard(instance, action) {
    if (instance !== this.instance) throw new Error('the compiler had to start again, and the result is gone');
    try {
      return action({
        exports: instance.exports,
        bytes: (address, count) => instance.bytes(address, count),
        text: (address, count) => instance.text(address, count),
        take: (handle) => instance.take(handle),
      });
    } catch (fault) {
      const reason = reasonOf(instance, fault);
      this.start();
      throw new Error(reason, { cause: fault });
    }
  }

  compile(source, options = {}) {
    const { name = 'kernel.cl', arguments: given = [], files = {}, passes = false } = options;
    const request = new TextEncoder().encode(
      wellFormed(JSON.stringify({ source: String(source), name, arguments: given, files, passes })),
    );
    const instance = this.instance;
    try {
      return this.guard(instance, ({ exports, bytes, text }) => {
        const address = exports.caldera_allocate(request.length);
        if (address === 0) throw new Error('the source is larger than the memory');
        bytes(address, request.length).set(request);
        const handle = exports.caldera_run(address, request.length);
        exports.caldera_free(address);
        const json = exports.caldera_json(handle);
        const answer = text(exports.caldera_text(json), exports.caldera_text_bytes(json));
        return new Result(this, instance, handle, JSON.parse(answer));
      });
    } catch (fault) {
      return new Result(this, instance, 0, brokenAnswer(fault.message));
    }
  }

  about() {
    return JSON.parse(this.guard(this.instance, ({ exports, take }) => take(exports.caldera_about())));
  }
}

/** Makes a compiler of the bytes of caldera.wasm. */
export async function fromBytes(bytes, options) {
  return new Compiler(await WebAssembly.compile(bytes), options);
}
