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
    finding(flaws.filter(isOfConfirmers), 'confirmers', 'every question has people who can answer'),
    finding(
      flaws.filter((flaw) => !isOfConfirmers(flaw)),
      'roles',
      'every tool has principals who may use it, and every role is read',
    ),
  ]
}

function finding(flaws: readonly Flaw[], check: Check, sound: string): DoctorFinding {
  const [first] = flaws
  if (first === undefined) return ok(check, sound)
  const { what, fix, where } = first
  const more = flaws.length - 1
  const others = more === 0 ? '' : `; and ${counted(more, 'other')}: \`warrant graph check\``
  const about = where.capability ?? where.principal ?? ''
  return warning(check, `${what}${others}`, { about, fix })
}
