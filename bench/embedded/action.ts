// Measures a governed call in one process, from the ask to the frame, against the bare call of the
// same function, with each of its parts; and how many frames are made a second. It only measures.
import { join } from 'node:path'
import { sqliteLog } from '#adapters/sqlite/log'
import { assert } from '#core/kernel/fault'
import { publicKeyOf } from '#core/kernel/crypto/private-key'
import { jwksOf } from '#core/warrants/jwk'
import { verifyToken } from '#core/warrants/verify'
import type { Log } from '#ports/log'
import { connect } from '#services/client/connect'
import type { Warrant } from '#services/client/warrant'
import { testKey } from '#services/testing/setup'
import { logOf } from '../../test/support/wrapped-log.ts'
import { testRuntime } from '../../test/support/runtime.ts'
import { median, quantile, whole, type Report } from '../figures.ts'
import { framesPerSecond, modesMade, sampleRows } from '../frames.ts'
import { capability, file, inFolder, intentOf } from '../nats/deployment.ts'
import { insertTimes } from './raw.ts'

const rounds = 5
const inRound = 60
const msMax = 3
/** The message, its grounding, its verdict, the start and the outcome. */
const factsOfCall = 5

const parts = ['ask', 'check', 'start', 'tool', 'outcome', 'answer', 'whole'] as const
type Part = (typeof parts)[number]

/** When what happened of the call under way. */
interface Marks {
  startFrom: number
  ran: number
  outcomeFrom: number
  outcomeTo: number
}

export function benchAction(): Promise<Report> {
  return inFolder(async (folder) => {
    const marks: Marks = { startFrom: 0, ran: 0, outcomeFrom: 0, outcomeTo: 0 }
    const tool = (): typeof sampleRows => {
      marks.ran = performance.now()
      return sampleRows
    }
    const { client, stop } = await deployed(join(folder, 'log.db'), marks, tool)
    const times = new Map<Part, number[]>(parts.map((part) => [part, []]))
    const [bare, verified, inserts]: [number[], number[], number[]] = [[], [], []]
    // The first rounds warm up and are not counted.
    for (let round = -2; round < rounds; round += 1) {
      const calls = await governed(client, marks, round * inRound)
      const one = bareTimes(tool)
      const tokens = await tokenTimes(client)
      const raw = bareInserts(join(folder, `bare-${round}.db`))
      if (round < 0) continue
      for (const part of parts) times.get(part)?.push(...calls.map((call) => call[part]))
      bare.push(...one)
      verified.push(...tokens)
      inserts.push(...raw)
    }
    await stop()
    return reportOf(times, { bare, verified, inserts })
  })
}

interface Against {
  readonly bare: readonly number[]
  readonly verified: readonly number[]
  readonly inserts: readonly number[]
}

function reportOf(
  times: ReadonlyMap<Part, readonly number[]>,
  { bare, verified, inserts }: Against,
): Report {
  const of = (part: Part): readonly number[] => times.get(part) ?? []
  const call = median(of('whole'))
  return {
    title: 'a governed call in one process, milliseconds',
    head: ['what', 'p50', 'p99', 'of the whole'],
    rows: [
      row('the bare call', bare),
      row(`${factsOfCall} bare durable inserts, one after the other`, inserts),
      row('the governed call', of('whole')),
      row('ask, to the verdict', of('ask')),
      row('check: derive the verdict, digest of what will run', of('check')),
      row('start, bound and folded', of('start')),
      row('the tool', of('tool')),
      row('outcome, bound, and meanwhile the frame, and the result kept', of('outcome')),
      row('the answer', of('answer')),
      row('beside it: verify its token', verified),
    ],
    notes: [
      `${rounds} rounds of ${inRound} calls one at a time, in turn with what they stand against`,
      `the whole takes ${(call / median(inserts)).toFixed(1)} times ${factsOfCall} bare inserts`,
      `frames a second, of ${sampleRows.length} rows of six fields: ${framesOfModes()}`,
    ],
    targets: [
      {
        claim: `a governed call takes at most ${msMax} ms, p50`,
        met: call <= msMax,
        figures: `${call.toFixed(2)} ms`,
      },
    ],
  }

  function row(what: string, taken: readonly number[]): string[] {
    const [p50, p99] = [median(taken), quantile(taken, 0.99)]
    return [what, p50.toFixed(3), p99.toFixed(3), (p50 / call).toFixed(3)]
  }
}

