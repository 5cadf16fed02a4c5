// One intent: what came of it in a line, and the ways to look at it. Which way, and as of which
// moment, stands in the address, so that each is a link.
import { auditLabels } from '#present/auditing/audit-labels'
import { filtersIn, queryOfFilters } from '#present/auditing/filters'
import { labels } from '#present/console/labels'
import { standingLabels } from '#present/work/standing-labels'
import { pictureOfGround } from '#present/picture/of-ground'
import type { Picture } from '#present/picture/picture'
import type { TraceShown, TraceStep } from '#schemas/operations/traces'
import { duration } from '#present/wording'
import { momentText } from '#schemas/console/positions'
import { traceAddress, traceTemplate } from '#present/auditing/trace-id'
import { BackToList, Ways } from '../../drawing/ways.tsx'
import { Hostile, MarkedText } from '../../drawing/hostile.tsx'
import { useInView } from '../../drawing/in-view.ts'
import { Failed, Empty, Notice } from '../../drawing/notice.tsx'
import { linkTo, place, goTo } from '../../shell/address.ts'
import { linkToStanding } from '../../standings/links.ts'
import { DeriveView } from '../deriving/derive-view.tsx'
import { useReading } from '../../operating/room.tsx'
import { intentSeen, type IntentSeen } from './story-read.ts'
import { NoteDown } from './note.tsx'
import { AroundConcept } from '../picturing/around.tsx'
import { PictureView } from '../picturing/picture-view.tsx'
import { Exact } from '../../drawing/moment.tsx'
import { person } from '../../shell/session.ts'
import { canonical } from '#record/canonical'
import type { WhyShown } from '#present/auditing/why-shown'
import { LeafShown, Section } from '../../drawing/texts.tsx'

// Links to one intent, each to a way of looking at it.

const storyTabs = ['timeline', 'graph', 'why', 'derive'] as const
type StoryTab = (typeof storyTabs)[number]

/** Otherwise looked at; the moment, and the filters by which one came, stay as they are. */
function linkToIntent(
  intent: string,
  tab: StoryTab,
  more: Readonly<Record<string, string>> = {},
): string {
  const at = place.value.query.get('at')
  const query = { ...queryOfFilters(filtersIn(place.value.query)), ...(at !== undefined && { at }) }
  return linkTo(['intents', intent, ...(tab === 'timeline' ? [] : [tab])], { ...query, ...more })
}

// The graph as of a moment of the story: what the intent was judged by, as its grounding recorded
// it, or what lay around one concept then.

interface StoryGraphProps {
  readonly intent: string
  readonly read: IntentSeen
}

function StoryGraph({ intent, read }: StoryGraphProps) {
  const { query } = place.value
  const around = query.get('around')
  const at = query.get('at') ?? read.groundedAt
  const linkOf = (concept: string): string => {
    return linkToIntent(intent, 'graph', { around: concept, ...(at !== null && { at }) })
  }
  return (
    <section>
      <Ways
        as="bunch filters"
        label={auditLabels.story.tabs.graph}
        ways={[
          {
            label: auditLabels.picture.ground,
            to: linkToIntent(intent, 'graph'),
            isHere: around === undefined,
          },
          ...conceptsOf(read).map((concept) => {
            return { label: concept, to: linkOf(concept), isHere: around === concept }
          }),
        ]}
      />
      {around === undefined ? (
        <Ground read={read} linkOf={linkOf} />
      ) : (
        <AroundConcept
          concept={around}
          steps={query.get('steps') ?? '1'}
          at={at}
          linkOf={linkOf}
          onSteps={(steps) => {
            const more = { ...Object.fromEntries(query), steps }
            goTo(['intents', intent, 'graph'], more)
          }}
        />
      )}
    </section>
  )
}

const conceptsShownMax = 12

function conceptsOf({ grounding }: IntentSeen): readonly string[] {
  const ground = grounding?.ground ?? null
  return ground === null ? [] : ground.resolved.slice(0, conceptsShownMax)
}

interface GroundProps {
  readonly read: IntentSeen
  readonly linkOf: (concept: string) => string
}

function Ground({ read: { grounding }, linkOf }: GroundProps) {
  const ground = grounding?.ground ?? null
  if (grounding === null || ground === null) {
    return <Empty title={auditLabels.picture.noGround} lead="" />
  }
  let picture: Picture
  try {
    picture = pictureOfGround(ground)
  } catch {
    return <Notice tone="calm">{auditLabels.picture.many}</Notice>
  }
  return (
    <>
      <p class="quiet small">
        {auditLabels.why.shape.graph}{' '}
        <a href={linkTo(['graph'], { at: `r${grounding.graphRevision}` })}>
          r{grounding.graphRevision}
        </a>
      </p>
      <PictureView picture={picture} linkOf={linkOf} />
    </>
  )
}

