// What stands on a card, in the order in which a person needs it: what, with what, who, why, and
// how long. Only what is rarely needed is folded away.
import type { Ref, ComponentChildren, FunctionComponent } from 'preact'
import { useSignal } from '@preact/signals'
import { labels } from '#present/console/labels'
import { comparedText, type CardTexts, type QuestionTexts } from '#present/console/card-text'
import { argumentGroups, type ArgumentRow } from '#present/console/argument-rows'
import type { CardAnswer, ContentsAnswer } from '#schemas/console/reviews'
import { canonical, jsonOf } from '#record/canonical'
import { constraintTexts } from '#present/asking/constraint-text'
import { isPassed } from '#present/asking/policy-results'
import type { Ground } from '#schemas/facts'
import { wholeDigest } from '#shell/hooks/whole-digest'
import { Details, Section, TextList } from '../drawing/texts.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Ago, Countdown, MomentShown } from '../drawing/moment.tsx'
import { linkTo } from '../shell/address.ts'
import { Loaded } from '../shell/loaded.tsx'
import { hasRight, person } from '../shell/session.ts'
import { Button } from '../drawing/button.tsx'
import { Failed, Empty } from '../drawing/notice.tsx'
import { useDoing } from '../shell/doing.ts'
import { askServer } from '../shell/requests.ts'
import { digestOfText } from '../signing/challenge.ts'
import { useEffect } from 'preact/hooks'
import { titleOf } from '#present/console/name-words'
import { endedText } from '#present/console/problem-text'
import type { LogPositions } from '#schemas/console/positions'
import type { PastReview } from '#schemas/operations/reviews'

interface CardBodyProps {
  readonly card: CardAnswer
  readonly texts: CardTexts
  readonly title: Ref<HTMLHeadingElement>
}

