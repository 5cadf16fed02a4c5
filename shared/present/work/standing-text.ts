// Standings in words: values, levels, what a step was scored for, and how contracts end.
import type { scoreRules, contractEndings } from '#schemas/work/facts'
import type { StandingLevel } from '#rules/catalog/earned-standing'
import { endingText } from '../story/contract-story.ts'
import { counted } from '../wording.ts'

/** Such as `0.70` and `−0.25`. */
export function standingText(value: number): string {
  const text = Math.abs(value).toFixed(2)
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

const levelWords = {
  autonomous: 'Autonomous',
  standard: 'Standard',
  supervised: 'Supervised',
  strict: 'Strict',
  suspended: 'Suspended',
} as const satisfies Readonly<Record<StandingLevel, string>>

export function standingLevelText(level: StandingLevel): string {
  return levelWords[level]
}

const levelTones = {
  autonomous: 'good',
  standard: 'good',
  supervised: 'warm',
  strict: 'warm',
  suspended: 'bad',
} as const satisfies Readonly<Record<StandingLevel, string>>

export function levelTone(level: StandingLevel): 'good' | 'warm' | 'bad' {
  return levelTones[level]
}

const ruleWords = {
  schema_invalid: 'its report cannot be read',
  verified_first: 'verified at the first attempt',
  verified_retry: 'verified after retries',
  refuted: 'refuted',
  unverified: 'claimed, and not verified',
  blocked_with_need: 'blocked, and names what it needs',
  blocked_without_need: 'blocked, and names no need',
  failed_with_reason: 'failed, and says why',
  failed_without_reason: 'failed, and says no reason',
} as const satisfies Readonly<Record<(typeof scoreRules)[number], string>>

export function scoredText(scored: {
  readonly score: number
  readonly rule: (typeof scoreRules)[number]
}): string {
  return `Score ${standingText(scored.score)}: ${ruleWords[scored.rule]}`
}

export function probationText(left: number): string {
  return left === 0 ? 'none left' : `${counted(left, 'task')} left`
}

export function stepsBeforeText(before: number): string {
  return `${counted(before, 'scored task')} before those are in the log alone.`
}

/** How a contract ended, as a sentence. */
export function contractEndText(how: (typeof contractEndings)[number]): string {
  const text = endingText({ how })
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const unmoved = {
  no_claim: 'nothing was claimed',
  issuer_not_listed: 'its issuer was not listed any more',
  own_side: 'its issuer is of the side of its worker',
} as const

export function unmovedText(why: keyof typeof unmoved): string {
  return `It moved no standing: ${unmoved[why]}.`
}

/** Such as `1 of 3 attempts looked at, 1 waits`. */
export function attemptsText(of: {
  readonly looked: number
  readonly pending: number
  readonly attemptsMax: number
}): string {
  const { looked, pending, attemptsMax } = of
  const wait = pending === 0 ? '' : `, ${pending} ${pending === 1 ? 'waits' : 'wait'}`
  return `${looked} of ${counted(attemptsMax, 'attempt')} looked at${wait}`
}
