// A review with all that a person needs: the call, who asks and why, what is known, the questions,
// until when, and how to answer.
import { questionText } from '#present/question-text'
import { duration, said, utc } from '#present/wording'
import type { ReviewData } from '#schemas/facts'
import { approving, shortIntent, type Hints } from './hint.ts'
import { jsonLines } from './json-lines.ts'
import { indented, toned, type Line } from './line.ts'

export interface ShownReview {
  /** The address of the intent. */
  readonly intent: string
  readonly name: string
  readonly openedAt: number
  readonly review: ReviewData
  /** What is known of what it asks about, in lines. */
  readonly known: string
  /** Who has answered so far. */
  readonly answered?: readonly string[]
}

const labelWidth = 12

export function reviewLines(shown: ShownReview, now: number, hints: Hints): readonly Line[] {
  const { intent, openedAt, review, known, answered = [] } = shown
  const { shown: call, questions, digest, decideBy } = review
  const short = shortIntent(intent)
  const takesReason = questions.some(({ kind }) => kind === 'justification')
  const left = Date.parse(decideBy) - now
  const until = left < 0 ? 'the time is over' : `${duration(left)} left, until ${utc(decideBy)}`
  const asker = call.owner === null ? 'nobody’s agent' : `the agent of ${call.owner}`
  return [
    toned('warn', `REVIEW ${short}  ${call.tool} for ${call.agent}`),
    row('opened', `${duration(Math.max(0, now - openedAt))} ago; ${until}`),
    row('call', `${call.tool} (${call.safetyClass}) ${call.description}`),
    ...block('with', jsonLines(call.args)),
    row('asks', `${call.agent}, ${asker}`),
    ...(call.goal === null ? [] : [row('goal', said(call.goal))]),
    row('reason', call.justification === null ? 'none given' : said(call.justification)),
    ...questions.map((question, index) => row(`question ${index + 1}`, questionText(question))),
    row('may answer', whoText(review)),
    ...(answered.length === 0 ? [] : [row('answered', answered.join(', '))]),
    ...block('known', known),
    toned('dim', row('shown', digest)),
    toned('dim', row('intent', intent)),
    row('answer', hints(approving(intent, takesReason))),
    row('', hints(`decline ${short}`)),
  ]
}

function whoText({ tier, confirmers, quorum, excluded }: ReviewData): string {
  const names = confirmers.join(', ')
  if (tier === 'confirm') return `${names}, its owner`
  const others = excluded.length === 0 ? '' : ` (not ${excluded.join(', ')}: on the agent’s side)`
  return `${quorum} of ${names}${others}`
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}${text}`
}

function block(label: string, text: string): readonly Line[] {
  const [first = '', ...rest] = text.split('\n')
  return [row(label, first), ...rest.flatMap((line) => indented(line, labelWidth + 2))]
}

/** The review as a program gets it. */
export function reviewJson({ intent, name, openedAt, review, known }: ShownReview): unknown {
  return { intent, name, openedAt: new Date(openedAt).toISOString(), review, known }
}
