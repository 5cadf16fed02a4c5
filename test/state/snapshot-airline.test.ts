// The recorded work of the airline, cut at many places: out of the snapshot at each of them the
// rest makes the same state.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sqliteLog } from '#log/sqlite/log'
import { run } from '../support/cli-runner.ts'
import { factsOf, foldAll, restored, textOf } from '../replay/eras/parts/fold.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/vitest/counts.ts'

const seed = fileURLToPath(new URL('../../seeds/airline', import.meta.url))

test.runIf(isFull)(
  'wherever the airline’s work is cut, a state out of its snapshot comes to the same',
  async () => {
    const cwd = await temporaryFolder()
    const folder = join(cwd, 'played')
    expect((await run(['demo', '--data', seed, '--log', folder, '--json'], { cwd })).code).toBe(0)
    const log = await sqliteLog(join(folder, 'log.db'))
    const facts = await factsOf(log)
    await log.close()
    const text = textOf(foldAll(facts))
    // Right before a verdict its intent is open, with all that the verdict needs.
    const verdicts = facts.filter(({ name }) => name.startsWith('main.1.verdict.'))
    const cuts = verdicts.filter((_, index) => index % 53 === 0).map(({ position }) => position - 1)
    expect(cuts.length).toBeGreaterThan(8)
    for (const at of cuts) {
      const before = foldAll(facts.slice(0, at))
      expect(before.intents.size).toBeGreaterThan(0)
      const copy = foldAll(facts.slice(at), restored(before))
      expect(textOf(copy) === text).toBe(true)
    }
  },
)
