// Evidence that is given with a case in place of a log around it: each message stands, and is from
// whom it names. Whose word counts is the catalog's to say, as it is in a log.
import type { Catalog } from '#rules/catalog/catalog'
import type { SaidMessage } from '#knowledge/known/said-parts'
import { isFor, isReceiver, trustedSenders } from './trust.ts'

/** For whom it counts: a catalog, an agent, and the callback or capability that is asked for. */
interface ListenerFor {
  readonly catalog: Catalog
  readonly agent: string
  readonly capability: string | undefined
  /** Null for what conditions and known values read. */
  readonly callback: string | null
}

export interface GivenEvidence {
  readonly name: string
  readonly sender: string
  readonly receiver: string
  readonly type: string
  readonly content: unknown
  readonly payload: unknown
}

/** Those of the messages that count, as callbacks and conditions are given them. */
export function evidenceAmong(
  of: ListenerFor,
  given: readonly GivenEvidence[],
): readonly unknown[] {
  const { catalog, agent, capability, callback } = of
  const ref = { agent }
  const trusted = trustedSenders({ catalog, ref }, (what) => isFor(what, callback, capability))
  return given.flatMap(({ name, sender, receiver, type, content, payload }, index) => {
    const sources = trusted.get(sender)
    if (sources === undefined || !isReceiver({ catalog, ref }, receiver)) return []
    const said = { content, for: sources, name, payload, position: index + 1 }
    return [{ ...said, receiver, sender, session: null, type }]
  })
}

/** All that anyone said whom the catalog trusts for anything, as values are sought. */
export function saidAmong(
  of: ListenerFor,
  given: readonly GivenEvidence[],
): readonly SaidMessage[] {
  const { catalog, agent, capability } = of
  const ref = { agent }
  const anyone = trustedSenders({ catalog, ref }, () => true)
  const believed = trustedSenders({ catalog, ref }, (what) => isFor(what, null, capability))
  return given
    .filter(({ sender, receiver }) => anyone.has(sender) && isReceiver({ catalog, ref }, receiver))
    .map(({ name, sender, content, payload }) => {
      return { name, sender, content, payload, counts: believed.has(sender) }
    })
}
