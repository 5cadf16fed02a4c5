// The log in one SQLite file against the driver alone, which inserts the same rows with the same
// promise.
import { join } from 'node:path'
import { sqliteLog } from '#log/sqlite/log'
import type { Entry, Log } from '#ports/log'
import { inFolder } from '../deployment.ts'
import { inLanes, inRounds, sized, timed, type Bench } from '../harness.ts'
import { insertRate } from './raw.ts'

const rounds = 5
const outstanding = 256
const factBytes = 600
const counts = { alone: sized(500), grouped: sized(15_360) }

const sides = {
  driverAlone: 'the driver, one row at a time',
  alone: 'appends, one at a time',
  driver: 'the driver, rows in groups',
  grouped: `appends, ${outstanding} outstanding`,
} as const

export const bench: Bench = {
  title: 'Durable appends',
  run: async () => {
    const ran = await inRounds(rounds, () => inFolder(measured))
    return [
      ran.figure(sides.alone, 'facts/s', { against: sides.driverAlone }),
      ran.figure(sides.grouped, 'facts/s', { against: sides.driver }),
    ]
  },
}

/** Each side has a file of its own. */
async function measured(folder: string) {
  const [few, many] = [entries(counts.alone), entries(counts.grouped)]
  const path = (side: string): string => join(folder, `${side}.db`)
  const perSecond = async (
    side: string,
    rows: readonly Entry[],
    run: (log: Log) => Promise<unknown>,
  ): Promise<number> => {
    const log = await sqliteLog(path(side))
    const ms = await timed(() => run(log))
    await log.close()
    return (rows.length * 1_000) / ms
  }
  const append = (log: Log, rows: readonly Entry[], lanes: number) =>
    inLanes(rows, lanes, (row) => log.append(row))
  return {
    [sides.driverAlone]: insertRate(path('raw-alone'), few, 1),
    [sides.alone]: await perSecond('alone', few, (log) => append(log, few, 1)),
    [sides.driver]: insertRate(path('raw-grouped'), many, outstanding),
    [sides.grouped]: await perSecond('grouped', many, (log) => append(log, many, outstanding)),
  }
}

/** The facts of intents of many sessions, as they come up. */
function entries(count: number): readonly Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const ulid = `01JQ${String(index).padStart(22, '0')}`
    const name = `main.1.vlp.agent-${index % 10}.session-${index % 50}.${ulid}`
    return { name, bytes: new Uint8Array(factBytes).fill(index % 256) }
  })
}
