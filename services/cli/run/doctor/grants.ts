// Whether each grant that has not ended can still answer for a call.
import { listedGrant } from '#rules/grants/listed'
import type { State } from '#state/state'
import { counted } from '#present/wording'
import { warning, type DoctorFinding } from '#health/doctor/finding'

/** Nothing where all can. */
export function grantFindings(
  { catalog, grants, grantUses }: Pick<State, 'catalog' | 'grants' | 'grantUses'>,
  now: number,
): readonly DoctorFinding[] {
  const idle = [...grants.byId.values()]
    .map((grant) => listedGrant(catalog, { grant, uses: grantUses.get(grant.id) }, now))
    .filter(({ state }) => state === 'idle')
  const [first] = idle
  if (first === undefined) return []
  const found = `${counted(idle.length, 'grant')} can answer for no call: ${first.why ?? ''}`
  const fix = 'see `warrant grants`: correct the catalog, or revoke the grant and sign another'
  return [warning('grants', found, { about: first.grant.id, fix })]
}
