// Where the values of an intent come from that its capability wants known: the messages before it
// that count as evidence, and what the agent and its owner are known to own.
import type { Capability, Principal } from '#schemas/catalog'
import type { KnownArgument } from '#schemas/values'
import { attributesOf } from '#knowledge/known/evidence/value-evidence'
import { canSeek, loadSeeking, valuesSought } from '#knowledge/known/finding-values'
import type { ValueEvidence } from '#knowledge/known/evidence/value-evidence'
import type { SoughtValue } from '#knowledge/known/find'
import { membersOf } from '#knowledge/known/pointer'
import type { SaidMessage } from '#knowledge/known/said-parts'
import type { SessionMessage } from '#messages/session'
import { hasRules } from '#rules/catalog/rules-version'
import { evidenceOf, sendersFor } from '../evidence/evidence.ts'
import { capabilityOf, type Context, type View } from '../view.ts'
import { confirmedIn } from './agreed.ts'

const none: readonly SoughtValue[] = []

/** Whether a decider that goes by this view has all that it seeks values with. */
export function canSeekFor(view: View): boolean {
  return canSeek() || ![view, ...view.searched.map((one) => one.view)].some(wantsKnown)
}

export async function loadSeekingFor(view: View): Promise<void> {
  if (!canSeekFor(view)) await loadSeeking()
}

function wantsKnown(view: View): boolean {
  return (capabilityOf(view)?.known ?? []).length > 0
}

export function knownValues(view: View, context: Context): readonly SoughtValue[] {
  const { known = [] } = capabilityOf(view) ?? {}
  if (known.length === 0) return none
  const { catalog, opening, judged } = view
  const agent = catalog.principals.get(judged)
  const before = evidenceOf(view, context).filter(({ position }) => position < opening.position)
  const believed = sendersFor(view)
  return valuesSought(known, opening.request?.args ?? {}, {
    attributes: attributesOf(agent === undefined ? [] : withOwners(catalog.principals, agent)),
    messages: before.map((message) => saidIn(message, believed)),
    ...resultsBy(catalog.capabilities),
    acts: known.some(needsActs) ? actsBefore(view, context) : [],
    // Of a call for another nothing is known by what was agreed to for itself.
    confirmed:
      judged === view.ref.agent && context.chain === null ? confirmedIn(view, context) : [],
    heedsBars: hasRules(catalog, 'barredValues'),
    readsNumbers: hasRules(catalog, 'numberWords'),
    readsNotes: hasRules(catalog, 'ownTexts'),
  })
}

function needsActs({ fromNamed, person }: KnownArgument): boolean {
  return (fromNamed ?? person) !== undefined
}

type Results = Pick<
  ValueEvidence,
  'untrusted' | 'isDriven' | 'lists' | 'reports' | 'texts' | 'notes' | 'folder' | 'today'
>

/** What the catalog says of the results of each tool. */
export function resultsBy(capabilities: ReadonlyMap<string, Capability>): Results {
  return {
    untrusted: (tool) => capabilities.get(tool)?.untrusted ?? null,
    isDriven: (tool) => capabilities.get(tool)?.driver !== undefined,
    lists: (tool) => capabilities.get(tool)?.lists ?? [],
    reports: (tool) => capabilities.get(tool)?.reports === true,
    texts: (tool) => capabilities.get(tool)?.source ?? null,
    notes: (tool) => capabilities.get(tool)?.notes ?? null,
    folder: (tool) => capabilities.get(tool)?.folder ?? null,
    today: (tool) => capabilities.get(tool)?.today ?? null,
  }
}

// What became of them does not count: what was tried may have been done.
function actsBefore({ catalog, opening, ref }: View, { session }: Context): ValueEvidence['acts'] {
  return session.flatMap(({ sender, position, check }) => {
    if (sender !== ref.agent || position >= opening.position) return []
    const asked = new Map(membersOf(check.message?.payload?.['intent']))
    const [tool, args] = [asked.get('tool'), asked.get('args')]
    const { safetyClass } = catalog.capabilities.get(typeof tool === 'string' ? tool : '') ?? {}
    return safetyClass === 'READ' || typeof args !== 'object' || args === null ? [] : [{ args }]
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

/** As values are sought in it; whose word counts is in `believed`. */
export function saidIn(
  { name, sender, check: { message } }: SessionMessage,
  believed: ReadonlySet<string>,
): SaidMessage {
  const { content = null, payload = null } = message ?? {}
  return { name, sender, content, payload, counts: believed.has(sender) }
}
