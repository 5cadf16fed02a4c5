// How a review stands, where it is not simply open: decided, expired, replaced, or not for this
// person. It is drawn before anyone clicks, and not said after.
import { besideLabels, deputyText, handedOverText } from '#present/console/beside-words'
import { answeredText, verdictText } from '#present/console/state-text'
import { cannotText, endedText } from '#present/console/problem-text'
import { labels } from '#present/console/labels'
import type { CardAnswer } from '#schemas/console/reviews'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Notice } from '../drawing/notice.tsx'

const toneOf = {
  open: 'calm',
  decided: 'calm',
  expired: 'warm',
  withdrawn: 'calm',
  replaced: 'warm',
} as const

export function CardState({ card }: { readonly card: CardAnswer }) {
  const { state, cannot, verdict, answers, handovers, deputies } = card
  return (
    <>
      {verdict !== null && (
        <Notice tone={verdict.data.outcome === 'allow' ? 'good' : 'bad'}>
          <p>
            <strong>{verdictText(verdict.data.outcome)}</strong>{' '}
            <MomentShown at={verdict.appendedAt} />
          </p>
        </Notice>
      )}
      {verdict === null && state !== 'open' && (
        <Notice tone={toneOf[state]}>{endedText(state)}</Notice>
      )}
      {state === 'open' && cannot !== null && <Notice tone="warm">{cannotText(cannot)}</Notice>}
      {handovers.length + deputies.length > 0 && (
        <section class="block answers" aria-label={labels.card.mayAnswer}>
          <ul>
            {handovers.map(({ from, to, at, note }) => (
              <li>
                <Hostile text={handedOverText({ from, to })} max={300} /> <MomentShown at={at} />
                {note !== null && (
                  <blockquote>
                    <Hostile text={note} max={600} />
                  </blockquote>
                )}
              </li>
            ))}
            {deputies.map((deputy) => (
              <li>
                <Hostile text={deputyText(deputy)} max={300} /> {besideLabels.browser.until}{' '}
                <MomentShown at={deputy.until} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {answers.length > 0 && (
        <section class="block answers" aria-label={labels.card.answered}>
          <ul>
            {answers.map(({ data, appendedAt, counts }) => (
              <li>
                {answeredText(data, counts)} <MomentShown at={appendedAt} />
                {data.note !== undefined && (
                  <blockquote>
                    <Hostile text={data.note} max={600} />
                  </blockquote>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
