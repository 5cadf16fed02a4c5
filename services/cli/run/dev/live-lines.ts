// One line for each decision, as it comes: when, which agent, which tool with the argument that
// says most, how it came out, and why.
import { nameOf, partsInRealm } from '#record/names'
import { readData } from '#record/event'
import { foremostIn } from '#present/foremost'
import { inOneSentence } from '#present/wording'
import { questionText } from '#present/question-text'
import { reasonText } from '#present/reason-text'
import { grantIdOf } from '#present/story/grant'
import { callIn } from '#operations/finding/asked-for'
import type { Fact } from '#ports/log'
import type { Runtime } from '#runtime/engine/runtime'
import type { ReviewData } from '#schemas/review'
import type { VerdictData } from '#schemas/facts'
import { toned, type Line, type Tone } from '#cli/terminal/line'

interface Outcome {
  readonly word: string
  readonly tone: Tone
  readonly why: string
}

/** Null for a fact that decides nothing. */
export async function liveLine(runtime: Runtime, fact: Fact): Promise<Line | null> {
  const { realm } = runtime.place
  const parts = partsInRealm(fact.name, realm)
  if (parts?.address === null || parts?.address === undefined) return null
  const came = outcomeOf(parts.kind, fact)
  if (came === null) return null
  const name = nameOf({ realm, era: parts.place.era }, 'vlp', parts.address)
  const message = await runtime.log.get(name)
  const { agent, tool, args } = callIn(message ?? null, parts.address)
  const time = new Date(fact.appendedAt).toTimeString().slice(0, 8)
  const call = [tool ?? '(several)', ...foremostIn(args)].join(' ')
  const why = came.why === '' ? '' : `  ${came.why}`
  return toned(came.tone, `${time}  ${came.word.padEnd(5)}  ${agent}  ${call}${why}`)
}

function outcomeOf(kind: string, fact: Fact): Outcome | null {
  if (kind === 'review') return reviewOutcome(readData('review', fact))
  return kind === 'verdict' ? verdictOutcome(readData('verdict', fact)) : null
}

function reviewOutcome(review: ReviewData | null): Outcome | null {
  if (review === null) return null
  const { questions, confirmers } = review
  const asked = inOneSentence(questions.map((question) => questionText(question)))
  return { word: 'ASKS', tone: 'warn', why: `${confirmers.join(', ')}: ${asked}` }
}

function verdictOutcome(verdict: VerdictData | null): Outcome | null {
  if (verdict === null) return null
  const { outcome, reasons, release, grants = [] } = verdict
  if (outcome === 'deny') {
    const [first] = reasons
    const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : ''
    const why = first === undefined ? '' : `${reasonText(first)}${more}`
    return { word: 'DENY', tone: 'bad', why }
  }
  const by = release?.confirmedBy ?? []
  const agreed = by.length === 0 ? '' : `approved by ${by.join(', ')}`
  const rests = grants.length === 0 ? agreed : `by the grant ${grantIdOf(grants[0]?.grant ?? '')}`
  return { word: 'ALLOW', tone: 'good', why: rests }
}
