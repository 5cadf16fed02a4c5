// One concept: what is known of it at each level, what it leads to and what leads to it; each can
// be changed, which adds to the change set.
import { useSignal } from '@preact/signals'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { changeLine, levelTitle } from '#present/console/overseeing/change-lines'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty } from '../../drawing/notice.tsx'
import { useReading } from '../../operating/reading.ts'
import { Read } from '../../operating/room.tsx'
import { goTo, linkTo } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { addToGraph, changesOf } from '../draft.ts'
import { DescribeSheet, RelateSheet, RenameSheet } from './concept-forms.tsx'
import type { ShownConcept } from './shown-concept.ts'

const words = authorLabels.graph

type Editing =
  | { readonly what: 'describe'; readonly level: number; readonly properties: unknown }
  | { readonly what: 'relate' | 'rename' }

export function Concept({ name }: { readonly name: string }) {
  const reading = useReading(`concept ${name}`, () =>
    askServer('graph', '/graph', { query: { concept: name, steps: '1' } }),
  )
  return (
    <>
      <a class="back-link" href={linkTo(['authoring', 'graph'])}>
        ‹ {words.back}
      </a>
      <Read reading={reading}>
        {({ graph: { primitives } }) => {
          const known = primitives.find((one) => one.name === name)
          const isDrafted = changesOf('graph').some((one) => one.op === 'add' && one.name === name)
          if (known === undefined && !isDrafted) {
            return <Empty title={words.gone} lead={words.goneLead} />
          }
          return <Shown concept={known ?? { name, depths: [] }} around={primitives} />
        }}
      </Read>
    </>
  )
}

interface ShownProps {
  readonly concept: ShownConcept
  readonly around: readonly ShownConcept[]
}

function Shown({ concept, around }: ShownProps) {
  const { name } = concept
  const editing = useSignal<Editing | null>(null)
  const close = (): void => {
    editing.value = null
  }
  const { value: sheet } = editing
  return (
    <article class="concept">
      <header class="concept-head">
        <h2 class="question-title">
          <Hostile text={name} max={256} />
        </h2>
        <div class="row-act">
          <button
            type="button"
            class="button button-small"
            onClick={() => (editing.value = { what: 'rename' })}
          >
            {words.rename}
          </button>
          <button
            type="button"
            class="button button-small"
            onClick={() => {
              addToGraph({ op: 'remove', name })
              goTo(['authoring', 'graph'])
            }}
          >
            {words.remove}
          </button>
        </div>
      </header>
      <Drafted name={name} />
      <Levels concept={concept} onEdit={(next) => (editing.value = next)} />
      <LeadsTo concept={concept} onRelate={() => (editing.value = { what: 'relate' })} />
      <LedFrom name={name} around={around} />
      {sheet?.what === 'describe' && (
        <DescribeSheet
          name={name}
          level={sheet.level}
          properties={sheet.properties}
          onClose={close}
        />
      )}
      {sheet?.what === 'relate' && <RelateSheet concept={concept} onClose={close} />}
      {sheet?.what === 'rename' && <RenameSheet name={name} onClose={close} />}
    </article>
  )
}

function Drafted({ name }: { readonly name: string }) {
  const lines = changesOf('graph').filter((one) => one.name === name)
  if (lines.length === 0) return null
  return (
    <div class="notice">
      <p class="strong">{words.drafted}</p>
      <ul>
        {lines.map((operation) => (
          <li>
            <Hostile text={changeLine(operation).text} max={200} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface LevelsProps {
  readonly concept: ShownConcept
  readonly onEdit: (editing: Editing) => void
}

const levelsAll = [0, 1, 2, 3, 4] as const

function Levels({ concept: { name, depths }, onEdit }: LevelsProps) {
  return (
    <section class="block">
      <h2>{words.levels}</h2>
      <ul class="levels">
        {levelsAll.map((level) => {
          const known = depths.find((one) => one.level === level)
          const properties = known?.properties ?? {}
          const edit = { what: 'describe', level, properties } as const
          return (
            <li class={known === undefined ? 'level level-none' : 'level'}>
              <h3>{levelTitle(level)}</h3>
              <div class="level-acts">
                <button type="button" class="text-button" onClick={() => onEdit(edit)}>
                  {known === undefined ? words.describe : words.edit}
                  <span class="unseen"> {levelTitle(level)}</span>
                </button>
                {known !== undefined && (
                  <button
                    type="button"
                    class="text-button"
                    onClick={() => addToGraph({ op: 'erase', name, level })}
                  >
                    {words.erase}
                    <span class="unseen"> {levelTitle(level)}</span>
                  </button>
                )}
              </div>
              <Properties properties={properties} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Properties({ properties }: { readonly properties: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(properties)
  if (entries.length === 0) return <p class="quiet small">{words.none}</p>
  return (
    <dl class="pairs">
      {entries.map(([key, value]) => (
        <>
          <dt>
            <Hostile text={key} max={80} />
          </dt>
          <dd>
            <Hostile text={typeof value === 'string' ? value : JSON.stringify(value)} max={600} />
          </dd>
        </>
      ))}
    </dl>
  )
}

interface LeadsToProps {
  readonly concept: ShownConcept
  readonly onRelate: () => void
}

function LeadsTo({ concept: { name, depths }, onRelate }: LeadsToProps) {
  const edges = depths.flatMap(({ level, relata }) => relata.map((one) => ({ level, ...one })))
  return (
    <section class="block">
      <div class="row-foot">
        <h2>{words.relates}</h2>
        <button type="button" class="button button-small" onClick={onRelate}>
          {words.relate}
        </button>
      </div>
      {edges.length === 0 && <p class="quiet">{words.relatesNone}</p>}
      <ul class="plain-rows">
        {edges.map(({ level, type, target, targetDepth, policies }) => (
          <li>
            <div class="row-foot">
              <p class="row-main">
                <span class="quiet small">
                  D{level} {type} →{' '}
                </span>
                <a href={linkTo(['authoring', 'graph', target])}>
                  <Hostile text={target} max={120} isBrief />
                </a>
                <span class="quiet small"> D{targetDepth}</span>
              </p>
              <button
                type="button"
                class="text-button"
                onClick={() => addToGraph({ op: 'unrelate', name, level, type, target })}
              >
                {words.unrelate}
                <span class="unseen"> {target}</span>
              </button>
            </div>
            {policies.length > 0 && (
              <p class="quiet small">
                {words.policy}{' '}
                <Hostile text={policies.map((one) => one.name).join(', ')} max={200} isBrief />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface LedFromProps {
  readonly name: string
  readonly around: readonly ShownConcept[]
}

function LedFrom({ name, around }: LedFromProps) {
  const edges = around.flatMap(({ name: source, depths }) =>
    depths.flatMap(({ level, relata }) =>
      relata.filter(({ target }) => target === name).map(({ type }) => ({ source, level, type })),
    ),
  )
  return (
    <section class="block">
      <h2>{words.related}</h2>
      {edges.length === 0 && <p class="quiet">{words.relatedNone}</p>}
      <ul class="plain-rows">
        {edges.map(({ source, level, type }) => (
          <li>
            <a href={linkTo(['authoring', 'graph', source])}>
              <Hostile text={source} max={120} isBrief />
            </a>
            <span class="quiet small">
              {' '}
              D{level} {type}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
