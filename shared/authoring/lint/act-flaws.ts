// Acts that are barred a second time within a session, of tools that nothing bounds beyond it: who
// asks begins sessions as it likes, and in a new one nothing was done before.
import type { Capability, Condition } from '#schemas/catalog'
import { readsOf } from '#conditions/condition'
import { typeOfArguments } from '#conditions/types'
import type { Catalog } from '#rules/catalog/catalog'
import { quoted } from '#record/quote'
import type { Flaw } from './flaw.ts'

type Bounds = Pick<Catalog, 'budgets' | 'capabilities' | 'conditions' | 'limits'>

/** Of a condition of the whole catalog the first such tool stands for all. */
export function actFlaws(catalog: Bounds): readonly Flaw[] {
  const open = [...catalog.capabilities.values()].filter((one) => mayRepeat(catalog, one))
  const ofAll = catalog.conditions.flatMap((condition) => {
    const first = open.find((one) => bars(condition, one))
    return first === undefined ? [] : [unbounded(condition, first)]
  })
  const own = open.flatMap((one) => {
    const barring = (one.conditions ?? []).filter((condition) => bars(condition, one))
    return barring.map((condition) => unbounded(condition, one))
  })
  return [...ofAll, ...own]
}

/** Whether it changes something, and nothing counts its calls over sessions. */
function mayRepeat({ budgets, limits }: Bounds, { id, safetyClass }: Capability): boolean {
  if (safetyClass === 'READ') return false
  // A limit of a whole class says how fast, and not how often.
  if ([...limits.values()].some((one) => 'capability' in one && one.capability === id)) return false
  return !budgets.some(({ per, capabilities }) => {
    return per !== 'session' && (capabilities === undefined || capabilities.includes(id))
  })
}

// What demands an act refuses where there is none.
function bars({ effect, when }: Condition, { argsSchema }: Capability): boolean {
  return effect !== 'require' && readsOf(when, typeOfArguments(argsSchema)).has('acts')
}

function unbounded({ name }: Condition, { id }: Capability): Flaw {
  const what = `${quoted(name)} bars ${quoted(id)} by \`acts\` within a session alone`
  const fix = `a new session begins without any: give ${quoted(id)} a budget or a limit too`
  return { code: 'acts_unbounded', where: { capability: id }, what, fix }
}
