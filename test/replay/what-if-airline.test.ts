// The work of the airline, asked again today: under its own graph nothing turns, and under one that
// knows nothing only what needs to know something does.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { threadCallbacks } from '#runtime/callbacks/thread'
import { sqliteLog } from '#log/sqlite/log'
import { emptyGraph } from '#knowledge/graph/revision'
import { loadModule } from '#authoring/callback-store'
import { lastMax, whatIfToday } from '#replay/what-if/today'
import { stages } from '#workers/stages'
import { run } from '../support/cli-runner.ts'
import { factsOf, foldAll } from './eras/parts/fold.ts'
import { names } from '../support/scene.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'

const seed = fileURLToPath(new URL('../../seeds/airline', import.meta.url))

test.runIf(isFull)(
  'the airline’s intents come out the same under its graph, and refused under none',
  async () => {
    const cwd = await temporaryFolder()
    const folder = join(cwd, 'played')
    expect((await run(['demo', '--data', seed, '--log', folder, '--json'], { cwd })).code).toBe(0)
    const log = await sqliteLog(join(folder, 'log.db'))
    const callbacks = threadCallbacks((digest) => loadModule(folder, digest))
    try {
      const state = foldAll(await factsOf(log))
      const { catalog, graph } = state
      const verdicts = (await names(log, 'main.1.verdict.>')).length
      const time = new Date(state.appendedAt).toISOString()
      const common = { log, state, stages, callbacks, time, last: lastMax }
      const same = await whatIfToday({ ...common, after: { catalog, graph } })
      expect(same).toMatchObject({ tried: verdicts, unable: 0, unsure: 0, flips: [], held: [] })

      const { flips } = await whatIfToday({ ...common, after: { catalog, graph: emptyGraph } })
      expect(new Set(flips.map(({ before }) => before.outcome))).toEqual(new Set(['allow']))
      expect(new Set(flips.map(({ after }) => after.outcome))).toEqual(new Set(['deny']))
      expect(flips.length).toBeGreaterThan(verdicts / 4)
    } finally {
      await callbacks.close()
      await log.close()
    }
  },
)
