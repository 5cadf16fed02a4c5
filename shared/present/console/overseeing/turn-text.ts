// What a change would turn, in words: for each intent from what to what, and why.
import type { Turned, TurnedTo } from '#schemas/console/turned'
import { counted, duration } from '../../wording.ts'

const outcomes = {
  allow: 'allowed',
  deny: 'denied',
  ask: 'asks people',
  hold: 'waits for learning',
  cannot_tell: 'cannot be known',
} as const

export function outcomeWord(outcome: TurnedTo['outcome']): string {
  return outcomes[outcome]
}

/** How a turn is drawn: good where more is refused is for no one to say, so by what comes out. */
export function outcomeTone(outcome: TurnedTo['outcome']): 'good' | 'bad' | 'warm' | 'calm' {
  if (outcome === 'allow') return 'good'
  if (outcome === 'deny') return 'bad'
  return outcome === 'ask' || outcome === 'cannot_tell' ? 'warm' : 'calm'
}

/** The codes, and the rules that refuse or ask. */
function turnWhy({ reasons, rules = [], questions }: TurnedTo): string {
  const asked = questions.map(({ kind, policy, rule }) => policy ?? rule ?? kind)
  return [...reasons, ...rules, ...asked].join(', ')
}

/** Such as `2 of 40 intents over 3 h would come out otherwise`. */
export function turnsText(of: {
  readonly tried: number
  readonly turned: number
  readonly spanMs: number
}): string {
  const { tried, turned, spanMs } = of
  if (tried === 0) return 'No recorded intent could be derived again, so nothing is known of it.'
  const over = spanMs > 0 ? ` over ${duration(spanMs)}` : ''
  const all = `the last ${counted(tried, 'intent')}${over}`
  if (turned === 0) return `Of ${all}, each would come out the same.`
  return `Of ${all}, ${turned} would come out otherwise.`
}

export function unsureText(unsure: number): string {
  return `Of ${counted(unsure, 'intent')} no one can know: a check may answer otherwise next time.`
}

export function unableText(unable: number): string {
  return `${counted(unable, 'intent')} could not be derived again.`
}

/** A group of turns alike: from, to, and how many. */
export interface TurnGroup {
  readonly from: TurnedTo['outcome'] | null
  readonly to: TurnedTo['outcome']
  readonly why: string
  readonly all: readonly Turned[]
}

/** Those alike together, the most frequent first. */
export function turnGroups(turned: readonly Turned[]): readonly TurnGroup[] {
  const groups = new Map<string, TurnGroup & { readonly all: Turned[] }>()
  for (const one of turned) {
    const from = one.before?.outcome ?? null
    const to = one.after.outcome
    const why = turnWhy(one.after)
    const key = JSON.stringify([from, to, why])
    const group = groups.get(key) ?? { from, to, why, all: [] }
    group.all.push(one)
    groups.set(key, group)
  }
  return [...groups.values()].toSorted((one, other) => other.all.length - one.all.length)
}
