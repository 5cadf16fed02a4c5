// The graph as it is, to be looked through and changed: what is written here goes into a change
// set, and nothing of the graph changes before that is signed.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { authorLabels } from '#present/console/overseeing/author-labels'
import type { OperationAnswer } from '#schemas/operations/table'
import { primitiveLeft } from '#present/console/overseeing/change-steps'
import { Primitive } from '#schemas/graph'
import { conceptOperations, operationsOn } from '#authoring/changes/concept-operations'
import { Form, SearchField } from '../drawing/form-fields.tsx'
import { Tile } from '../drawing/texts.tsx'
import { BackLink } from '../drawing/ways.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Empty } from '../drawing/notice.tsx'
import { useReading, Read } from '../operating/room.tsx'
import { goTo, linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'
import { changesOf, addToGraph } from './draft.ts'
import { Button } from '../drawing/button.tsx'
import { checkedJson } from './editing/checked-json.ts'
import { jsonSchemaOf } from './editing/entry-schema.ts'
import { JsonText } from './editing/json-text.tsx'
import { WithNames } from './editing/names.tsx'

const words = authorLabels.graph
const room = ['authoring', 'graph']
const typingMs = 250

export function GraphRoom() {
  const [, , name] = place.value.path
  return name === undefined ? <Concepts /> : <Concept key={name} name={name} />
}

function Concepts() {
  const search = place.value.query.get('search') ?? ''
  const typed = useSignal(search)
  useEffect(() => {
    if (typed.value === search) return
    const waiting = window.setTimeout(() => {
      goTo(room, typed.value === '' ? {} : { search: typed.value })
    }, typingMs)
    return () => window.clearTimeout(waiting)
  }, [typed.value])
  const reading = useReading(`graph ${search}`, () =>
    askServer('concepts', '/concepts', { query: { search, limit: '300' } }),
  )
  return (
    <>
      <SearchField label={words.search} typed={typed} />
      <Read reading={reading}>{(answer) => <ConceptList answer={answer} search={search} />}</Read>
    </>
  )
}

interface ConceptListProps {
  readonly answer: OperationAnswer<'concepts'>
  readonly search: string
}

function ConceptList({ answer, search }: ConceptListProps) {
  const { count, rows, next, revision } = answer
  const known = new Set(rows.map(({ name }) => name))
  const drafted = changesOf('graph').flatMap((one) => (one.op === 'add' ? [one.name] : []))
  const added = drafted.filter((name) => !known.has(name))
  const isNew = search !== '' && !known.has(search) && !drafted.includes(search)
  return (
    <>
      <p class="quiet small list-note">
        {count.toLocaleString()} {words.count} · {authorLabels.catalog.revision} {revision}
        {next !== null && ` · ${words.cut}`}
      </p>
      {isNew && (
        <a class="button" href={linkTo([...room, search])}>
          + {words.add}: <Hostile text={search} max={120} isBrief />
        </a>
      )}
      {rows.length + added.length === 0 && <Empty title={words.empty} lead={words.emptyLead} />}
      <ul class="tiles">
        {added.map((name) => (
          <li>
            <Tile name={name} note={words.drafted} to={linkTo([...room, name])} isDrafted />
          </li>
        ))}
        {rows.map(({ name, depths }) => (
          <li>
            <Tile
              name={name}
              note={`D${depths.map(({ level }) => level).join(' D')}`}
              to={linkTo([...room, name])}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

// One concept of the graph as text, with what is in the change set: all that is known of it, and
// what it leads to.

function Concept({ name }: { readonly name: string }) {
  const reading = useReading(`concept ${name}`, () =>
    askServer('standingConcepts', '/graph/concepts', { body: { names: [name] } }),
  )
  return (
    <>
      <BackLink to={linkTo(room)} label={words.back} />
      <Read reading={reading}>
        {({ primitives: [standing = null] }) => (
          <WithNames>
            <Written key={JSON.stringify(standing)} name={name} standing={standing} />
          </WithNames>
        )}
      </Read>
    </>
  )
}

interface WrittenProps {
  readonly name: string
  /** Null for one that the graph does not have yet. */
  readonly standing: Primitive | null
}

function Written({ name, standing }: WrittenProps) {
  const drafted = operationsOn(name, changesOf('graph'))
  const now = drafted.reduce<Primitive | null>((one, next) => primitiveLeft(next, one), standing)
  const text = useSignal(JSON.stringify(now ?? { name, depths: [] }, null, 2))
  const schema = useMemo(() => jsonSchemaOf(Primitive), [])
  const checked = checkedJson(text.value, Primitive)
  const operations = checked.ok ? conceptOperations(standing, checked.value) : []
  return (
    <article class="spaced">
      <header class="ends ends-wrap">
        <Hostile in="h2" class="title" text={name} max={256} />
        {standing !== null && (
          <div class="bunch below">
            <a class="button button-small" href={linkTo(['graph'], { concept: name })}>
              {words.picture}
            </a>
            <Button
              is="small"
              label={words.remove}
              onPress={() => {
                addToGraph(name, [{ op: 'remove', name: standing.name }])
                goTo(room)
              }}
            />
          </div>
        )}
      </header>
      {drafted.length > 0 && (
        <p>
          <span class="state state-drafted">{words.drafted}</span>
        </p>
      )}
      <Form onSend={() => addToGraph(name, operations)}>
        <JsonText
          id="concept"
          label={words.text}
          hint={authorLabels.editing.textHint}
          text={text.value}
          rows={22}
          schema={schema}
          checked={checked}
          onInput={(next) => (text.value = next)}
        />
        <Button
          is="main"
          label={authorLabels.editing.put}
          isOff={operations.length + drafted.length === 0 || !checked.ok}
        />
      </Form>
    </article>
  )
}
