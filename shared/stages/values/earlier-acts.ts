// What the agent did in the session before, as conditions read it: its calls that may change
// something and were not stopped. A call that is still open counts, so that of two at once the
// later one sees the earlier, whichever is decided first; that it was let is stated beside it.
// Of a call for others each is judged by what that one did, as if it asked alone.
import { JsonObject } from '#schemas/catalog'
import { completedArguments, patternsUnder } from '#rules/catalog/arguments'
import { hasRules } from '#rules/catalog/rules-version'
import { readsOf } from '#conditions/condition'
import { typeOfArguments } from '#conditions/types'
import { membersOf } from '#knowledge/known/pointer'
import { delegationIn } from '#messages/delegation'
import { jsonOf, type JsonMap } from '#record/canonical'
import { readData } from '#record/event'
import { eraOf, nameOf, partsInRealm, sessionIn } from '#record/names'
import { countsIn } from '#state/eras'
import { capabilityOf, type EarlierAct, type Context, type View } from '../view.ts'
import { isTakenBack } from './agreed.ts'

/** Such a call, and the names of which one may be its verdict: one an era since. */
export interface EarlierCall extends Pick<EarlierAct, 'by' | 'isForOthers'> {
  readonly tool: string
  readonly args: unknown
  readonly verdicts: readonly string[]
}

interface ReadVerdict {
  readonly name: string
  readonly position: number
  readonly bytes: Uint8Array
}

/** Null where no condition about the call reads them, or no one can say what they are. */
export function callsBefore(
  view: View,
  { session, chain }: Pick<Context, 'session' | 'chain'>,
): readonly EarlierCall[] | null {
  const { catalog, opening, ref } = view
  // What asks about another, or about many, is no call of the agent.
  if (opening.request === null || onlyAsking.some((one) => opening.request?.[one] !== undefined)) {
    return null
  }
  if (sessionIn(view.intent.address) === '-' || !readsActs(view, chain)) return null
  const others = chain?.said.filter(({ sender }) => sender !== ref.agent) ?? []
  const said = [...session.filter(({ sender }) => sender === ref.agent), ...others]
  return said
    .filter(({ position }) => position < opening.position)
    .toSorted((one, other) => one.position - other.position)
    .flatMap(({ name, sender, check: { message } }) => {
      // Nothing else opens an intent, whatever it holds.
      if (message?.type !== 'query') return []
      const asked = new Map(membersOf(message.payload?.['intent']))
      const tool = asked.get('tool')
      if (typeof tool !== 'string' || onlyAsking.some((member) => asked.has(member))) return []
      if (catalog.capabilities.get(tool)?.safetyClass === 'READ') return []
      const verdicts = verdictNames(view, name)
      const isForOthers = asked.has('delegation')
      return [{ by: sender, isForOthers, tool, args: asked.get('args'), verdicts }]
    })
}

const onlyAsking = ['subject', 'search', 'evaluations'] as const

/** Those that were not denied by what stood in the log at the basis of the view. */
export function actsAmong(
  view: View,
  calls: readonly EarlierCall[],
  verdicts: ReadonlyMap<string, ReadVerdict>,
): readonly EarlierAct[] {
  return calls.flatMap(({ by, isForOthers, tool, args, verdicts: names }) => {
    const found = names.flatMap((name) => verdictAt(view, verdicts.get(name)) ?? [])
    if (found.some(({ outcome }) => outcome === 'deny')) return []
    const allowed = found.some(({ isLet }) => isLet)
    const shown = { tool, args: jsonOf(completed(view, tool, args)), allowed }
    return [{ by, isForOthers, shown }]
  })
}

/** What was done before in the case of that one: by itself, and by the agent for others. */
export function actsOf(
  { acts }: Context,
  { agent, judged }: { readonly agent: string; readonly judged: string },
): readonly JsonMap[] | undefined {
  return acts?.flatMap(({ by, isForOthers, shown }) => {
    return by === judged || (by === agent && isForOthers) ? [shown] : []
  })
}

interface CameTo {
  readonly outcome: 'allow' | 'deny'
  /** Whether it may be done by it: it is more than observed, and was not taken back. */
  readonly isLet: boolean
}

function verdictAt(view: View, fact: ReadVerdict | undefined): CameTo | null {
  if (fact === undefined || fact.position > view.basis || !countsIn(view.eras, fact)) return null
  const data = readData('verdict', fact)
  if (data === null) return null
  const { outcome, observed } = data
  const isLet = outcome === 'allow' && !observed && !isTakenBack(view, fact, data)
  return { outcome, isLet }
}

// As a gateway would run it, which is how the call itself is read.
function completed({ catalog }: View, tool: string, args: unknown): unknown {
  const capability = catalog.capabilities.get(tool)
  if (capability?.driver === undefined) return args ?? {}
  const read = JsonObject.safeParse(args)
  return read.success ? completedArguments(capability, read.data, patternsUnder(catalog)) : {}
}

function readsActs(view: View, chain: Context['chain']): boolean {
  const { catalog } = view
  const capability = capabilityOf(view)
  if (capability === null || !hasRules(catalog, 'earlierActs')) return false
  const args = typeOfArguments(capability.argsSchema)
  const conditions = [...catalog.conditions, ...(capability.conditions ?? [])]
  const cited = chain?.cited.flatMap(({ check }) => delegationIn(check)?.data.when ?? []) ?? []
  const texts = [...conditions.map(({ when }) => when), ...cited]
  return texts.some((when) => readsOf(when, args).has('acts'))
}

function verdictNames({ place: { realm, era: last } }: View, message: string): readonly string[] {
  const address = partsInRealm(message, realm)?.tokens.join('.')
  const first = eraOf(message)
  if (address === undefined || first === null) return []
  return Array.from({ length: last - first + 1 }, (_, later) =>
    nameOf({ realm, era: first + later }, 'verdict', address),
  )
}
