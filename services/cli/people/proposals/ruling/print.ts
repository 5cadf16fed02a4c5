// What came of a ruling, for people and for programs: the revision of the graph, and whether each
// intent that waited went on, and to what.
import type { RulingWord } from '#schemas/learning'
import { listed } from '#record/quote'
import { waitsJson, waitsText } from '#present/story/waits'
import { shortIntent } from '#present/approving'
import type { Hints } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'
import { shortProposal } from '#operations/proposals/proposals'
import type { Settled } from '#cli/agents/ask/settled'

export interface FollowedIntent {
  readonly tool: string
  readonly settled: Settled
}

export interface CameOf {
  readonly ruling: RulingWord
  readonly by: string
  readonly revision: number | null
  /** Whether it still waits to be put into the graph. */
  readonly waits: boolean
  readonly intents: readonly FollowedIntent[]
  /** Proposals that the same intents wait for now. */
  readonly next: readonly { readonly id: string; readonly wanted: string }[]
}

export function cameOfLines(came: CameOf, hints: Hints): readonly Line[] {
  const more = came.next.map(({ id, wanted }) => {
    return `  asked next: ${wanted}   ${hints(`proposals show ${shortProposal(id)}`)}`
  })
  return [headLine(came, hints), ...came.intents.map(intentLine), ...more]
}

function headLine({ ruling, by, revision, waits }: CameOf, hints: Hints): Line {
  const signed = `${ruling} and signed by ${by}`
  if (ruling === 'skipped' || ruling === 'rejected') return signed
  if (revision !== null)
    return toned('good', `APPLIED  revision ${revision} of the graph, ${signed}`)
  const why = waits
    ? `not in the graph yet: is learning running? ${hints('up learning')}`
    : 'the graph has changed, so it cannot be applied; it is asked again if it is still missing'
  return toned('warn', `${signed}, but ${why}`)
}

function intentLine({ tool, settled }: FollowedIntent): Line {
  const what = `${tool}  (${shortIntent(settled.intent)})`
  if (settled.state === 'waits') {
    return toned('warn', `  OPEN    ${what}  it waits for ${waitsText(settled.waits)}`)
  }
  const { outcome, reasons } = settled.verdict
  if (outcome === 'allow') return toned('good', `  ALLOW   ${what}`)
  return toned(
    'bad',
    `  DENY    ${what}  ${listed([...new Set(reasons.map(({ code }) => code))], 'and')}`,
  )
}

export function followedJson({ tool, settled }: FollowedIntent): object {
  const { intent } = settled
  if (settled.state === 'waits') {
    return { intent, tool, outcome: null, waits: waitsJson(settled.waits) }
  }
  const { outcome, reasons, name } = settled.verdict
  return { intent, tool, outcome, verdict: name, reasons: reasons.map(({ code }) => code) }
}
