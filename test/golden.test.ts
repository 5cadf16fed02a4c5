// Every log that a released version wrote is replayed by this one, for ever.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { threadCallbacks } from '#adapters/callbacks/thread'
import { replay } from '#runtime/replay'
import { stages } from '#services/stages'
import { goldenLog, goldenModule, readGolden } from './golden/golden-log.ts'

const folder = fileURLToPath(new URL('golden/', import.meta.url))
const versions = readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+/.test(name))

test('there is a golden log', () => {
  expect(versions.length).toBeGreaterThan(0)
})

test.each(versions)(
  'the log that version %s wrote is derived again to the byte',
  async (version) => {
    const facts = await readGolden(join(folder, version))
    const callbacks = threadCallbacks((digest) => goldenModule(join(folder, version), digest))
    const place = { realm: 'main', era: 1 }
    const log = goldenLog(facts)
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    await callbacks.close()
    expect(report.first).toBeNull()
    expect(report).toMatchObject({ differences: 0, facts: facts.length, open: 0 })
    const derivable = /^main\.1\.(grounding|rate|hold|review|verdict)\./
    expect(report.derived).toBe(facts.filter(({ name }) => derivable.test(name)).length)
  },
)
