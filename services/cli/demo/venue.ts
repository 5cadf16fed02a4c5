// Where the demo is played: on a log in a file with every stage in this very process, or on a NATS
// server with every stage in a process of its own. Who plays sees no difference.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { programHere } from '#wiring/called'
import { openRuntime } from '#wiring/open'
import type { Runtime } from '#runtime/engine/runtime'
import type { ReplayReport } from '#replay/replay'
import { stages } from '#workers/stages'
import type { RunnableStage } from '#runtime/engine/worker'

export interface Replayed {
  readonly report: ReplayReport
  readonly ms: number
}

export interface Venue {
  readonly runtime: Runtime
  /** The realm, where it is one of its own. */
  readonly realm: string | null
  /** Rejects when a stage cannot go on; else it never settles. */
  readonly broken: Promise<never>
  /** How the log is looked at afterwards, as lines of a shell, and what is left to be done. */
  readonly further: readonly string[]
  /** Ends the stages in order, and replays what they did where that was in other processes. */
  drain(): Promise<Replayed | null>
  /** Releases everything, whatever happened. */
  close(): Promise<void>
}

/** A new log in that file or in a file of that folder, with those stages in this process. */
export async function venueHere(
  given: string | undefined,
  all: readonly RunnableStage[],
): Promise<Venue> {
  const place = resolve(given ?? join('.warrant', `demo-${stampOf(new Date(Date.now()))}`))
  const file = place.endsWith('.db') ? place : join(place, 'log.db')
  const folder = dirname(file)
  await mkdir(folder, { recursive: true })
  const runtime = await openRuntime({ log: { url: file, folder }, stages: all })
  return {
    runtime,
    realm: null,
    broken: new Promise(() => undefined),
    further: furtherLines([`export WARRANT_LOG=${file}`], ''),
    drain: () => Promise.resolve(null),
    close: () => runtime.stop(),
  }
}

/** A log in memory that is gone when it is closed, with the stages in this process. */
export async function venueApart(): Promise<Pick<Venue, 'runtime' | 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'warrant-demo-'))
  const leave = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const runtime = await openRuntime({ log: { url: 'memory:', folder }, stages, snapshots: null })
    return { runtime, close: () => runtime.stop().then(leave) }
  } catch (error) {
    await leave()
    throw error
  }
}

export function furtherLines(exports: readonly string[], options: string): readonly string[] {
  const run = `${programHere()}${options}`
  return [
    ...exports,
    `${run} log --name "verdict.>"   every verdict, one per line`,
    `${run} trace <intent>           the whole story of one call`,
    `${run} replay                   derive every verdict again and compare`,
  ]
}

function stampOf(now: Date): string {
  return now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').replace('.', '-').slice(0, 19)
}
