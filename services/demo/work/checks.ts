// Tests that a contract brings with it: a script that compares what a function of the work returns,
// and at its end prints how many checks passed. A program that ends before that has not passed.
import type { JsonMap, Json } from '#core/kernel/canonical'

export interface CheckedFunction {
  /** The file of the work that has it. */
  readonly file: string
  readonly name: string
  /** Arguments, and what it must return for them. */
  readonly cases: readonly (readonly [args: readonly Json[], returned: Json])[]
}

export const checkFile = 'check.mjs'

/** What of a contract is about its tests, but for the program that runs them. */
export function testsCalling({ file, name, cases }: CheckedFunction): JsonMap {
  const lines = cases.map(([args, returned]) => {
    const call = `${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`
    return `deepStrictEqual(${call}, ${JSON.stringify(returned)})`
  })
  const script = [
    "import { deepStrictEqual } from 'node:assert'",
    `import { ${name} } from './${file}'`,
    ...lines,
    `console.log('${printedOf(cases.length)}')`,
    '',
  ]
  return {
    requiredFiles: [file],
    testFiles: [{ path: checkFile, content: script.join('\n') }],
    testsPrint: [printedOf(cases.length)],
  }
}

function printedOf(count: number): string {
  return `${count} checks passed`
}
