// Commands that were publicly reported as judged wrongly by tools of this kind, and their
// neighbours: `test/data/field/shell-*.ndjson` names where each comes from and what is right.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkLine, openShellSeed } from '#cli/agents/hook/check'

const Case = z.strictObject({
  source: z.string(),
  command: z.string(),
  cwd: z.string().optional(),
  root: z.string().optional(),
  outcome: z.enum(['allow', 'ask', 'deny']),
  /** Concepts that are among those found, and that are not. */
  has: z.array(z.string()).default([]),
  without: z.array(z.string()).default([]),
})
const folder = join(import.meta.dirname, '../../../data/field')
const files = readdirSync(folder).filter((one) => /^shell-.*\.ndjson$/u.test(one))
const seed = await openShellSeed()

test.each(files)('every case of %s gets its outcome and its concepts', (file) => {
  const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
  const wrong = lines.flatMap((line) => {
    const { source: _, outcome, has, without, ...asked } = Case.parse(JSON.parse(line))
    const checked = checkLine(asked, seed)
    if ('error' in checked) throw new Error(checked.error.message)
    const hasAll = has.every((one) => checked.concepts.includes(one))
    const hasNone = !without.some((one) => checked.concepts.includes(one))
    return checked.outcome === outcome && hasAll && hasNone ? [] : [{ ...asked, checked }]
  })
  expect(wrong).toEqual([])
})
