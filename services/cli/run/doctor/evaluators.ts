// Who may ask what others might do, and over whom: anyone who holds such a login can find out what
// each of them may do.
import { isListed } from '#rules/catalog/catalog'
import { quoted } from '#record/quote'
import type { State } from '#state/state'
import { ok, warning, type DoctorFinding } from '#health/doctor/finding'
import type { Principal } from '#schemas/catalog'
import type { Matcher } from '#schemas/rules/matcher'

const entriesShownMax = 8

/** One for each principal with `evaluates`; a warning where that lets it ask about everyone. */
export function evaluatorFindings({ catalog }: Pick<State, 'catalog'>): readonly DoctorFinding[] {
  const all = [...catalog.principals.values()]
  return all.flatMap(({ id, evaluates }) => {
    const { subjects = [], enforces = false } = evaluates ?? {}
    if (subjects.length === 0) return []
    const who = subjects.map((one) => one.who)
    const others = all.filter((one) => one.id !== id)
    const asked = others.filter((one: Principal) => isListed(who, one)).length
    const isEveryone = asked > 0 && asked === others.length
    const whom = isEveryone ? `everyone (${asked})` : `${asked} of ${others.length} others`
    const shown = subjects.slice(0, entriesShownMax).map(entryText)
    const left = subjects.length - shown.length
    const entries = [...shown, ...(left > 0 ? [`${left} more`] : [])].join('; ')
    const uses = enforces ? '; what it is allowed uses up their limits and budgets' : ''
    const found = `it may ask what ${whom} might do: ${entries}${uses}`
    if (!isEveryone) return [ok('evaluators', found, id)]
    const fix = 'name in its `evaluates` only those whom it serves, such as by a role of theirs'
    return [warning('evaluators', found, { about: id, fix })]
  })
}

function entryText({ type, who }: { readonly type: string; readonly who: Matcher }): string {
  const { principal, role, attributes = {} } = who
  const parts = [
    ...(principal === undefined ? [] : [quoted(principal)]),
    ...(role === undefined ? [] : [`the role ${quoted(role)}`]),
    ...Object.entries(attributes).map(([name, value]) => quoted(`${name}=${value}`)),
  ]
  return `as ${quoted(type)} ${parts.join(' and ')}`
}
