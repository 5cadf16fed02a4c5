// Opens contracts and claims work under them. Both are messages, and what they come to the fold
// says; so where the log can be read, what would count for nothing is refused before it is there.
import { Completion } from '#schemas/work/contract'
import { Fault } from '#record/fault'
import { jsonOf } from '#record/canonical'
import type { MessageFields } from '#messages/build'
import type { SessionHandle } from './publishing.ts'
import type { WorkKnown } from './work-known.ts'

type Fields = Omit<MessageFields, 'sender'>

interface Within {
  readonly session?: SessionHandle
  /** What the sender itself calls it: published again under the same, it is there once. */
  readonly key?: string
  /** A word beside it for who reads the log. */
  readonly content?: string
}

/** What of it is no content. */
export function within({ session, key }: Within): Pick<Within, 'session' | 'key'> {
  return { ...(session !== undefined && { session }), ...(key !== undefined && { key }) }
}

export interface Contracting extends Within {
  /** Whose task it is. */
  readonly worker: string
  /** A task contract, as JSON; `workspace` must be one of the catalog's. */
  readonly contract: unknown
}

export interface Claiming extends Within {
  /** The address of the contract, or the name of its message. */
  readonly contract: string
  /** `status`, and `work` for a success: see `schemas/generated/task-claim.json`. */
  readonly completion: Readonly<Record<string, unknown>>
  /** The names of messages of evidence. */
  readonly evidence?: readonly string[]
}

interface By {
  readonly sender: string
  /** Null where the log cannot be read. */
  readonly known: WorkKnown | null
}

const addressTokens = 3

/** As sure as a message may be without a proof. */
const confidence = 0.8

export interface Publishable {
  readonly fields: Fields
  /** Throws a Fault `contract_refused` or `claim_refused` for what would count for nothing. */
  readonly check: () => Promise<void>
}

export function contractToPublish({ worker, contract, content }: Contracting, by: By): Publishable {
  const fields = {
    type: 'query',
    content: content ?? `please do this task: ${objectiveIn(contract)}`,
    receiver: worker,
    payload: { contract: jsonOf(contract) },
  }
  const check = async (): Promise<void> => {
    await by.known?.caughtUp()
    refuse('contract_refused', by.known?.contractProblem({ ...fields, sender: by.sender }))
  }
  return { fields, check }
}

/** Throws a Fault `claim_refused` where the name of the message is needed. */
export async function claimToPublish(
  { completion, content, evidence = [], ...of }: Claiming,
  by: By,
): Promise<Publishable> {
  await by.known?.caughtUp()
  const isAddress = of.contract.split('.').length === addressTokens
  if (isAddress && by.known === null) {
    refuse('claim_refused', 'this client does not read the log: give the name of its message')
  }
  const name = isAddress ? by.known?.nameOf(of.contract) : null
  const fields = {
    type: 'claim',
    content: content ?? 'I report on my task',
    confidence,
    refers_to: [name ?? of.contract, ...evidence],
    payload: { completion: jsonOf(completion) },
  }
  const check = async (): Promise<void> => {
    await by.known?.caughtUp()
    refuse('claim_refused', by.known?.claimProblem({ ...fields, sender: by.sender }))
    refuse('claim_refused', unnamedWork(fields.payload.completion))
  }
  return { fields, check }
}

// Such an attempt is used up, and can never be shown.
function unnamedWork(completion: unknown): string | null {
  const parsed = Completion.safeParse(completion)
  if (!parsed.success || parsed.data.status !== 'success') return null
  return parsed.data.work === undefined
    ? 'a success names its work: give `work` with a `digest` or a `commit`'
    : null
}

function refuse(code: 'contract_refused' | 'claim_refused', why: string | null | undefined): void {
  if (why !== null && why !== undefined) throw new Fault(code, `nothing was published: ${why}`)
}

const objectiveCharactersMax = 400

function objectiveIn(contract: unknown): string {
  const isMap = typeof contract === 'object' && contract !== null
  const objective = isMap && 'objective' in contract ? contract.objective : null
  if (typeof objective !== 'string') return ''
  return objective.slice(0, objectiveCharactersMax).toWellFormed()
}