export function IntentView({ intent }: { readonly intent: string }) {
  const reading = useReading(
    intent,
    () => intentSeen(intent),
    (event) => event?.intent === intent,
  )
  const { value: read, problem, again } = reading
  const back = linkTo(['log'], queryOfFilters(filtersIn(place.value.query)))
  return (
    <div class="scroll">
      <div class="story">
        <BackToList to={back} label={auditLabels.views.log} />
        {problem !== null && <Failed code={problem} onRetry={() => void again()} />}
        {read === null ? (
          <>
            <h1 class="unseen">{auditLabels.story.title}</h1>
            {problem === null && <p class="loading">{labels.loading}</p>}
          </>
        ) : (
          <StoryView intent={intent} read={read} />
        )}
      </div>
    </div>
  )
}

interface StoryViewProps {
  readonly intent: string
  readonly read: IntentSeen
}

function StoryView({ intent, read }: StoryViewProps) {
  const { answer, agent, standsBy, trace } = read
  const [, , named] = place.value.path
  const tab = storyTabs.find((one) => one === named) ?? 'timeline'
  const evidence = `/console/api/intents/${encodeURIComponent(intent)}/evidence`
  return (
    <article aria-labelledby="story-title">
      <header class="head">
        <p>
          <span class={`verdict verdict-${answer.outcome}`}>
            {auditLabels.story.outcome[answer.outcome]}
          </span>
        </p>
        <h1 id="story-title">
          <MarkedText text={answer.summary} max={400} />
        </h1>
        <Hostile in="p" class="quiet small value" text={intent} max={300} />
        <p class="bunch">
          <a class="button button-small" href={evidence} download>
            {auditLabels.story.evidence}
          </a>
          {agent !== null && (
            <a class="button button-small" href={linkTo(['log'], { agent })}>
              {auditLabels.story.ofAgent}
            </a>
          )}
          {standsBy !== null && (
            <a class="button button-small" href={linkToStanding(standsBy)}>
              {standingLabels.ofAgent}
            </a>
          )}
          <NoteDown about={{ intent }} />
          {trace !== null && <TraceLink trace={trace} />}
        </p>
      </header>
      <Ways
        label={auditLabels.story.tabList}
        ways={storyTabs.map((one) => ({
          label: auditLabels.story.tabs[one],
          to: linkToIntent(intent, one),
          isHere: one === tab,
        }))}
      />
      {tab === 'timeline' && <Timeline intent={intent} answer={answer} />}
      {tab === 'graph' && <StoryGraph intent={intent} read={read} />}
      {tab === 'why' && <Why read={read} />}
      {tab === 'derive' && <DeriveView intent={intent} />}
    </article>
  )
}

// The story of an intent, step by step, with how long each step took. The step that the address
// names is marked; the graph is then drawn as of that moment.

interface TimelineProps {
  readonly intent: string
  readonly answer: TraceShown
}

function Timeline({ intent, answer: { steps, cell } }: TimelineProps) {
  const at = place.value.query.get('at')
  return (
    <ol class="timeline">
      {steps.map((step, index) => (
        <Step
          key={step.position}
          intent={intent}
          step={step}
          moment={momentText({ position: step.position, cell })}
          before={steps[index - 1] ?? null}
          isHere={momentText({ position: step.position, cell }) === at}
        />
      ))}
    </ol>
  )
}

interface StepProps {
  readonly intent: string
  readonly step: TraceStep
  readonly moment: string
  readonly before: TraceStep | null
  readonly isHere: boolean
}

function Step({ intent, step, moment, before, isHere }: StepProps) {
  const row = useInView<HTMLLIElement>(isHere)
  const { title, details, tone, appendedAt } = step
  const gone = before === null ? null : Date.parse(appendedAt) - Date.parse(before.appendedAt)
  return (
    <li
      ref={row}
      class={`step step-${tone}${isHere ? ' step-here' : ''}`}
      aria-current={isHere ? 'step' : undefined}
    >
      <p class="quiet small">
        <Exact at={appendedAt} />
        {gone !== null && (
          <span title={auditLabels.story.since}>
            {' '}
            {auditLabels.story.after} {duration(gone)}
          </span>
        )}
      </p>
      <h2 class="step-title">
        <MarkedText text={title} max={400} />
      </h2>
      {details.length > 0 && (
        <ul class="tight quiet">
          {details.map((detail) => (
            <li>
              <MarkedText text={detail} max={600} />
            </li>
          ))}
        </ul>
      )}
      {step.void !== null && (
        <p class="step-void">
          {auditLabels.fact.void}: <Hostile text={step.void} max={300} />
        </p>
      )}
      <p class="bunch small below">
        <a href={linkTo(['log', moment])}>
          {auditLabels.story.fact} {moment}
        </a>
        <a href={linkToIntent(intent, 'graph', { at: moment })}>{auditLabels.story.graphThen}</a>
      </p>
    </li>
  )
}

