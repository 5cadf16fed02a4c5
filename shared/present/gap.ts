// A gap of a grounding in words: what is missing, and the least that closes it. Every text about
// gaps takes its sentences from here.
import { unreachable } from '#record/fault'
import { listed, quoted } from '#record/quote'
import { said } from './wording.ts'
import { levelNames, type Gap } from '#schemas/graph'

/**
 * One sentence without its full stop: what is missing, then the least that closes it; `means`: what
 * people have written of it.
 */
export function gapText(gap: Gap, means: string | null = null): string {
  const also = means === null ? '' : ` (${said(means)})`
  return `${quoted(lacking(gap))}${also} ${lacksText(gap)}: ${closingText(gap)}`
}

/** Such as `DEPTH of file`, for lists. */
export function gapName(gap: Gap): string {
  return `${gap.kind} of ${quoted(lacking(gap))}`
}

/** The name of what lacks something. */
export function lacking(gap: Gap): string {
  return gap.kind === 'RELATIONAL' ? gap.target : gap.primitive
}

/** What it lacks, after its name in a sentence. */
export function lacksText(gap: Gap): string {
  switch (gap.kind) {
    case 'EXISTENCE': {
      const { candidates = [] } = gap
      return candidates.length === 0
        ? 'is not in the graph'
        : `may mean ${listed(candidates, 'or')}`
    }
    case 'DEPTH':
      return shallowText(gap)
    case 'RELATIONAL':
      return `${shallowText(gap)} by ${quoted(gap.source)}`
    case 'REACHABILITY':
      return 'is not related to the rest of what was asked about'
    default:
      return unreachable(gap)
  }
}

export function closingText(gap: Gap): string {
  switch (gap.kind) {
    case 'EXISTENCE':
      return (gap.candidates ?? []).length === 0 ? 'add it' : 'name the one that is meant'
    case 'DEPTH':
    case 'RELATIONAL':
      return `describe it down to D${gap.required}`
    case 'REACHABILITY':
      return 'relate it, or ask about it separately'
    default:
      return unreachable(gap)
  }
}

interface Shortfall {
  readonly required: number
  readonly current: number | null
}

function shallowText({ required, current }: Shortfall): string {
  return `is known ${depthText(current)}, and ${levelText(required)} is needed`
}

/** How deeply something is known; null where nothing of it is described. */
export function depthText(level: number | null): string {
  return level === null ? 'by its name only' : `down to ${levelText(level)}`
}

/** The levels after `current`, down to `required`. */
export function levelsBetween(current: number | null, required: number): readonly number[] {
  const from = (current ?? -1) + 1
  return levelNames.map((_, level) => level).filter((level) => level >= from && level <= required)
}

/** Such as `D1 IDENTITY`. */
export function levelText(level: number): string {
  return `D${level} ${levelNames[level] ?? ''}`.trimEnd()
}

/** Such as `D1 IDENTITY and D2 CAPABILITIES`. */
export function levelsText(levels: readonly number[]): string {
  const names = levels.map(levelText)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
