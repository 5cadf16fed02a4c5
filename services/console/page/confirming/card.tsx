// The card of one review: at a glance what would happen, who asks and what is not known; the rest
// on demand. It is read again when something happens to its intent, and drawn as it is then.
import { useSignal, type Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { cardTexts } from '#present/console/card-text'
import { labels } from '#present/console/labels'
import type { CardAnswer } from '#schemas/console/reviews'
import { Failed } from '../drawing/notice.tsx'
import { linkTo } from '../shell/address.ts'
import { setServerTime } from '../shell/clock.ts'
import { onEvent } from '../shell/live.ts'
import { askServer, codeOf } from '../shell/requests.ts'
import { checkReview } from '../signing/challenge.ts'
import { Answering } from './answering.tsx'
import { CardBody } from './card-body.tsx'
import { CardState } from './card-state.tsx'

interface Reading {
  readonly card: Signal<CardAnswer | null>
  readonly problem: Signal<string | null>
}

/** What the server says is shown only if the record's digest covers it. */
async function readCard(intent: string, { card, problem }: Reading): Promise<void> {
  try {
    const answer = await askServer('card', '/reviews/{intent}', { in: { intent } })
    await checkReview(answer.review)
    setServerTime(answer.now)
    card.value = answer
    problem.value = null
  } catch (error) {
    problem.value = codeOf(error)
  }
}

/** On a phone there is no other way. */
function ToInbox() {
  return (
    <a class="back" href={linkTo(['inbox'])}>
      <span aria-hidden="true">←</span> {labels.views.inbox}
    </a>
  )
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
        <ToInbox />
        <Failed code={problem} onRetry={() => void read()} />
      </section>
    )
  }
  const texts = cardTexts(card)
  return (
    <article class="column card" aria-labelledby="card-title">
      <div class="scroll card-scroll">
        <ToInbox />
        {problem !== null && <Failed code={problem} onRetry={() => void read()} />}
        <CardState card={card} />
        <CardBody card={card} texts={texts} title={title} />
      </div>
      <Answering card={card} onChange={read} />
    </article>
  )
}
