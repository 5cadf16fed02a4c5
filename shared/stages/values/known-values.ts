// Where the values of an intent come from that its capability wants known: the messages before it
// that count as evidence, and what the agent and its owner are known to own.
import type { Principal } from '#schemas/catalog'
import { attributesOf, soughtValues, type SoughtValue } from '#knowledge/known/find'
import type { SaidMessage } from '#knowledge/known/said-parts'
import type { SessionMessage } from '#messages/session'
import { evidenceOf, sendersFor } from '../evidence/evidence.ts'
import { capabilityOf, type Context, type View } from '../view.ts'

const none: readonly SoughtValue[] = []

export function knownValues(view: View, context: Context): readonly SoughtValue[] {
  const { known = [] } = capabilityOf(view) ?? {}
  if (known.length === 0) return none
  const { catalog, opening, judged } = view
  const agent = catalog.principals.get(judged)
  const before = evidenceOf(view, context).filter(({ position }) => position < opening.position)
  const believed = sendersFor(view)
  return soughtValues(known, opening.request?.args ?? {}, {
    attributes: attributesOf(agent === undefined ? [] : withOwners(catalog.principals, agent)),
    messages: before.map((message) => saidIn(message, believed)),
    untrusted: (tool) => catalog.capabilities.get(tool)?.untrusted ?? null,
    isDriven: (tool) => catalog.capabilities.get(tool)?.driver !== undefined,
    lists: (tool) => catalog.capabilities.get(tool)?.lists ?? [],
  })
}

// INVARIANT: no one owns itself, so the way up ends: test/rules/catalog/catalog-change.test.ts.
export function withOwners(
  principals: ReadonlyMap<string, Principal>,
  first: Principal,
): readonly Principal[] {
  const found: Principal[] = []
  let next: Principal | undefined = first
  while (next !== undefined) {
    found.push(next)
    next = next.owner === undefined ? undefined : principals.get(next.owner)
  }
  return found
}

function saidIn(
  { name, sender, check: { message } }: SessionMessage,
  believed: ReadonlySet<string>,
): SaidMessage {
  const { content = null, payload = null } = message ?? {}
  return { name, sender, content, payload, counts: believed.has(sender) }
}
