// What an agent's standing makes of one call, by the catalog of the view.
import type { Capability } from '#schemas/catalog'
import type { Catalog } from '#rules/catalog/catalog'
import { hasStanding } from '#rules/catalog/work-settings'
import { earnedLevel, type EarnedStanding } from '#work/contracts/standings'
import type { StandingCase } from '#rules/chain/rule-input'
import { isRuled, levelRule } from '#work/levels'

/** Null where standing decides nothing for that principal. */
export function standingCase(
  catalog: Catalog,
  of: {
    readonly principal: string
    readonly standing: EarnedStanding | undefined
    readonly capability: Capability | null
  },
): StandingCase | null {
  const { principal, standing, capability } = of
  if (!hasStanding(catalog, principal)) return null
  const { value, level } = earnedLevel(catalog, standing)
  if (level === 'suspended' || capability === null) {
    return { value, level, refuses: false, asks: null }
  }
  const { confirm, refuse, confirmation, quorum } = levelRule(catalog.work, level)
  const asks = {
    ...(confirmation !== undefined && { confirmation }),
    ...(quorum !== undefined && { quorum }),
  }
  return {
    value,
    level,
    refuses: isRuled(refuse, capability),
    asks: isRuled(confirm, capability) ? asks : null,
  }
}
