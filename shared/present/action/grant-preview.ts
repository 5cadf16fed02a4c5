// What a grant would have let through, in lines for the person who is about to sign it.
import type { GrantPreview, WouldFit } from '#schemas/action/grant'
import type { Question } from '#schemas/review'
import { shortIntent } from '../approving.ts'
import { questionText } from '../question-text.ts'
import { foremostIn } from '../foremost.ts'
import { counted, utc } from '../wording.ts'

export function grantPreviewLines(
  { days, asked, first, fits, declined, beyond, amount, quorum, warnings }: GrantPreview,
  askedStill: readonly Question[] = [],
): readonly string[] {
  const within = fits - beyond
  const sum = amount === null ? '' : `, which come to ${amount}`
  const had = `of ${counted(asked, 'call')} that people were asked about in the last ${days} days`
  return [
    `  would have let through ${within} ${had}${sum}`,
    ...(beyond > 0 ? [`  and ${beyond} more that fit, had it not been used up by then`] : []),
    ...(declined > 0 ? [`  WARNING: people declined ${declined} of those that fit`] : []),
    ...first.map(fittedLine),
    ...(fits > first.length ? [`    and ${fits - first.length} more`] : []),
    ...(quorum > 1 ? [`  each needs ${quorum} people: it counts beside the grants of others`] : []),
    ...askedStill.map((question) => `  still asked each time: ${questionText(question)}`),
    ...warnings.map((warning) => `  WARNING: ${warningText[warning]}`),
  ]
}

const warningText = {
  reads_nothing: 'the condition reads nothing of the call, so every call fits it',
  own_words: 'the condition reads only what the agent itself says of its intent',
  all_fit: 'every call that people were asked about fits: the condition may leave nothing out',
} as const

function fittedLine({ intent, agent, askedAt, args, outcome, declined, beyond }: WouldFit): string {
  const came = declined ? 'declined' : outcome === null ? 'open' : outcome
  const over = beyond ? ', beyond it' : ''
  const members = typeof args === 'object' && args !== null ? { ...args } : {}
  const call = foremostIn(members).join(' ')
  return `    ${utc(askedAt)}  ${shortIntent(intent)}  ${agent}  ${call}  (${came}${over})`
}
