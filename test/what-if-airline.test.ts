// The recorded work of the airline, asked again: under its own graph every verdict comes out as it
// was recorded, and under one that knows nothing only the allowed ones turn.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { threadCallbacks } from '#adapters/callbacks/thread'
import { sqliteLog } from '#adapters/log/sqlite'
import { emptyGraph } from '#core/graph/graph'
import { loadModule } from '#runtime/callback-store'
import { whatIf, whatIfMax } from '#runtime/what-if/what-if'
import { stages } from '#services/stages'
import { run } from './cli-runner.ts'
import { factsOf, foldAll } from './eras/fold.ts'
import { names, place } from './scene.ts'
import { temporaryFolder } from './temporary-folder.ts'

const seed = fileURLToPath(new URL('../seeds/airline', import.meta.url))

test('the airline`s verdicts come out under its graph as they were recorded', async () => {
  const cwd = await temporaryFolder()
  const folder = join(cwd, 'played')
  expect((await run(['demo', '--data', seed, '--log', folder, '--json'], { cwd })).code).toBe(0)
  const log = await sqliteLog(join(folder, 'log.db'))
  const callbacks = threadCallbacks((digest) => loadModule(folder, digest))
  try {
    const { graph } = foldAll(await factsOf(log))
    const verdicts = (await names(log, 'main.1.verdict.>')).length
    const last = whatIfMax
    const common = { log, place, rootKey: null, stages, callbacks, last }
    const same = await whatIf({ ...common, before: graph, after: graph })
    expect(same).toEqual({ tried: verdicts, unable: 0, flips: [] })

    const { flips } = await whatIf({ ...common, before: graph, after: emptyGraph })
    for (const { before, recorded } of flips) {
      expect(before).toMatchObject({ outcome: recorded.outcome, reasons: recorded.reasons })
    }
    expect(new Set(flips.map(({ after }) => after.outcome))).toEqual(new Set(['deny']))
    expect(flips.length).toBeGreaterThan(verdicts / 4)
  } finally {
    await callbacks.close()
    await log.close()
  }
}, 60_000)