const gate = testKey('gate')

async function deployed(path: string, marks: Marks, tool: () => unknown) {
  const log = await sqliteLog(path)
  const { runtime } = await testRuntime({
    log: marking(log, marks),
    catalog: {
      capabilities: [{ ...capability, driver: { kind: 'local', operation: capability.id } }],
      principals: [{ id: 'gate', roles: ['issuer'], keys: [publicKeyOf(gate)] }],
      limits: [{ safetyClass: 'READ', uses: 'unlimited', windowMs: 60_000 }],
    },
    graph: { primitives: [file] },
  })
  const issuer = { id: 'gate', privateKey: gate }
  const client = await connect({ as: 'bot', runtime, tools: { [capability.id]: tool }, issuer })
  const stop = async (): Promise<void> => {
    await client.close()
    await runtime.stop()
  }
  return { client, stop }
}

/** Notes when a gateway's words are given to the log, and when it has them. */
function marking(log: Log, marks: Marks): Log {
  return {
    ...logOf(log),
    async append(entry, options) {
      if (entry.name.includes('.start.')) marks.startFrom = performance.now()
      if (!entry.name.includes('.outcome.')) return log.append(entry, options)
      marks.outcomeFrom = performance.now()
      const appended = await log.append(entry, options)
      marks.outcomeTo = performance.now()
      return appended
    },
  }
}

async function governed(
  client: Warrant,
  marks: Marks,
  from: number,
): Promise<readonly Readonly<Record<Part, number>>[]> {
  const calls: Record<Part, number>[] = []
  for (let index = 0; index < inRound; index += 1) {
    const began = performance.now()
    const { intent } = await client.ask(intentOf(from + index))
    const asked = performance.now()
    const { frame: shown } = await client.call(intent)
    const ended = performance.now()
    assert(shown.handle !== null, 'the result is kept')
    calls.push({
      ask: asked - began,
      check: marks.startFrom - asked,
      start: marks.ran - marks.startFrom,
      tool: marks.outcomeFrom - marks.ran,
      outcome: marks.outcomeTo - marks.outcomeFrom,
      answer: ended - marks.outcomeTo,
      whole: ended - began,
    })
  }
  return calls
}

function bareTimes(tool: () => unknown): readonly number[] {
  return Array.from({ length: inRound }, () => {
    const start = performance.now()
    assert(tool() !== null, 'it answers')
    return performance.now() - start
  })
}

async function tokenTimes(client: Warrant): Promise<readonly number[]> {
  const { intent } = await client.ask(intentOf(0))
  const given = {
    token: await client.token(intent),
    jwks: jwksOf(client.runtime.follower.state.catalog),
    audience: 'warrant:main',
    now: Date.now(),
  }
  return Array.from({ length: inRound }, () => {
    const start = performance.now()
    assert(verifyToken(given).ok, 'it holds')
    return performance.now() - start
  })
}

/** How long as many rows take as a call has facts. */
function bareInserts(path: string): readonly number[] {
  const bytes = new Uint8Array(700)
  const names = Array.from({ length: inRound * factsOfCall }, (_, index) => `main.1.vlp.${index}`)
  const each = insertTimes(
    path,
    names.map((name) => ({ name, bytes })),
  )
  return Array.from({ length: inRound }, (_, call) =>
    each.slice(call * factsOfCall, (call + 1) * factsOfCall).reduce((sum, one) => sum + one, 0),
  )
}

function framesOfModes(): string {
  return modesMade.map((mode) => `${mode} ${whole(framesPerSecond(mode))}`).join(', ')
}
