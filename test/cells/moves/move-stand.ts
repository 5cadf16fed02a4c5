// An agent of one of two cells in memory, with limits, blocks and reviews, and what moves it.
import { expect } from 'vitest'
import { cellOf } from '#rules/catalog/cells'
import { addressOf, nameOf } from '#record/names'
import { change } from '#authoring/change'
import { arrivalOf, leavingOf } from '#authoring/moves/departure'
import { movePlan } from '#authoring/moves/move-plan'
import type { Arrival } from '#schemas/catalog'
import { connect } from '#client/connect'
import type { Verdict } from '#replay/verdicts/verdict'
import type { Warrant } from '#client/warrant'
import { keys, type TestRuntime } from '../../support/runtime.ts'
import { deletion, erase, look } from '../../support/scene.ts'
import { memoryStand, replayed, until, type MemoryStand } from '../memory-stand.ts'

const hourMs = 3_600_000
export const uses = 3
const setup = {
  catalog: {
    cells: 2,
    capabilities: [look, { ...look, id: 'peek' }, erase],
    limits: [
      { capability: 'look', uses, windowMs: hourMs },
      { capability: 'peek', uses, windowMs: 1 },
      { capability: 'erase', uses: 2, windowMs: hourMs },
    ],
    principals: [
      { id: 'mover', owner: 'olga', attributes: { fleet: 'red' } },
      { id: 'other', owner: 'olga', attributes: { fleet: 'red' } },
      { id: 'guard' },
    ],
    groups: [{ id: 'team', members: ['mover'] }],
    trustedEvidence: [{ sender: 'guard', for: ['*'] }],
  },
  graph: deletion({ name: 'ask' }),
}
export const session = 'S-2026-01-01-mover-abcdef'
export const author = { id: 'root', privateKey: keys.root }

export interface MoveStand extends MemoryStand {
  /** The cells that the mover is in, and is moved to. */
  readonly from: number
  readonly to: number
  /** The fleet that is in the other cell. */
  readonly fleet: string
  readonly old: TestRuntime
  readonly next: TestRuntime
}

export async function moveStand(): Promise<MoveStand> {
  const at = await memoryStand(setup)
  const { catalog } = at.control.runtime.follower.state
  const from = cellOf(catalog, 'mover')
  const fleet = ['blue', 'green', 'white', 'black'].find((name) => {
    const { moves } = movePlan(catalog, 'mover', { fleet: name })
    return moves.length === 1
  })
  const [zero, one] = at.on
  if (from === null || fleet === undefined || zero === undefined || one === undefined)
    throw new Error('there are two cells, and a fleet in each')
  const [old, next] = from === 0 ? [zero, one] : [one, zero]
  return { ...at, from, to: 1 - from, fleet, old, next }
}

export const as = ({ runtime }: TestRuntime, id = 'mover'): Promise<Warrant> =>
  connect({ as: id, runtime })

let count = 0

/** Binds a message in the log of that cell, and gives its address. */
async function said(on: TestRuntime, sender: string, fields: object): Promise<string> {
  count += 1
  const message = {
    id: `MSG-${count}`,
    protocol: 'VLP/1.1',
    type: 'query',
    timestamp: '2026-01-01T00:00:00Z',
    sender,
    content: 'may I',
    confidence: 0.5,
    ...fields,
  }
  const inSession = 'session_id' in fields ? session : null
  const address = addressOf(sender, inSession, `u${count}`)
  const name = nameOf(on.runtime.follower.state.place, 'vlp', address)
  const { fact } = await on.log.append({ name, bytes: Buffer.from(JSON.stringify(message)) })
  await on.runtime.follower.reached(fact.position)
  return address
}

/** Asks in that cell, and gives the verdict. */
export async function asked(on: TestRuntime, tool = 'look', fields: object = {}): Promise<Verdict> {
  const address = await said(on, 'mover', { payload: { intent: { tool } }, ...fields })
  return (await as(on)).verdict(address)
}

/** An intent of the mover that waits for people. */
export async function reviewed(on: TestRuntime): Promise<string> {
  const address = await said(on, 'mover', { payload: { intent: { tool: 'erase' } } })
  const { state } = on.runtime.follower
  await until(() => (state.intents.get(address)?.review ?? null) !== null)
  return address
}

export const codes = ({ outcome, reasons }: Verdict): readonly string[] => [
  outcome,
  ...reasons.map(({ code }) => code),
]

/** What is shared is folded in the cells too. */
export async function shared({ control, on }: MoveStand): Promise<void> {
  const { catalogRevision } = control.runtime.follower.state
  await until(() =>
    on.every(({ runtime }) => runtime.follower.state.catalogRevision === catalogRevision),
  )
}

export async function leave(at: MoveStand): Promise<void> {
  const { runtime } = at.control
  const { leave: operations } = movePlan(runtime.follower.state.catalog, 'mover', at)
  await change(runtime, { kind: 'catalog', operations }, author)
  await shared(at)
}

/** Arrives with what its cell has, or with what a test makes of that. */
export async function arrive(
  at: MoveStand,
  { from, on, fleet }: { from: number; on: TestRuntime; fleet: string },
  forged: Partial<Arrival> = {},
): Promise<void> {
  const { runtime } = at.control
  const plan = movePlan(runtime.follower.state.catalog, 'mover', { fleet })
  const arrival = await arrivalOf(on.runtime, { id: 'mover', from })
  const arrivals = [{ ...arrival, ...forged }]
  const operations = plan.arrive(runtime.follower.state.catalog, arrivals)
  await change(runtime, { kind: 'catalog', operations }, author)
  await shared(at)
}

export async function moved(at: MoveStand, forged: Partial<Arrival> = {}): Promise<void> {
  await leave(at)
  await until(() => leavingOf(at.old.runtime.follower.state, ['mover']).is === 'gone')
  await arrive(at, { from: at.from, on: at.old, fleet: at.fleet }, forged)
}

export async function stopped(on: TestRuntime, fields: object): Promise<void> {
  const safety = { level: 'block', issues: [] }
  await said(on, 'guard', {
    type: 'notice',
    content: 'stop',
    session_id: session,
    safety,
    ...fields,
  })
}

export const inCell = (cell: number): string => `main-c${cell}`

export async function findings({ old, from }: MoveStand): Promise<readonly unknown[]> {
  const report = await replayed(old.log, inCell(from))
  expect(report).toMatchObject({ differences: 0, first: null, unchecked: 0 })
  return report.findings.shown.map(({ kind, why, agent }) => [kind, why, agent])
}