export function CardBody({ card, texts, title }: CardBodyProps) {
  return (
    <>
      <header class={`head card-${texts.weight}`}>
        <Hostile in="p" class="quiet" text={texts.lead} max={300} />
        <h1 id="card-title" class="card-title" ref={title} tabIndex={-1}>
          <Hostile text={texts.title} max={120} />
        </h1>
        <Hostile in="p" class="description" text={texts.description} max={400} />
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

export function Warnings({ texts }: { readonly texts: CardTexts }) {
  if (texts.warnings.length === 0) return null
  return (
    <ul class="warnings">
      <TextList texts={texts.warnings} max={300} />
    </ul>
  )
}

interface ArgumentsProps {
  readonly rows: readonly ArgumentRow[]
  readonly hasLast: boolean
}

function Arguments({ rows, hasLast }: ArgumentsProps) {
  return (
    <Section title={rows.length === 0 ? labels.card.noArguments : labels.card.arguments}>
      <ArgumentList rows={rows} hasLast={hasLast} />
      <p class="quiet small">{comparedText(rows, hasLast)}</p>
    </Section>
  )
}

/** Each with what it was in the last call, and where its values are from. */
export function ArgumentList({ rows, hasLast }: ArgumentsProps) {
  return (
    <>
      {argumentGroups(rows).map(({ title, rows: of }) => (
        <>
          {title !== '' && <Hostile in="h3" class="group" text={title} max={120} />}
          <dl class="framed lined arguments">
            {of.map((row) => (
              <div class={`argument argument-${row.differs}`}>
                <dt>
                  <Hostile text={row.label} max={120} />
                  {row.differs === 'added' && hasLast && (
                    <span class="tag">{labels.card.added}</span>
                  )}
                  {row.differs === 'removed' && <span class="tag">{labels.card.removed}</span>}
                </dt>
                <dd>
                  <Hostile in="span" class="value" text={row.text} max={600} />
                  {row.before !== undefined && (
                    <span class="before small">
                      {labels.card.was} <Hostile text={row.before} max={200} />
                    </span>
                  )}
                  {row.origins.map(({ tone, text }) => (
                    <Hostile in="span" class={`origin origin-${tone}`} text={text} max={200} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </>
      ))}
    </>
  )
}

function Questions({ questions }: { readonly questions: readonly QuestionTexts[] }) {
  return (
    <Section title={labels.card.questions}>
      <ul class="stack">
        {questions.map(({ asks, rule, check }) => (
          <li>
            <Hostile in="p" class="asks" text={asks} max={1_000} />
            {rule !== null && <Hostile in="p" class="quiet small" text={rule} max={200} />}
            {check !== null && <Hostile in="p" class="quiet small" text={check} max={400} />}
          </li>
        ))}
      </ul>
    </Section>
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
          <Hostile in="blockquote" text={justification} max={600} />
        </>
      )}
      {goal !== null && (
        <>
          <h2>{labels.card.goal}</h2>
          <Hostile in="p" text={goal} max={400} />
        </>
      )}
    </section>
  )
}

function Clocks({ card, texts }: { readonly card: CardAnswer; readonly texts: CardTexts }) {
  return (
    <section class="clocks" aria-label={labels.card.decideClock}>
      <p class="framed tight">
        <span class="label">{labels.card.decideClock}</span>
        <Countdown until={card.review.decideBy} />
        <span class="quiet small">
          {labels.card.asked} <Ago at={card.openedAt} />
        </span>
      </p>
      <p class="framed tight">
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
  const bound = constraintTexts(review.terms.constraints, review.shown.safetyClass)
  const passed = review.policies
    .filter(isPassed)
    .map(({ policy, source, target }) => `${policy} on ${source} → ${target}`)
  const wasOpened = useSignal(false)
  const ground = card.grounding?.ground ?? null
  return (
    <Details label={labels.card.details} onToggle={() => (wasOpened.value = true)}>
      <dl class="facts stack">
        <Fact label={labels.card.asks}>
          <TextList texts={texts.who} max={300} in="p" />
        </Fact>
        <Fact label={labels.card.mayAnswer}>
          <Hostile text={review.confirmers.join(', ')} max={600} />
        </Fact>
        <Facts label={labels.card.passed} texts={passed} />
        <Facts label={labels.card.boundTo} texts={bound} />
        <Json label={labels.card.scope} value={review.terms.scope} />
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
      {hasRight('auditor') && (
        <p class="bunch">
          <a href={linkTo(['intents', card.intent])}>{labels.card.trace}</a>
          <a href={linkTo(['intents', card.intent, 'graph'])}>{labels.card.graph}</a>
        </p>
      )}
    </Details>
  )
}

/** What had to be known, how deeply it is, and what is missing, as the grounding found it. */
async function knowledge(ground: Ground): Promise<FunctionComponent> {
  const { treeText } = await import('#present/grounding-tree')
  return () => <Hostile in="pre" class="tree small" text={treeText(ground)} max={4_000} />
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

function Facts({ label, texts }: { readonly label: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Fact label={label}>
      <TextList texts={texts} max={300} in="p" />
    </Fact>
  )
}

function Code({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Fact label={label}>
      <Hostile in="code" text={text} max={800} />
    </Fact>
  )
}

function Json({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = canonical(jsonOf(value))
  return text === '{}' ? null : <Code label={label} text={text} />
}

// All of what a call would write, where its arguments have the beginning alone. It is shown only if
// it is what the digest among these arguments covers, which the answer will be signed for.

function WholeContents({ card }: { readonly card: CardAnswer }) {
  const answer = useSignal<ContentsAnswer | null>(null)
  const { problem, run } = useDoing()
  const digest = wholeDigest(card.review.terms.args)
  if (digest === null) return null
  const read = async (): Promise<void> => {
    const asked = { in: { intent: card.intent } }
    const given = await askServer('contents', '/inbox/{intent}/contents', asked)
    answer.value = await checked(given, digest)
  }
  const onRead = () => void run(read)
  const { is, text } = answer.value ?? { is: null, text: null }
  return (
    <section class="block">
      {is === null && <Button is="text" label={labels.card.showWhole} onPress={onRead} />}
      {problem !== null && <Failed code={problem} onRetry={onRead} />}
      {text !== null && (
        <>
          <h2>{labels.card.whole}</h2>
          <Hostile in="pre" class="whole-contents" text={text} max={20_000} />
        </>
      )}
      {is === 'gone' && <output>{labels.card.wholeGone}</output>}
      {is === 'changed' && <p role="alert">{labels.card.wholeChanged}</p>}
    </section>
  )
}

async function checked(answer: ContentsAnswer, digest: string): Promise<ContentsAnswer> {
  const isIt = answer.text === null || (await digestOfText(answer.text)) === digest
  return isIt ? answer : { is: 'changed', text: null }
}

// What was answered, expired or withdrawn: nothing that was asked ever disappears.

export function Past() {
  const found = useSignal<readonly PastReview[] | null>(null)
  const next = useSignal<LogPositions | null>(null)
  const { problem, run } = useDoing()
  const read = async (cursor: LogPositions | null): Promise<void> => {
    const mine = { person: person.value?.id ?? '' }
    const query = { ...mine, ...(cursor !== null && { cursor: String(cursor) }) }
    const answer = await askServer('pastReviews', '/past-reviews', { query })
    found.value = [...(cursor === null ? [] : (found.value ?? [])), ...answer.rows]
    next.value = answer.next
  }
  const readFrom = (cursor: LogPositions | null) => void run(() => read(cursor))
  useEffect(() => readFrom(null), [])
  return (
    <section class="pane">
      <h1>{labels.views.past}</h1>
      {problem !== null && <Failed code={problem} onRetry={() => readFrom(null)} />}
      {found.value?.length === 0 && <Empty title={labels.past.empty} lead={labels.past.lead} />}
      <ul class="framed lined past">
        {found.value?.map((row) => (
          <li>
            <a class="link ends past-line" href={linkTo(['reviews', row.intent])}>
              <span class="grow tight">
                <span class="one-line line-title">
                  <Hostile text={titleOf(row.tool)} max={60} isBrief />
                </span>
                <span class={`ended ended-${row.ended}`}>{endedText(row.ended)}</span>
                <Hostile in="span" class="quiet" text={row.agent} max={40} isBrief />
              </span>
              <span class="fixed quiet">
                <MomentShown at={row.endedAt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {next.value !== null && <Button label={labels.more} onPress={() => readFrom(next.value)} />}
    </section>
  )
}
