// Why it was allowed or denied: the one rule, what it was decided from, which versions held, and
// what else was looked at.
import { canonical } from '#record/canonical'
import { auditLabels } from '#present/auditing/audit-labels'
import type { WhyShown } from '#present/auditing/why-shown'
import { Hostile, MarkedText } from '../../drawing/hostile.tsx'
import { LeafShown, Section } from '../../drawing/texts.tsx'
import { Notice } from '../../drawing/notice.tsx'
import { linkTo } from '../../shell/address.ts'
import type { IntentSeen } from './story-read.ts'

const words = auditLabels.why

export function Why({ read: { why } }: { readonly read: IntentSeen }) {
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
