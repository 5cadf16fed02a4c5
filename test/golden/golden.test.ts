// Every log that a released version wrote is replayed by this one, for ever, under the rules that
// it names; and together they have all that a log can have.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { newestRules } from '#rules/catalog/rules-version'
import { partsInRealm } from '#record/names'
import { evolve } from '#state/fold/evolve'
import { newState } from '#state/state'
import { replay } from '#replay/replay'
import { weighingOn } from '#replay/verdicts/forged'
import { kinds } from '#schemas/kinds'

import { stages } from '#workers/stages'
import { everything, found } from './contents.ts'
import { goldenLog, goldenModule, placeIn, readGolden } from './golden-log.ts'

const folder = fileURLToPath(new URL('./', import.meta.url))
const versions = readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+/.test(name))

test('golden logs have each kind of fact, each reason, and each way to end', async () => {
  const logs = await Promise.all(versions.map((version) => readGolden(join(folder, version))))
  const names = new Set(logs.flatMap((facts) => [...found(facts, placeIn(facts).realm)]))
  expect(everything().filter((name) => !names.has(name))).toEqual([])
})

function isDerivable(name: string, realm: string): boolean {
  const kind = partsInRealm(name, realm)?.kind
  return kind !== undefined && kinds[kind].derived === true
}

test.each(versions)(
  'the log that version %s wrote is derived again to the byte, under its own rules',
  async (version) => {
    const facts = await readGolden(join(folder, version))
    const callbacks = threadCallbacks((digest) => goldenModule(join(folder, version), digest))
    const log = goldenLog(facts)
    const place = placeIn(facts)
    const report = await replay({ log, place, rootKey: null, stages, callbacks })
    const weighing = weighingOn(log, place, { stages, callbacks })
    for (const fact of facts) {
      const why = await weighing.forged(fact)
      expect([fact.name, why]).toEqual([fact.name, null])
    }
    await callbacks.close()
    expect(report.first).toBeNull()
    expect(report).toMatchObject({ differences: 0, unchecked: 0, facts: facts.length })
    const count = facts.filter(({ name }) => isDerivable(name, place.realm)).length
    expect(report.derived + report.given).toBeGreaterThanOrEqual(count)
    const state = newState(place)
    for (const fact of facts) evolve(state, fact)
    expect(state.catalog.rules).toBeLessThanOrEqual(newestRules)
  },
)
