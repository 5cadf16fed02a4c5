// What came of a ruling, for people and for programs: the revision of the graph, and whether each
// intent that waited went on, and to what.
import type { RulingWord } from '#schemas/learning'
import { listed } from '#core/judge/quote'
import type { Waits } from '#core/story/waits'
import type { Verdict } from '#services/client/verdict'
import { shortIntent, type Hints } from './hint.ts'
import { toned, type Line } from './line.ts'

export interface FollowedIntent {
  readonly intent: string
  readonly tool: string
  /** Null where nobody can tell. */
  readonly settled:
    | { readonly state: 'verdict'; readonly verdict: Verdict }
    | { readonly state: 'waits'; readonly waits: Waits }
    | null
}

export interface CameOf {
  readonly ruling: RulingWord
  readonly by: string
  readonly revision: number | null
  readonly intents: readonly FollowedIntent[]
  /** Proposals that the same intents wait for now. */
  readonly next: readonly { readonly id: string; readonly wanted: string }[]
}

export function cameOfLines({ ruling, by, revision, intents, next }: CameOf, hints: Hints) {
  const isAgreement = ruling === 'accepted' || ruling === 'modified'
  const head =
    revision !== null
      ? toned('good', `TAUGHT  revision ${revision} of the graph, ${ruling} and signed by ${by}`)
      : isAgreement
        ? toned('warn', `${ruling} and signed by ${by}, but not in the graph: is learning running?`)
        : `${ruling} and signed by ${by}`
  const more = next.map(({ id, wanted }) => {
    return `  then wanted: ${wanted}   ${hints(`proposals show ${id.slice(-8)}`)}`
  })
  return [head, ...intents.map((one) => intentLine(one)), ...more]
}

function intentLine({ intent, tool, settled }: FollowedIntent): Line {
  const what = `${tool}  (${shortIntent(intent)})`
  if (settled === null) return toned('dim', `  ?       ${what}`)
  if (settled.state === 'waits') {
    return toned('warn', `  OPEN    ${what}  it waits for ${settled.waits.text}`)
  }
  const { outcome, reasons } = settled.verdict
  if (outcome === 'allow') return toned('good', `  ALLOW   ${what}`)
  return toned(
    'bad',
    `  DENY    ${what}  ${listed([...new Set(reasons.map(({ code }) => code))], 'and')}`,
  )
}

export function followedJson({ intent, tool, settled }: FollowedIntent): object {
  if (settled === null) return { intent, tool, outcome: null }
  if (settled.state === 'waits') return { intent, tool, outcome: null, waits: settled.waits }
  const { outcome, reasons, name } = settled.verdict
  return { intent, tool, outcome, verdict: name, reasons: reasons.map(({ code }) => code) }
}
