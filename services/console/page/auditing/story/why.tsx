// Why it was allowed or denied: the one rule, what it was decided from, which versions held, and
// what else was looked at.
import type { ComponentChildren } from 'preact'
import { canonical } from '#record/canonical'
import { auditLabels } from '#present/auditing/audit-labels'
import type { WhyShown } from '#present/auditing/why-shown'
import { Hostile } from '../../drawing/hostile.tsx'
import { Notice } from '../../drawing/notice.tsx'
import { linkTo } from '../../shell/address.ts'
import { MarkedText } from '../marked-text.tsx'
import type { IntentSeen } from './story-read.ts'

const words = auditLabels.why

export function Why({ read: { why } }: { readonly read: IntentSeen }) {
  if (why === null) {
    return (
      <Notice tone="calm">
        <p>{words.open}</p>
      </Notice>
    )
  }
  const { others, passed, notRun } = why
  return (
    <div class="why">
      <Deciding why={why} />
      {why.inputs.length > 0 && <Inputs why={why} />}
      <Versions why={why} />
      {others.length > 0 && (
        <Part title={words.others}>
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
        </Part>
      )}
      <Texts title={words.passed} texts={passed} />
      <Texts title={words.notRun} texts={notRun} />
    </div>
  )
}

function Part({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <section class="block">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Texts({ title, texts }: { readonly title: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Part title={title}>
      <ul class="tight">
        {texts.map((text) => (
          <li>
            <MarkedText text={text} max={500} />
          </li>
        ))}
      </ul>
    </Part>
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
            <p class="code">
              <Hostile text={definition['when']} max={2_000} />
            </p>
          )}
          <details>
            <summary>{auditLabels.fact.raw}</summary>
            <p class="code">
              <Hostile text={canonical(definition)} max={4_000} />
            </p>
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
    <Part title={words.inputs}>
      <dl class="framed lined leaves">
        {inputs.map(({ label, text }) => (
          <div class="leaf">
            <dt>
              <Hostile text={label} max={160} isBrief />
            </dt>
            <dd class="value">
              <Hostile text={text} max={400} />
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}

function Versions({ why: { revisions } }: { readonly why: WhyShown }) {
  const { catalog, graph, rules, module } = revisions
  return (
    <Part title={words.versions}>
      <dl class="framed lined leaves">
        <div class="leaf">
          <dt>{words.shape.rules}</dt>
          <dd class="value">{rules}</dd>
        </div>
        <div class="leaf">
          <dt>{words.shape.catalog}</dt>
          <dd class="value">
            <a href={compareLink('catalog', catalog)}>r{catalog}</a>
          </dd>
        </div>
        <div class="leaf">
          <dt>{words.shape.graph}</dt>
          <dd class="value">
            <a href={compareLink('graph', graph)}>r{graph}</a>
          </dd>
        </div>
        <div class="leaf">
          <dt>{words.shape.module}</dt>
          <dd class="value">
            <Hostile text={module ?? words.noModule} max={120} />
          </dd>
        </div>
      </dl>
    </Part>
  )
}

/** What has changed since. */
function compareLink(of: 'catalog' | 'graph', revision: number): string {
  return linkTo(['compare'], { of, from: `r${revision}` })
}
