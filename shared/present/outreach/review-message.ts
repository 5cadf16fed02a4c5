// What people are sent about a review: who asks, what for, until when. All of it may be hostile,
// and nothing in it is hidden; arguments stand in it only where the catalog lets them.
import { canonical } from '#record/canonical'
import { short, visible } from '#record/quote'
import type { NotificationStep } from '#schemas/outreach/notification'
import type { ReviewData } from '#schemas/review'
import { utc } from '../wording.ts'

export interface MessageText {
  readonly subject: string
  readonly lines: readonly string[]
}

const nameCharactersMax = 80
const argsCharactersMax = 500

/** In quotation marks that no name can end, and on one line. */
function named(text: string): string {
  return `“${visible(short(text, nameCharactersMax).replaceAll(/[“”]/g, '"'))}”`
}

const subjects = {
  asked: (what: string) => `Review: ${what}`,
  reminder: (what: string) => `Reminder, not decided yet: ${what}`,
  escalated: (what: string) => `Not decided yet: ${what}`,
} as const satisfies Readonly<Record<NotificationStep, (what: string) => string>>

export function reviewMessage({
  review,
  step,
  for: absent,
  showsArgs,
}: {
  readonly review: Pick<ReviewData, 'intent' | 'terms' | 'shown' | 'decideBy' | 'confirmers'>
  readonly step: NotificationStep
  readonly for: string | null
  readonly showsArgs: boolean
}): MessageText {
  const { intent, terms, shown, decideBy, confirmers } = review
  const [agent, what] = [named(intent.agent), named(terms.capability)]
  const until = utc(Date.parse(decideBy))
  const owner = shown.owner === null ? '' : `, which belongs to ${named(shown.owner)},`
  const others = [terms.subject, terms.chain?.[0]].filter((id) => id !== undefined)
  const onBehalf = others.map((id) => ` It asks on behalf of ${named(id)}.`)
  const who = confirmers.map(named).join(', ')
  return {
    subject: subjects[step](`${agent} asks for ${what}, until ${until}`),
    lines: [
      `The agent ${agent}${owner} asks for ${what}.${onBehalf.join('')}`,
      ...(absent === null ? [] : [`You are asked as the deputy of ${named(absent)}, who is away.`]),
      ...(step === 'escalated' ? [`Asked are ${who}; not enough of them have answered yet.`] : []),
      ...(showsArgs ? [`Arguments: ${argsText(terms.args)}`] : []),
      `It can be answered until ${until}. Without an answer it is refused.`,
      'The link opens it and gives no right: who may answer signs in there.',
    ],
  }
}

function argsText(args: ReviewData['terms']['args']): string {
  return visible(short(canonical(args), argsCharactersMax))
}

/** What a person is sent to see whether a channel works. */
export function trialMessage(person: string): MessageText {
  return {
    subject: `Trial: ${named(person)} is reached here`,
    lines: ['This shows that the channel works. There is nothing to do.'],
  }
}
