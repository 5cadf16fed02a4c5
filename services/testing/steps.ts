// Messages of a test: an agent asks, a tool reports. Each is bound as its sender would bind it, and
// signed with the sender’s test key.
import type { Json } from '#record/canonical'
import { addressOf, nameOf, token } from '#record/names'
import { isVlpMessage } from '#messages/envelope'
import { noIssues } from '#messages/issue'
import { signMessage } from '#messages/signed-message'
import type { IntentFields } from '#client/asking'
import { say, type Ledger } from './ledger.ts'
import { agentDefault, sessionDefault, testKey, testPublicKey } from './setup.ts'

/** One thing that happens. */
export type Step = (ledger: Ledger) => void

export interface FactPlace {
  /** The principal under whose name it is bound; the agent of the setup if not said. */
  readonly as?: string
  readonly session?: string | null
  /** The last part of its name, so that another step can name the intent; numbered if not said. */
  readonly id?: string
  /** Fields of the message that differ from what is filled in. */
  readonly message?: Readonly<Record<string, unknown>>
  /** Whose key signs it, in PEM; null for no signature. Its sender’s test key if it has one. */
  readonly privateKey?: string | null
}

/** An agent asks for a verdict. */
export function intent(tool: string, given: FactPlace & Omit<IntentFields, 'tool'> = {}): Step {
  const { as, session, id, privateKey, message: more, ...fields } = given
  const place = {
    ...(as !== undefined && { as }),
    ...(session !== undefined && { session }),
    ...(id !== undefined && { id }),
    ...(privateKey !== undefined && { privateKey }),
  }
  const payload = { intent: { tool, ...fields } }
  return message({ ...place, message: { type: 'query', payload, ...more } })
}

/** A principal reports something to the agent: what a policy callback reads as evidence. */
export function evidence(
  from: string,
  payload: Readonly<Record<string, Json>>,
  given: FactPlace = {},
): Step {
  const fields = { type: 'evidence', provenance: [from], refers_to: 'request', payload }
  return message({ as: from, ...given, message: { ...fields, ...given.message } })
}

/** Any message: what is not given is that of a sound `notice` to the agent. */
export function message(given: FactPlace): Step {
  return (ledger) => {
    const { agent = agentDefault, session: usual = sessionDefault } = ledger.setup
    const { as = agent, session = usual, id = `m${ledger.facts.length + 1}` } = given
    const address = addressOf(as, session, id)
    const name = nameOf(ledger.state.place, 'vlp', address)
    const value: unknown = {
      id: `MSG-${token(id)}`,
      protocol: 'VLP/1.1',
      type: 'notice',
      timestamp: `${new Date(ledger.now).toISOString().slice(0, 19)}Z`,
      sender: as,
      content: 'a test',
      confidence: 0.5,
      ...(session !== null && { session_id: session }),
      ...(as !== agent && { receiver: agent }),
      ...given.message,
    }
    const bytes = Buffer.from(JSON.stringify(signed(ledger, value, { name, as, given })), 'utf8')
    say(ledger, { name, bytes })
  }
}

function signed(
  { state }: Ledger,
  value: unknown,
  { name, as, given }: { readonly name: string; readonly as: string; readonly given: FactPlace },
): unknown {
  const { keys = [] } = state.catalog.principals.get(as) ?? {}
  const own = keys.includes(testPublicKey(as)) ? testKey(as) : null
  const privateKey = given.privateKey === undefined ? own : given.privateKey
  if (privateKey === null || !isVlpMessage(value, noIssues())) return value
  return signMessage({ log: state.log, name }, value, privateKey)
}
