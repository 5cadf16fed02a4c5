// The registry of faults is whole: no code has two meanings or none, none is left over, and the
// page says what the registry says.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { faultAreas } from '#schemas/faults/registry'
import type { FaultEntry } from '#schemas/faults/entry'
import { exitCodes } from '#schemas/faults/exit'
import { faultPage } from '../../docs/generate/fault-page.ts'
import { commandFailureOf, usage } from '#cli/terminal/failure'
import { visit, sourcesOf } from './tidy/source.ts'
import { readTree } from './tidy/tree.ts'

const root = join(import.meta.dirname, '..', '..')
const entries = faultAreas.flatMap(({ faults }) => Object.entries<FaultEntry>(faults))

const product = /^(schemas|shared|services)\//
const registry = /^schemas\/(faults|generate)/

/** Every text that stands alone in the source, outside of the registry. */
function textsOfSource(): ReadonlySet<string> {
  const found = new Set<string>()
  for (const source of sourcesOf(readTree())) {
    if (!product.test(source.path) || registry.test(source.path)) continue
    visit(source, {
      Literal({ value }) {
        if (typeof value === 'string') found.add(value)
      },
      Property({ key }) {
        if (key.type === 'Identifier') found.add(key.name)
      },
    })
  }
  return found
}

describe('the registry of faults', () => {
  test('has each code once', () => {
    const codes = entries.map(([code]) => code)
    expect(codes).toEqual([...new Set(codes)])
  })

  test('has no code that nothing produces', () => {
    const texts = textsOfSource()
    expect(entries.map(([code]) => code).filter((code) => !texts.has(code))).toEqual([])
  })

  test.each(entries)('%s is explained in sentences', (code, { means, fix }) => {
    expect(code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/)
    for (const text of [means, fix]) expect(text).toMatch(/^[A-Z`].*\.$/)
  })

  test('is what `docs/reference/faults.md` has: `npm run schemas` writes it', () => {
    expect(readFileSync(join(root, 'docs', 'reference/faults.md'), 'utf8')).toBe(faultPage())
  })
})

describe('an error', () => {
  test('may be tried again as its code sets, if it does not set otherwise', () => {
    expect(new Fault('log_busy', 'x').retry).toBe('soon')
    expect(new Fault('log_torn', 'x').retry).toBe('never')
    expect(new Fault('era_sealed', 'x', { retry: 'never' }).retry).toBe('never')
  })

  test.each([
    [usage('x'), exitCodes.usage],
    [new Fault('not_signed', 'x'), exitCodes.denied],
    [new Fault('no_verdict', 'x'), exitCodes.noVerdict],
    [new Fault('line_invalid', 'x'), exitCodes.badLines],
    [new Fault('log_busy', 'x'), exitCodes.fault],
    [new TypeError('x'), exitCodes.fault],
  ])('%s ends a command with %i', (error, exitCode) => {
    expect(commandFailureOf(error)).toMatchObject({ exitCode })
  })
})
