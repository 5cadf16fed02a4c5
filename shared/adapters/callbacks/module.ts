// A callback module as people write it, TypeScript or JavaScript in one file, turned into something
// a thread can import. One that imports others is refused: its digest would not cover what runs.
import { transformSync } from '@swc/wasm-typescript'
import { Fault } from '#core/fault'

/** A `data:` URL of the module with its types stripped. Throws a Fault. */
export function moduleUrl(source: string): string {
  const code = strip(source)
  const rest = withoutText(code)
  if (importing.test(rest) || reexporting.test(rest)) {
    const message = 'a callback module must be one file: it may only `import type`'
    throw new Fault('callbacks_invalid', 'never', message)
  }
  return `data:text/javascript;base64,${Buffer.from(code, 'utf8').toString('base64')}`
}

const importing = /(^|[^\w$.])import\b/
const reexporting = /(^|[^\w$.])export\s*(\*|\{[^}]*\})[^;\n]*\bfrom\b/

/** The names that the module exports as functions, by its text. Throws a Fault. */
export function exportedNames(source: string): string[] {
  const declared = /^export\s+(?:async\s+)?(?:const|let|function)\s+([A-Za-z_$][\w$]*)/gm
  return [...strip(source).matchAll(declared)].map((match) => match[1] ?? '')
}

function strip(source: string): string {
  try {
    return transformSync(source, { mode: 'strip-only', module: true }).code
  } catch (error) {
    const why = String(error).split('\n')[0] ?? ''
    const message = `the callback module can not be read: ${why}`
    throw new Fault('callbacks_invalid', 'never', message, { cause: error })
  }
}

// Comments and quoted text may say `import`.
function withoutText(code: string): string {
  return code.replaceAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g,
    ' ',
  )
}
