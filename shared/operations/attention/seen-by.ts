// Who sees what is counted of a person: that person, and policy admins. It keeps colleagues from
// being compared by others; anyone who can read the log can count for themselves.
import type { Catalog } from '#rules/catalog/catalog'
import { policyAdminRole } from '#rules/catalog/duties'
import type { AttentionReport } from './report.ts'

/** The report without the people whom none of the viewers may see. */
export function seenBy(
  report: AttentionReport,
  viewers: readonly string[],
  { principals }: Pick<Catalog, 'principals'>,
): AttentionReport {
  const active = viewers.filter((id) => principals.get(id)?.suspended === false)
  const seesAll = active.some((id) => principals.get(id)?.roles.includes(policyAdminRole) === true)
  if (seesAll) return report
  return { ...report, people: report.people.filter(({ person }) => active.includes(person)) }
}
