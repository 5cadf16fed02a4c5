// A planner that lets a reader act for it, and what both may do: the scene of every test here.
import { newestRules } from '#rules/catalog/rules-version'
import { addressOf, nameOf } from '#record/names'
import { nowDefault, testPublicKey, type Setup } from '#testing/setup'
import { intent, message, type FactPlace, type Step } from '#testing/steps'
import { given as givenOf } from '../../../support/given.ts'
import { anyArgs, look, place, reason } from '../../../support/scene.ts'

export const session = 'S-1'
const until = new Date(nowDefault + 3_600_000).toISOString()

const keyed = (id: string) => ({ keys: [testPublicKey(id)] })

export const catalog = {
  principals: [
    { id: 'planner', roles: ['writer'], owner: 'olga', ...keyed('planner') },
    { id: 'reader', roles: ['writer'], owner: 'piet', ...keyed('reader') },
    { id: 'helper', roles: ['writer'], owner: 'piet' },
    { id: 'intern', owner: 'olga' },
    { id: 'desk' },
  ],
  capabilities: [look, { id: 'send', safetyClass: 'WRITE' as const, argsSchema: anyArgs }],
  trustedEvidence: [{ sender: 'desk', for: ['*'] }],
  rules: newestRules,
} satisfies Setup['catalog']

/** The name of the message that someone sends under that id. */
export function named(as: string, id: string, of: string | null = session): string {
  return nameOf(place, 'vlp', addressOf(as, of, id))
}

export interface Delegated extends FactPlace {
  readonly data?: Readonly<Record<string, unknown>>
}

/** One lets another act for it, with `look` and `send` for an hour unless `data` says otherwise. */
export function delegates(from: string, to: string, of: Delegated = {}): Step {
  const { data, message: more, ...where } = of
  const delegation = { capabilities: ['look', 'send'], until, ...data }
  const fields = { type: 'query', receiver: to, payload: { delegation }, ...more }
  return message({ as: from, session, id: 'D1', ...where, message: fields })
}

/** The reader asks, resting on what the planner sent under `D1` unless it says otherwise. */
export function asks(tool: string, more: Parameters<typeof intent>[1] = {}): Step {
  const delegation = named('planner', 'D1')
  return intent(tool, { as: 'reader', session, justification: reason, delegation, ...more })
}

export function given(...steps: readonly Step[]) {
  return givenOf({ catalog }, ...steps)
}

export function refusedFor(cause: string, more: Readonly<Record<string, unknown>> = {}) {
  return { code: 'delegation_refused', params: { cause, ...more } }
}
