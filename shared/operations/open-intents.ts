// What is open, oldest first: intents without a verdict, with whom or what each waits for, and
// calls that are approved and not begun, that run, or of which no one knows how they ended.
import { approvedUnused } from '#health/approved-unused'
import { isUnanswerable, stillAsked } from '#state/still-asked'
import { waitsAnswer, waitsRead, waitsText } from '#present/story/waits'
import { waitsOf } from '#present/story/waits-of'
import { duration, utc } from '#present/wording'
import { assert } from '#record/fault'
import { agentIn } from '#record/names'
import { listed } from '#record/quote'
import { weighingOn } from '#replay/verdicts/forged'
import { factAtPosition } from '#runtime/logs/seek'
import type { Principal } from '#schemas/catalog'
import {
  openIntentsAsked,
  type OpenAsked,
  type OpenRow,
  type Unanswerable,
} from '#schemas/operations/open-intents'
import type { OpenIntent } from '#state/intent'
import type { State } from '#state/state'
import { answersOf, listShown, type Columns } from './answering.ts'
import { capabilityNamed } from './capability-named.ts'
import { instant, ofLog, pageByTime, type PlacedRow, type Realm, type RealmLog } from './realm.ts'

interface Meant extends PlacedRow {
  readonly row: Omit<OpenRow, 'tool' | 'position' | 'since' | 'cell'>
  /** Or the intent whose message names it, which is read where it is shown. */
  readonly tool: string | OpenIntent
}

export const openIntentsAnswered = answersOf(openIntentsAsked, {
  async answer({ realm }, given) {
    const { only } = given
    const each = await Promise.all(
      realm.logs.map(async (at) => [
        ...undecidedIn(at, realm.now),
        ...(only === 'all' || only === 'approved' ? await approvedIn(at, realm) : []),
        ...(only === 'all' || only === 'running' ? await runningIn(at) : []),
        ...(only === 'all' || only === 'unknown' ? await unknownIn(at) : []),
      ]),
    )
    const meant = each.flat().filter(({ row }) => isMeant(row, only))
    return pageByTime(realm, meant, given, rowOf)
  },
  shown: (page) => [
    ...listShown(columnsAt(Date.parse(page.now)), page),
    ...(page.rows.some(({ state }) => state === 'unknown') ? [lookThere] : []),
  ],
})

const lookThere = 'look there, then: warrant settle INTENT --happened yes|no'

function isMeant({ state, waits, unanswerable }: Meant['row'], only: OpenAsked): boolean {
  if (only === 'all' || only === state) return true
  if (only === 'unanswerable') return unanswerable !== null
  if (waits === null) return false
  return only === (waits.for === 'people' ? 'people' : 'stages')
}

async function rowOf({ at, position, appendedAt, row, tool: named }: Meant): Promise<OpenRow> {
  const { intent, agent, ...rest } = row
  const tool = typeof named === 'string' ? named : await capabilityNamed(at, named)
  return { intent, agent, tool, position, since: instant(appendedAt), ...rest, ...ofLog(at) }
}

const nothing = { waits: null, unanswerable: null, approved: null, running: null }

function undecidedIn(at: RealmLog, now: number): readonly Meant[] {
  return [...at.state.intents.values()].map((open) => {
    const { address: intent, position, appendedAt } = open
    const waits = waitsAnswer(waitsOf(at.state, open, now))
    const unanswerable = tooFewFor(at.state, open, { people: waits.people, now })
    const agent = agentIn(intent)
    const row = { ...nothing, intent, agent, state: 'undecided' as const, waits, unanswerable }
    return { at, position, appendedAt, row, tool: open }
  })
}

/** What no stage would have allowed is left out. No code of the log runs for that. */
async function approvedIn(at: RealmLog, { now, stages }: Realm): Promise<readonly Meant[]> {
  const { place } = at.state
  const weighing = weighingOn(at.log, place, { stages: await stages(), callbacks: null })
  const calls = await approvedUnused(at.log, place, { now, weighing })
  return calls.map(({ intent, position, approvedAt: appendedAt, tool, by, useBy }) => {
    const approved = { by: [...by], until: instant(useBy) }
    const row = { ...nothing, intent, agent: agentIn(intent), state: 'approved' as const, approved }
    return { at, position, appendedAt, row, tool }
  })
}

async function runningIn(at: RealmLog): Promise<readonly Meant[]> {
  const calls = [...at.state.running.values()].map(async (call) => {
    const { address: intent, agent, capability: tool, gateway, until, position } = call
    const running = { gateway, until: instant(until) }
    const row = { ...nothing, intent, agent, state: 'running' as const, running }
    return { at, position, appendedAt: await appendedAtOf(at, position), row, tool }
  })
  return Promise.all(calls)
}

async function unknownIn(at: RealmLog): Promise<readonly Meant[]> {
  const calls = [...at.state.unsettled.values()].map(async (call) => {
    const { address: intent, agent, capability: tool, name, appendedAt } = call
    const outcome = await at.log.get(name)
    assert(outcome !== undefined, 'what is folded is in the log')
    const row = { ...nothing, intent, agent, state: 'unknown' as const }
    return { at, position: outcome.position, appendedAt, row, tool }
  })
  return Promise.all(calls)
}

async function appendedAtOf({ log }: RealmLog, position: number): Promise<number> {
  const fact = await factAtPosition(log, position)
  assert(fact !== undefined, 'what is folded is in the log')
  return fact.appendedAt
}

/** Null where enough people can answer still, or none have to. */
function tooFewFor(
  state: State,
  intent: OpenIntent,
  { people, now }: { readonly people: readonly string[]; readonly now: number },
): Unanswerable | null {
  const still = stillAsked(state, intent, now)
  if (still === null || !isUnanswerable(still)) return null
  const cannot = people
    .filter((person) => !still.people.includes(person))
    .map((person) => ({ person, why: whyNot(state.catalog.principals.get(person)) }))
  return { needed: still.needed, can: [...still.people], cannot }
}

function whyNot(person: Principal | undefined): Unanswerable['cannot'][number]['why'] {
  if (person === undefined) return 'unknown'
  return person.suspended ? 'suspended' : 'no_key'
}

function columnsAt(now: number): Columns<OpenRow> {
  return {
    empty: 'nothing is open',
    columns: [
      ['age', ({ since }) => duration(Math.max(0, now - Date.parse(since)))],
      ['tool', ({ tool }) => tool],
      ['waits for', (row) => standsText(row, now)],
      ['intent', ({ intent }) => intent],
    ],
  }
}

function standsText({ waits, unanswerable, approved, running }: OpenRow, now: number): string {
  if (waits !== null) return `${waitsText(waitsRead(waits))}${tooFewToAnswer(unanswerable)}`
  if (approved !== null) {
    const useBy = Date.parse(approved.until)
    const so = `approved by ${listed(approved.by, 'and')}`
    if (now <= useBy) return `its use, good until ${utc(approved.until)}; ${so}`
    return `nothing: ${so}, never used, ended ${duration(now - useBy)} ago`
  }
  if (running !== null) return `the gateway \`${running.gateway}\``
  return 'a person: no one knows whether it was done'
}

/** Such as ``too few can answer: 1 of 2 needed``; empty where enough can. */
function tooFewToAnswer(unanswerable: Unanswerable | null): string {
  if (unanswerable === null) return ''
  const { needed, can, cannot } = unanswerable
  const people = cannot.map(({ person }) => person)
  const who = cannot.length === 0 ? '' : `, not ${listed(people, 'or')}`
  return `; too few can answer: ${can.length} of ${needed} needed${who}`
}
