// What the agent did in the session before, as conditions read it: its calls that may change
// something and were not stopped. A call that is still open counts, so that of two at once the
// later one sees the earlier, whichever is decided first.
import { JsonObject } from '#schemas/catalog'
import { completedArguments, patternsUnder } from '#rules/catalog/arguments'
import { hasRules } from '#rules/catalog/rules-version'
import { readsOf } from '#conditions/condition'
import { typeOfArguments } from '#conditions/types'
import { membersOf } from '#knowledge/known/pointer'
import type { SessionMessage } from '#messages/session'
import { jsonOf, type JsonMap } from '#record/canonical'
import { readData } from '#record/event'
import { eraOf, nameOf, partsInRealm, sessionIn } from '#record/names'
import { countsIn } from '#state/eras'
import { capabilityOf, type View } from '../view.ts'

/** Such a call, and the names of which one may be its verdict: one an era since. */
export interface EarlierCall {
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
  session: readonly SessionMessage[],
): readonly EarlierCall[] | null {
  if (!readsActs(view) || view.judged !== view.ref.agent) return null
  if (sessionIn(view.intent.address) === '-') return null
  const { catalog, opening, ref } = view
  return session.flatMap(({ name, sender, position, check }) => {
    if (sender !== ref.agent || position >= opening.position) return []
    const asked = new Map(membersOf(check.message?.payload?.['intent']))
    const tool = asked.get('tool')
    // Who only asks does nothing.
    if (typeof tool !== 'string' || onlyAsking.some((member) => asked.has(member))) return []
    if (catalog.capabilities.get(tool)?.safetyClass === 'READ') return []
    return [{ tool, args: asked.get('args'), verdicts: verdictNames(view, name) }]
  })
}

const onlyAsking = ['subject', 'search', 'evaluations'] as const

/** Those that were not denied by what stood in the log at the basis of the view. */
export function actsAmong(
  view: View,
  calls: readonly EarlierCall[],
  verdicts: ReadonlyMap<string, ReadVerdict>,
): readonly JsonMap[] {
  return calls.flatMap(({ tool, args, verdicts: names }) => {
    const isDenied = names.some((name) => {
      const fact = verdicts.get(name)
      if (fact === undefined || fact.position > view.basis || !countsIn(view.eras, fact)) {
        return false
      }
      return readData('verdict', fact)?.outcome === 'deny'
    })
    return isDenied ? [] : [{ tool, args: jsonOf(completed(view, tool, args)) }]
  })
}

// As a gateway would run it, which is how the call itself is read.
function completed({ catalog }: View, tool: string, args: unknown): unknown {
  const capability = catalog.capabilities.get(tool)
  if (capability?.driver === undefined) return args ?? {}
  const read = JsonObject.safeParse(args)
  return read.success ? completedArguments(capability, read.data, patternsUnder(catalog)) : {}
}

function readsActs(view: View): boolean {
  const { catalog } = view
  const capability = capabilityOf(view)
  if (capability === null || !hasRules(catalog, 'earlierActs')) return false
  const args = typeOfArguments(capability.argsSchema)
  const conditions = [...catalog.conditions, ...(capability.conditions ?? [])]
  return conditions.some(({ when }) => readsOf(when, args).has('acts'))
}

function verdictNames({ place: { realm, era: last } }: View, message: string): readonly string[] {
  const address = partsInRealm(message, realm)?.tokens.join('.')
  const first = eraOf(message)
  if (address === undefined || first === null) return []
  return Array.from({ length: last - first + 1 }, (_, later) =>
    nameOf({ realm, era: first + later }, 'verdict', address),
  )
}
