// A person answers beforehand in a test: a signed grant beside the last review that was opened.
import assert from 'node:assert/strict'
import { grantBeside } from '#rules/grants/beside'
import { jsonOf } from '#record/canonical'
import { readData, writeEvent } from '#record/event'
import { nameOf, partsOf, token } from '#record/names'
import { signData } from '#record/crypto/private-key'
import type { GrantData } from '#schemas/action/grant'
import { say } from './ledger.ts'
import type { Step } from './steps.ts'
import { testKey } from './setup.ts'

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
