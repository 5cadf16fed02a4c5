// What a level of standing does by itself, and what the catalog makes of it instead.
import type { LevelRule, ruledLevels, WorkRules } from '#schemas/work/settings'
import type { StandingLevel } from '#rules/catalog/earned-standing'

type RuledLevel = (typeof ruledLevels)[number]

/** Who is trusted less is asked more; no level lets through what another rule refuses. */
const levelRules: Readonly<Record<RuledLevel, LevelRule>> = {
  autonomous: {},
  standard: {},
  supervised: { confirm: [{ safetyClass: 'WRITE' }, { safetyClass: 'DESTRUCTIVE' }] },
  strict: { confirm: [{ safetyClass: 'WRITE' }], refuse: [{ safetyClass: 'DESTRUCTIVE' }] },
}

export type RuledCall = NonNullable<LevelRule['refuse']>[number]

export function levelRule({ levels }: WorkRules, level: RuledLevel): LevelRule {
  return levels?.[level] ?? levelRules[level]
}

interface Called {
  readonly id: string
  readonly safetyClass: string
}

export function isRuled(calls: readonly RuledCall[] | undefined, called: Called): boolean {
  return (calls ?? []).some((call) => {
    if ('capability' in call) return call.capability === called.id
    return call.safetyClass === called.safetyClass
  })
}

const ranks: readonly StandingLevel[] = [
  'autonomous',
  'standard',
  'supervised',
  'strict',
  'suspended',
]

/** The one that is trusted less. */
export function lesserLevel(one: StandingLevel, other: StandingLevel): StandingLevel {
  return ranks.indexOf(one) >= ranks.indexOf(other) ? one : other
}
