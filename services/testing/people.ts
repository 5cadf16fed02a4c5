// What people do in a test: they decide, take back, change what is known and who may do what; and
// they let time pass.
import assert from 'node:assert/strict'
import { jsonOf, type Json } from '#record/canonical'
import { writeEvent, readData } from '#record/event'
import { nameOf, token, partsOf } from '#record/names'
import { signData } from '#record/crypto/private-key'
import type { OpenIntent } from '#state/intent'
import { changeFact } from '#authoring/change'
import type { Operations } from '#authoring/change-check'
import type { CatalogOperation } from '#schemas/catalog'
import type { GraphOperation } from '#schemas/graph'
import { dataIn } from './around.ts'
import { pass, say, type Ledger } from './ledger.ts'
import type { Step } from './steps.ts'
import { testKey } from './setup.ts'
import { grantBeside } from '#rules/grants/beside'
import type { GrantData } from '#schemas/action/grant'

export interface Decision {
  /** One answer to all questions, or one to each; yes if not said. */
  readonly answers?: boolean | readonly boolean[]
  readonly note?: string
  /** The `id` of the intent; the last one that waits for people if not said. */
  readonly intent?: string
  /** Whose key signs it, in PEM; null for no signature. The person’s test key if not said. */
  readonly privateKey?: string | null
  /** Fields that differ from what the person’s client would write. */
  readonly content?: Readonly<Record<string, unknown>>
}

/** A person answers an open review. */
export function decision(by: string, given: Decision = {}): Step {
  return (ledger) => {
    const { state } = ledger
    const waiting = openIntents(ledger, given.intent).filter((open) => open.review !== null)
    const { address, review } = waiting.at(-1) ?? { address: '', review: null }
    const shown = dataIn(ledger.named, 'review', review)
    assert(review !== null && shown !== null, 'no intent waits for people')
    const { answers = true, note, privateKey = testKey(by) } = given
    const each = Array.from({ length: review.questions }, () => answers)
    const content = {
      answers: typeof answers === 'boolean' ? each : answers,
      confirmer: by,
      digest: review.digest,
      intent: shown.intent,
      review: review.name,
      ...(note !== undefined && { note }),
      ...given.content,
    }
    const name = nameOf(state.place, 'decision', address, review.number, token(by))
    const source = `confirmer/${token(by)}`
    bind(ledger, { kind: 'decision', name, content, privateKey, source })
  }
}

/** The agent takes back its last open intent, or the one of that `id`. */
export function withdrawal(id?: string): Step {
  return (ledger) => {
    const { state } = ledger
    const open = openIntents(ledger, id).at(-1)
    assert(open !== undefined, 'no intent is open')
    const agent = open.address.split('.')[0] ?? ''
    const content = { intent: { address: open.address, agent, session: null } }
    const isKeyed = state.catalog.keyed.has(agent)
    const privateKey = isKeyed ? testKey(agent) : null
    const name = nameOf(state.place, 'withdrawal', open.address)
    bind(ledger, { kind: 'withdrawal', name, content, privateKey, source: `agent/${agent}` })
  }
}

/** The policy admin changes the catalog. */
export function catalogChange(...operations: readonly CatalogOperation[]): Step {
  return changed({ kind: 'catalog', operations })
}

/** The policy admin changes the graph. */
export function graphChange(...operations: readonly GraphOperation[]): Step {
  return changed({ kind: 'graph', operations })
}

/** Time passes: what is due on the way is decided when it is due. */
export function passing(ms: number): Step {
  return (ledger) => pass(ledger, ms)
}

function changed(change: Operations): Step {
  return (ledger) => {
    const { state, author, now } = ledger
    say(ledger, changeFact(state, change, { author, now }))
  }
}

function openIntents({ state }: Ledger, id: string | undefined): readonly OpenIntent[] {
  const open = [...state.intents.values()].toSorted((a, b) => a.position - b.position)
  return id === undefined ? open : open.filter(({ address }) => address.endsWith(`.${token(id)}`))
}

function bind(
  ledger: Ledger,
  of: {
    readonly kind: 'decision' | 'withdrawal'
    readonly name: string
    readonly content: Readonly<Record<string, unknown>>
    readonly privateKey: string | null
    readonly source: string
  },
): void {
  const { kind, name, content, privateKey, source } = of
  const { state, now } = ledger
  const unsigned: Json = jsonOf(content)
  const data =
    privateKey === null
      ? unsigned
      : jsonOf({ ...content, signature: signData({ log: state.log, name }, unsigned, privateKey) })
  const stamp = { source, time: new Date(now).toISOString(), basis: state.position }
  say(ledger, { name, bytes: writeEvent(kind, name, data, stamp) })
}

// A person answers beforehand in a test: a signed grant beside the last review that was opened.

export interface Granting {
  /** In CEL; `true` if not said. */
  readonly when?: string
  /** 10 if not said. */
  readonly uses?: number
  /** For how long, in milliseconds; a day if not said. */
  readonly forMs?: number
  readonly budget?: GrantData['budget']
  /** The agent of the review if not said. */
  readonly agents?: readonly string[]
  readonly perCell?: true
  /** The token of the grant; numbered if not said. */
  readonly id?: string
  /** Whose key signs it, in PEM; null for no signature. The person’s test key if not said. */
  readonly privateKey?: string | null
  /** Fields that differ from what the person’s client would write. */
  readonly content?: Readonly<Record<string, unknown>>
}

const dayMs = 24 * 3_600_000

/** A person answers what the last review asks for later calls, too. */
export function grant(by: string, given: Granting = {}): Step {
  return (ledger) => {
    const { state, facts, now } = ledger
    const found = facts.findLast(({ name }) => partsOf(name, state.place)?.kind === 'review')
    const review = readData('review', found)
    assert(found !== undefined && review !== null, 'no one was asked about anything')
    const { when = 'true', uses = 10, forMs = dayMs, id = `g${facts.length + 1}` } = given
    const { privateKey = testKey(by), content = {}, budget, agents, perCell } = given
    const drafted = grantBeside(
      state.catalog,
      { name: found.name, review },
      {
        confirmer: by,
        when,
        uses,
        until: now + forMs,
        ...(budget !== undefined && { budget }),
        ...(agents !== undefined && { agents }),
        ...(perCell !== undefined && { perCell }),
      },
    )
    assert(drafted !== null, 'what the review asks is asked each time')
    const name = nameOf(state.place, 'grant', id, token(by))
    const unsigned = jsonOf({ ...drafted.grant, ...content })
    const signature =
      privateKey === null ? null : signData({ log: state.log, name }, unsigned, privateKey)
    const data = jsonOf({ ...drafted.grant, ...content, ...(signature && { signature }) })
    const source = `confirmer/${token(by)}`
    const stamp = { source, time: new Date(now).toISOString(), basis: state.position }
    say(ledger, { name, bytes: writeEvent('grant', name, data, stamp) })
  }
}