// The way out to where traces are shown, if who runs the server said where that is. The address is
// checked here again: a page links to nothing but http.

function TraceLink({ trace }: { readonly trace: string }) {
  const template = traceTemplate(person.value?.traces ?? '')
  if (template === null) return null
  return (
    <a
      class="button button-small"
      href={traceAddress(template, trace)}
      target="_blank"
      rel="noreferrer noopener"
    >
      {auditLabels.story.trace} <span aria-hidden="true">↗</span>
    </a>
  )
}

// Why it was allowed or denied: the one rule, what it was decided from, which versions held, and
// what else was looked at.

const words = auditLabels.why

function Why({ read: { why } }: { readonly read: IntentSeen }) {
  if (why === null) {
    return <Notice tone="calm">{words.open}</Notice>
  }
  const { others, passed, notRun } = why
  return (
    <div class="why">
      <Deciding why={why} />
      {why.inputs.length > 0 && <Inputs why={why} />}
      <Versions why={why} />
      {others.length > 0 && (
        <Section title={words.others}>
          <ul class="tight">
            {others.map(({ code, text }) => (
              <li>
                <a class="pick" href={linkTo(['log'], { reason: code })}>
                  {code}
                </a>{' '}
                <MarkedText text={text} max={400} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Sentences title={words.passed} texts={passed} />
      <Sentences title={words.notRun} texts={notRun} />
    </div>
  )
}

function Sentences({
  title,
  texts,
}: {
  readonly title: string
  readonly texts: readonly string[]
}) {
  if (texts.length === 0) return null
  return (
    <Section title={title}>
      <ul class="tight">
        {texts.map((text) => (
          <li>
            <MarkedText text={text} max={500} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Deciding({ why }: { readonly why: WhyShown }) {
  const { outcome, decided, code, rule, definition, recover } = why
  return (
    <section class={`framed deciding deciding-${outcome}`} aria-label={words.decided}>
      <p class="quiet">{words.decided}</p>
      <p class="deciding-text">
        <MarkedText text={decided} max={600} />
      </p>
      <p class="bunch below">
        {code !== null && (
          <a class="pick" href={linkTo(['log'], { reason: code })}>
            {code}
          </a>
        )}
        {rule !== null && (
          <a class="pick" href={linkTo(['log'], { rule })}>
            <Hostile text={rule} max={120} isBrief />
          </a>
        )}
      </p>
      {definition !== null && (
        <figure class="below">
          <figcaption class="quiet small">{words.definition}</figcaption>
          {typeof definition['when'] === 'string' && (
            <Hostile in="p" class="code" text={definition['when']} max={2_000} />
          )}
          <details>
            <summary>{auditLabels.fact.raw}</summary>
            <Hostile in="p" class="code" text={canonical(definition)} max={4_000} />
          </details>
        </figure>
      )}
      {recover !== null && (
        <p class="small">
          <b>{words.recover}:</b> <Hostile text={recover} max={600} />
        </p>
      )}
    </section>
  )
}

function Inputs({ why: { inputs } }: { readonly why: WhyShown }) {
  return (
    <Section title={words.inputs}>
      <dl class="framed lined leaves">
        {inputs.map(({ label, text }) => (
          <LeafShown name={label}>
            <Hostile text={text} max={400} />
          </LeafShown>
        ))}
      </dl>
    </Section>
  )
}

function Versions({ why: { revisions } }: { readonly why: WhyShown }) {
  const { catalog, graph, rules, module } = revisions
  return (
    <Section title={words.versions}>
      <dl class="framed lined leaves">
        <LeafShown name={words.shape.rules}>{rules}</LeafShown>
        <LeafShown name={words.shape.catalog}>
          <a href={compareLink('catalog', catalog)}>r{catalog}</a>
        </LeafShown>
        <LeafShown name={words.shape.graph}>
          <a href={compareLink('graph', graph)}>r{graph}</a>
        </LeafShown>
        <LeafShown name={words.shape.module}>
          <Hostile text={module ?? words.noModule} max={120} />
        </LeafShown>
      </dl>
    </Section>
  )
}

/** What has changed since. */
function compareLink(of: 'catalog' | 'graph', revision: number): string {
  return linkTo(['compare'], { of, from: `r${revision}` })
}
