// What few people need before they answer, folded away: who may answer, what a yes is bound to, the
// rules that passed, what is known, the digest that the answer will name, and the way to the rest.
import { useSignal } from '@preact/signals'
import type { ComponentChildren, FunctionComponent } from 'preact'
import { canonical, jsonOf } from '#record/canonical'
import { constraintTexts } from '#present/asking/constraint-text'
import { isPassed } from '#present/asking/policy-results'
import { labels } from '#present/console/labels'
import type { CardTexts } from '#present/console/card-text'
import type { CardAnswer } from '#schemas/console/reviews'
import type { Ground } from '#schemas/facts'
import { Hostile } from '../drawing/hostile.tsx'
import { linkTo } from '../shell/address.ts'
import { Loaded } from '../shell/loaded.tsx'
import { person } from '../shell/session.ts'

interface CardDetailsProps {
  readonly card: CardAnswer
  readonly texts: CardTexts
}

export function CardDetails({ card, texts }: CardDetailsProps) {
  const { review } = card
  const { terms } = review
  const passed = review.policies.filter(isPassed)
  const wasOpened = useSignal(false)
  const ground = card.grounding?.ground ?? null
  return (
    <details class="details" onToggle={() => (wasOpened.value = true)}>
      <summary>{labels.card.details}</summary>
      <dl class="facts">
        <Fact label={labels.card.asks}>
          {texts.who.map((line) => (
            <p>
              <Hostile text={line} max={300} />
            </p>
          ))}
        </Fact>
        <Fact label={labels.card.mayAnswer}>
          <Hostile text={review.confirmers.join(', ')} max={600} />
        </Fact>
        {passed.length > 0 && (
          <Fact label={labels.card.passed}>
            {passed.map(({ policy, source, target }) => (
              <p>
                <Hostile text={`${policy} on ${source} → ${target}`} max={300} />
              </p>
            ))}
          </Fact>
        )}
        <BoundTo texts={constraintTexts(terms.constraints)} />
        <Json label={labels.card.scope} value={terms.scope} />
        {wasOpened.value && ground !== null && (
          <Fact label={labels.card.known}>
            <Loaded load={() => knowledge(ground)} />
          </Fact>
        )}
        {review.gaps.length > 0 && <Json label={labels.card.gaps} value={review.gaps} />}
        <Code label={labels.card.intent} text={card.intent} />
        <Code label={labels.card.review} text={card.name} />
        <Code label={labels.card.shown} text={review.digest} />
        {review.log !== null && <Code label={labels.card.log} text={review.log} />}
      </dl>
      {person.value?.rights.includes('auditor') === true && (
        <p class="bunch">
          <a href={linkTo(['intents', card.intent])}>{labels.card.trace}</a>
          <a href={linkTo(['intents', card.intent, 'graph'])}>{labels.card.graph}</a>
        </p>
      )}
    </details>
  )
}

async function knowledge(ground: Ground): Promise<FunctionComponent> {
  const { GroundLines } = await import('../drawing/ground-lines.tsx')
  return () => <GroundLines ground={ground} />
}

interface FactProps {
  readonly label: string
  readonly children: ComponentChildren
}

function Fact({ label, children }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function BoundTo({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Fact label={labels.card.boundTo}>
      {texts.map((text) => (
        <p>
          <Hostile text={text} max={300} />
        </p>
      ))}
    </Fact>
  )
}

function Code({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Fact label={label}>
      <code>
        <Hostile text={text} max={800} />
      </code>
    </Fact>
  )
}

function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = canonical(jsonOf(value))
  return text === '{}' ? null : <Code label={label} text={text} />
}
