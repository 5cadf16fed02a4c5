// Whether what people are asked can be answered by anyone, and whether each role means something.
import { checkCatalog } from '#core/lint/catalog-flaws'
import type { Flaw } from '#core/lint/flaw'
import type { State } from '#core/state/state'
import { counted } from '#present/wording'
import { ok, warning, type Check, type DoctorFinding } from '#runtime/operations/doctor/finding'

export function catalogFindings({
  catalog,
  graph,
}: Pick<State, 'catalog' | 'graph'>): readonly DoctorFinding[] {
  const flaws = checkCatalog(catalog, graph)
  const isOfConfirmers = ({ code }: Flaw): boolean => code === 'confirmation_unanswerable'
  return [
    ...findings(
      flaws.filter(isOfConfirmers),
      'confirmers',
      'every question has people who can answer',
    ),
    ...findings(
      flaws.filter((flaw) => !isOfConfirmers(flaw)),
      'roles',
      'every tool has principals who may use it, and every role is read',
    ),
  ]
}

const shownMax = 5

/** One for each flaw; the last that is shown says how many more there are. */
function findings(flaws: readonly Flaw[], check: Check, sound: string): readonly DoctorFinding[] {
  if (flaws.length === 0) return [ok(check, sound)]
  const more = flaws.length - shownMax
  return flaws.slice(0, shownMax).map(({ what, fix, where }, index) => {
    const isLast = index === shownMax - 1 && more > 0
    const others = isLast ? `; and ${counted(more, 'other')}: \`warrant graph check\`` : ''
    const about = where.capability ?? where.principal ?? ''
    return warning(check, `${what}${others}`, { about, fix })
  })
}
