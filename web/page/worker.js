// SPDX-License-Identifier: Apache-2.0
// The compiler on a thread of its own, so that a source that takes long does not stop the page. web/build.sh puts
// web/npm/caldera.mjs before this text.
let compiler = null;
let result = null;

/** What the page shows of a result; modules are numbers of `modules`. */
function describe(made) {
  const modules = [];
  const number = (module) => {
    if (module === null) return null;
    const known = modules.findIndex((other) => other.number === module.number);
    return known >= 0 ? known : modules.push(module) - 1;
  };
  const { ok, failed, log, diagnostics, target, reflection, text, times } = made;
  return {
    modules,
    answer: {
      ok,
      failed,
      log,
      diagnostics,
      target,
      reflection,
      text,
      times,
      opencl: number(made.opencl),
      vulkan: number(made.vulkan),
      passes: made.passes.map((pass) => ({ ...pass, module: number(pass.module) })),
    },
  };
}

let modules = [];
const actions = {
  async start({ wasm }) {
    compiler = new Compiler(await WebAssembly.compile(wasm));
    return compiler.about();
  },
  compile({ source, options }) {
    result?.free();
    const begin = performance.now();
    result = compiler.compile(source, options);
    const ms = performance.now() - begin;
    const described = describe(result);
    modules = described.modules;
    return { ...described.answer, ms };
  },
  text({ module, bySource }) {
    // A later compilation may have fewer: its answer is on the way to the page.
    return modules[module]?.disassemble({ bySource }) ?? '';
  },
  bytes({ module }) {
    return modules[module].bytes;
  },
};

self.onmessage = async ({ data: { id, action, ...given } }) => {
  try {
    self.postMessage({ id, value: await actions[action](given) });
  } catch (fault) {
    self.postMessage({ id, fault: fault.message });
  }
};
