// The card of one review: at a glance what would happen, who asks and what is not known; the rest
// on demand. It is read again when something happens to its intent, and drawn as it is then.
import { useSignal, type Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { cardTexts } from '#present/console/card-text'
import { labels } from '#present/console/labels'
import type { CardAnswer } from '#schemas/console/reviews'
import { besideLabels, deputyText, handedOverText } from '#present/console/beside-words'
import { answeredText, verdictText } from '#present/console/state-text'
import { cannotText, endedText } from '#present/console/problem-text'
import { Failed, Notice } from '../drawing/notice.tsx'
import { linkTo } from '../shell/address.ts'
import { onEvent } from '../shell/live.ts'
import { askServer, codeOf } from '../shell/requests.ts'
import { checkReview } from '../signing/challenge.ts'
import { Answering } from './answering.tsx'
import { CardBody } from './card-body.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { BackToList } from '../drawing/ways.tsx'

// How a review stands, where it is not simply open: decided, expired, replaced, or not for this
// person. It is drawn before anyone clicks, and not said after.

const toneOf = {
  open: 'calm',
  decided: 'calm',
  expired: 'warm',
  withdrawn: 'calm',
  replaced: 'warm',
} as const

function CardState({ card }: { readonly card: CardAnswer }) {
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
                {note !== null && <Hostile in="blockquote" text={note} max={600} />}
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
                {data.note !== undefined && <Hostile in="blockquote" text={data.note} max={600} />}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface Reading {
  readonly card: Signal<CardAnswer | null>
  readonly problem: Signal<string | null>
}

/** What the server says is shown only if the record's digest covers it. */
async function readCard(intent: string, { card, problem }: Reading): Promise<void> {
  try {
    const answer = await askServer('card', '/inbox/{intent}', { in: { intent } })
    await checkReview(answer.review)
    card.value = answer
    problem.value = null
  } catch (error) {
    problem.value = codeOf(error)
  }
}

export function ReviewCard({ intent }: { readonly intent: string }) {
  const reading = {
    card: useSignal<CardAnswer | null>(null),
    problem: useSignal<string | null>(null),
  }
  const title = useRef<HTMLHeadingElement>(null)
  const read = (): Promise<void> => readCard(intent, reading)
  useEffect(() => {
    void read().then(() => title.current?.focus())
    return onEvent((event) => {
      // Who may not read all of the log learns only that something happened.
      if (event?.intent === undefined || event.intent === intent) void read()
    })
  }, [intent])
  const card = reading.card.value
  const problem = reading.problem.value
  if (card === null) {
    if (problem === null) return <p class="loading">{labels.loading}</p>
    return (
      <section class="scroll card-scroll">
        <BackToList to={linkTo(['inbox'])} label={labels.views.inbox} />
        <Failed code={problem} onRetry={() => void read()} />
      </section>
    )
  }
  const texts = cardTexts(card)
  return (
    <article class="column card" aria-labelledby="card-title">
      <div class="scroll card-scroll">
        <BackToList to={linkTo(['inbox'])} label={labels.views.inbox} />
        {problem !== null && <Failed code={problem} onRetry={() => void read()} />}
        <CardState card={card} />
        <CardBody card={card} texts={texts} title={title} />
      </div>
      <Answering card={card} onChange={read} />
    </article>
  )
}
