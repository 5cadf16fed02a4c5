// What stands on a card, in the order in which a person needs it: what, with what, who, why, and
// how long. Only what is rarely needed is folded away.
import type { Ref, ComponentChildren, FunctionComponent } from 'preact'
import { labels } from '#present/console/labels'
import type { CardTexts, QuestionTexts } from '#present/console/card-text'
import type { ArgumentRow } from '#present/console/argument-rows'
import type { CardAnswer } from '#schemas/console/reviews'
import { Hostile } from '../drawing/hostile.tsx'
import { Ago, Countdown } from '../drawing/moment.tsx'
import { WholeContents } from './whole-contents.tsx'
import { useSignal } from '@preact/signals'
import { canonical, jsonOf } from '#record/canonical'
import { constraintTexts } from '#present/asking/constraint-text'
import { isPassed } from '#present/asking/policy-results'
import type { Ground } from '#schemas/facts'
import { linkTo } from '../shell/address.ts'
import { Loaded } from '../shell/loaded.tsx'
import { person } from '../shell/session.ts'

interface CardBodyProps {
  readonly card: CardAnswer
  readonly texts: CardTexts
  readonly title: Ref<HTMLHeadingElement>
}

export function CardBody({ card, texts, title }: CardBodyProps) {
  return (
    <>
      <header class={`head card-${texts.weight}`}>
        <p class="quiet">
          <Hostile text={texts.lead} max={300} />
        </p>
        <h1 id="card-title" class="card-title" ref={title} tabIndex={-1}>
          <Hostile text={texts.title} max={120} />
        </h1>
        <p class="description">
          <Hostile text={texts.description} max={400} />
        </p>
        <p class="bunch">
          <span class={`weight weight-${texts.weight}`}>{texts.weightText}</span>
          {card.state === 'open' && (
            <span class="weight">
              {labels.card.left} <Countdown until={card.review.decideBy} />
            </span>
          )}
          {texts.sensitivity !== null && <span class="weight">{texts.sensitivity}</span>}
        </p>
      </header>
      <Warnings texts={texts} />
      <Arguments rows={texts.arguments} hasLast={card.lastApproved !== null} />
      <WholeContents key={card.review.digest} card={card} />
      <Questions questions={texts.questions} />
      <Reasons texts={texts} />
      {card.state === 'open' && <Clocks card={card} texts={texts} />}
      <CardDetails card={card} texts={texts} />
    </>
  )
}

function Warnings({ texts }: { readonly texts: CardTexts }) {
  if (texts.warnings.length === 0) return null
  return (
    <ul class="warnings">
      {texts.warnings.map((text) => (
        <li>
          <Hostile text={text} max={300} />
        </li>
      ))}
    </ul>
  )
}

interface ArgumentsProps {
  readonly rows: readonly ArgumentRow[]
  readonly hasLast: boolean
}

function Arguments({ rows, hasLast }: ArgumentsProps) {
  const differs = rows.some((row) => row.differs !== 'same')
  const compared = !hasLast
    ? labels.card.noneBefore
    : differs
      ? labels.card.comparedTo
      : labels.card.sameAsLast
  return (
    <section class="block">
      <h2>{rows.length === 0 ? labels.card.noArguments : labels.card.arguments}</h2>
      <dl class="framed lined arguments">
        {rows.map((row) => (
          <div class={`argument argument-${row.differs}`}>
            <dt>
              <Hostile text={row.label} max={120} />
              {row.differs === 'added' && hasLast && <span class="tag">{labels.card.added}</span>}
              {row.differs === 'removed' && <span class="tag">{labels.card.removed}</span>}
            </dt>
            <dd>
              <span class="value">
                <Hostile text={row.text} max={600} />
              </span>
              {row.before !== undefined && (
                <span class="before">
                  {labels.card.was} <Hostile text={row.before} max={200} />
                </span>
              )}
              {row.origins.map(({ tone, text }) => (
                <span class={`origin origin-${tone}`}>
                  <Hostile text={text} max={200} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p class="quiet small">{compared}</p>
    </section>
  )
}

function Questions({ questions }: { readonly questions: readonly QuestionTexts[] }) {
  return (
    <section class="block">
      <h2>{labels.card.questions}</h2>
      <ul class="stack">
        {questions.map(({ asks, rule, check }) => (
          <li>
            <p class="asks">
              <Hostile text={asks} max={1_000} />
            </p>
            {rule !== null && (
              <p class="quiet small">
                <Hostile text={rule} max={200} />
              </p>
            )}
            {check !== null && (
              <p class="quiet small">
                <Hostile text={check} max={400} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Reasons({ texts }: { readonly texts: CardTexts }) {
  const { goal, justification } = texts
  if (goal === null && justification === null) return null
  return (
    <section class="block">
      {justification !== null && (
        <>
          <h2>{labels.card.reason}</h2>
          <blockquote>
            <Hostile text={justification} max={600} />
          </blockquote>
        </>
      )}
      {goal !== null && (
        <>
          <h2>{labels.card.goal}</h2>
          <p>
            <Hostile text={goal} max={400} />
          </p>
        </>
      )}
    </section>
  )
}

function Clocks({ card, texts }: { readonly card: CardAnswer; readonly texts: CardTexts }) {
  return (
    <section class="clocks" aria-label={labels.card.decideClock}>
      <p>
        <span class="label">{labels.card.decideClock}</span>
        <Countdown until={card.review.decideBy} />
        <span class="quiet small">
          {labels.card.asked} <Ago at={card.openedAt} />
        </span>
      </p>
      <p>
        <span class="label">{labels.card.useClock}</span>
        <span class="countdown">{texts.useWithin}</span>
        <span class="quiet small">{texts.agreed}</span>
      </p>
    </section>
  )
}

// What few people need before they answer, folded away: who may answer, what a yes is bound to, the
// rules that passed, what is known, the digest that the answer will name, and the way to the rest.

interface CardDetailsProps {
  readonly card: CardAnswer
  readonly texts: CardTexts
}

function CardDetails({ card, texts }: CardDetailsProps) {
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
