// Further looks at a kept result: each is judged by the rules of that moment, and recorded.
import { z } from 'zod'
import { rulesBuiltIn } from '#rules/catalog/catalog'
import { valueOfJson } from '#rules/drivers/written-json'
import { shownKinds } from '#firewall/shown-kinds'
import { judgedExpansion, expansionPage } from '#firewall/expand'
import type { ExpansionRules, ExpansionAnswer, ToPage } from '#firewall/expand'
import type { Frame } from '#firewall/frame'
import { frameConstraints } from '#firewall/frame-constraints'
import { digestOfJson } from '#record/digest'
import { readData } from '#record/event'
import { Fault } from '#record/fault'
import { constraintsOf } from '#rules/chain/constraints'
import { revokedBy } from '#messages/warrants/revocations'
import { framedHereBytesMax, type Framing } from '#ports/framing'
import type { KeptResult, ResultStore } from '#ports/results'
import { factAbout } from '#runtime/engine/binding'
import type { Runtime } from '#runtime/engine/runtime'
import type { Gateway } from './gateway.ts'
import { charactersOf, type SessionBudget } from './session-budget.ts'
import type { Slots } from './slots.ts'
import { bindWord } from './words.ts'

export interface ExpandingParts {
  readonly runtime: Runtime
  readonly gateway: Pick<Gateway, 'id'>
  readonly results?: ResultStore
  /** Where large results are looked at. */
  readonly framing: Framing
  readonly budget: SessionBudget
  /** How many look at once. */
  readonly places: Slots
}

export interface ExpandRequest {
  readonly handle: string
  /** Who asks, as authenticated. */
  readonly caller: string
  // From the agent: may be anything.
  readonly query: unknown
}

/** One at a time of each caller: a result is in memory as a whole while it is looked at. */
const looking = { capability: 'expand', execution: { concurrency: 4, agentConcurrency: 1 } }

export async function expanded(parts: ExpandingParts, request: ExpandRequest): Promise<Frame> {
  const of = { ...looking, agent: request.caller }
  const leave = await parts.places.enter(of, new AbortController().signal)
  try {
    return await looked(parts, request)
  } finally {
    leave()
  }
}

async function looked(parts: ExpandingParts, request: ExpandRequest): Promise<Frame> {
  const { runtime, results, gateway } = parts
  const found = (await results?.get(request.handle)) ?? null
  const { caller, query } = request
  const now = runtime.logClock.now()
  const rules = await rulesNow(runtime, found)
  const isOwn = found !== null && found.owner === caller
  const share = isOwn ? parts.budget.begin(found.intent, now) : null
  const { page, refused } = judgedExpansion(found, rules, { caller, now, query })
  let reply: ExpansionAnswer = { refused: refused ?? 'handle_unknown' }
  try {
    if (found !== null && page !== undefined) reply = { frame: await shown(parts, found, page) }
    share?.add(charactersOf(reply.frame?.table))
  } finally {
    share?.end()
  }
  // What is not this caller's leaves no trace in the log of another.
  if (isOwn) {
    await noteExpansion(runtime, gateway.id, { found, query, reply })
  }
  if (reply.frame !== undefined) return reply.frame
  throw new Fault(
    'handle_refused',
    `nothing more is shown of \`${request.handle}\`: ${reply.refused}`,
  )
}

async function shown(
  { runtime, framing }: ExpandingParts,
  { json, owner, intent }: KeptResult,
  page: ToPage,
): Promise<Frame> {
  if (json.length <= framedHereBytesMax) return expansionPage(valueOfJson(json), page)
  const made = await framing.page(owner, { ...page, json })
  if (made !== null) return made
  runtime.logger.warn({ intent, bytes: json.length }, 'a result could not be framed')
  return { mode: 'handle_only', handle: null, warnings: [{ code: 'chars', path: '' }] }
}

/** What its owner may see of it now, and no more than the verdict allowed. */
async function rulesNow(runtime: Runtime, found: KeptResult | null): Promise<ExpansionRules> {
  const none = { permitted: false, allowedFields: null, maxRows: null }
  if (found === null) return none
  const fact = await factAbout(runtime, 'verdict', found.intent)
  const verdict = readData('verdict', fact)
  const { state } = runtime.follower
  const capability = state.catalog.capabilities.get(found.capability)
  const terms = verdict?.terms ?? null
  if (fact === undefined || terms === null || capability === undefined) return none
  const { constraints, chain = [found.owner] } = terms
  const of = { verdict: fact.name, capability: capability.id, chain }
  const isRevoked = revokedBy(state, { ...of, decidedAt: fact.position }) !== null
  const before = frameConstraints(constraints).constraints
  const people = chain.map((id) => state.catalog.principals.get(id))
  const builtIn = rulesBuiltIn(state.catalog)
  const judged = { capability, request: { constraints }, violations: [], builtIn }
  const after = people.map((principal) => {
    return frameConstraints(constraintsOf({ ...judged, principal })).constraints
  })
  const all = [before, ...after].filter((one) => one !== undefined)
  if (all.length <= people.length) return none
  return {
    permitted: people.every((principal) => principal?.suspended === false) && !isRevoked,
    allowedFields: all.map((one) => one.allowedFields).reduce(narrower, undefined) ?? null,
    maxRows: all.map((one) => one.maxRows).reduce(least, undefined) ?? null,
    ...shownKinds(capability),
  }
}

function narrower(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.filter((field) => other.includes(field))
}

function least(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}

const roundsMax = 64

async function noteExpansion(
  runtime: Runtime,
  gateway: string,
  of: { readonly found: KeptResult; readonly query: unknown; readonly reply: ExpansionAnswer },
): Promise<void> {
  const { found, query, reply } = of
  const { intent: address, owner: agent } = found
  const [, session = '-'] = address.split('.')
  const intent = { address, agent, session: session === '-' ? null : session }
  const rows = reply.frame?.table?.length ?? 0
  const asked = z.json().safeParse(query)
  const digest = digestOfJson(asked.success ? asked.data : null)
  const refused = reply.refused === undefined ? {} : { refused: reply.refused }
  const base = { gateway, query: digest, rows, ...refused }
  for (let round = 0; round < roundsMax; round += 1) {
    const number = await nextNumber(runtime, address)
    const said = { ...base, number }
    const { appended } = await bindWord(runtime, 'expansion', { gateway, intent, said })
    if (appended) return
  }
  throw new Fault('conflict', `others look at the result of \`${address}\` at the same time`)
}

/** The first that is free: they are bound without gaps. */
async function nextNumber(runtime: Runtime, address: string): Promise<number> {
  const isBound = async (number: number): Promise<boolean> => {
    return (await factAbout(runtime, 'expansion', `${address}.${number}`)) !== undefined
  }
  let free = 1
  while (await isBound(free)) free *= 2
  let bound = Math.floor(free / 2)
  while (free - bound > 1) {
    const between = Math.floor((free + bound) / 2)
    if (await isBound(between)) bound = between
    else free = between
  }
  return free
}
