// What an agent's scores come to: a moving average, in doubles and unrounded, so that the same
// scores give the same standing to the last bit wherever they are folded.

export type StandingLevel = 'autonomous' | 'standard' | 'supervised' | 'strict' | 'suspended'

export interface StandingStep {
  /** Both from −1 to 1. */
  readonly before: number
  readonly after: number
  /** That of `after`. */
  readonly level: StandingLevel
}

export const standingStart = 0.7
/** How much of a new standing is the new score. */
export const standingAlpha = 0.3

/** Each begins above its bound; on the bound the level below holds. */
export const levelBounds: readonly (readonly [above: number, level: StandingLevel])[] = [
  [0.8, 'autonomous'],
  [0.6, 'standard'],
  [0.4, 'supervised'],
  [0.2, 'strict'],
]

export interface Scores {
  /** From 0 to 1. */
  readonly alpha: number
  /** From −1 to 1. */
  readonly start: number
  /** Finite, in order. */
  readonly scores: readonly number[]
}

/** A step for each score. */
export function replayStanding({ alpha, start, scores }: Scores): readonly StandingStep[] {
  const steps: StandingStep[] = []
  let before = start
  for (const score of scores) {
    const after = afterScore(before, { alpha, score })
    steps.push({ before, after, level: levelOf(after) })
    before = after
  }
  return steps
}

/** One step: the standing after that score. */
export function afterScore(before: number, { alpha, score }: Weighed): number {
  return clamped((1 - alpha) * before + alpha * score)
}

export interface Weighed {
  readonly alpha: number
  readonly score: number
}

function clamped(standing: number): number {
  return Math.min(1, Math.max(-1, standing))
}

/** NaN is above nothing, and so suspended. */
export function levelOf(standing: number): StandingLevel {
  return levelBounds.find(([above]) => standing > above)?.[1] ?? 'suspended'
}
