// The graph as it is, to be looked through and changed: what is written here goes into a change
// set, and nothing of the graph changes before that is signed.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { authorLabels } from '#present/console/overseeing/author-labels'
import type { GraphAnswer } from '#schemas/console/reading'
import { Hostile } from '../../drawing/hostile.tsx'
import { Empty } from '../../drawing/notice.tsx'
import { useReading } from '../../operating/reading.ts'
import { Read } from '../../operating/room.tsx'
import { goTo, linkTo, place } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { changesOf } from '../draft.ts'
import { SearchField } from '../../shell/search-field.tsx'
import { Concept } from './concept.tsx'

const words = authorLabels.graph
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
      goTo(['authoring', 'graph'], typed.value === '' ? {} : { search: typed.value })
    }, typingMs)
    return () => window.clearTimeout(waiting)
  }, [typed.value])
  const reading = useReading(`graph ${search}`, () =>
    askServer('graph', '/graph', { query: search === '' ? {} : { search } }),
  )
  return (
    <>
      <SearchField label={words.search} typed={typed} />
      <Read reading={reading}>{(answer) => <ConceptList answer={answer} search={search} />}</Read>
    </>
  )
}

interface ConceptListProps {
  readonly answer: GraphAnswer
  readonly search: string
}

function ConceptList({ answer, search }: ConceptListProps) {
  const { count, graph, isCut, revision } = answer
  const known = new Set(graph.primitives.map(({ name }) => name))
  const drafted = changesOf('graph').flatMap((one) => (one.op === 'add' ? [one.name] : []))
  const added = drafted.filter((name) => !known.has(name))
  const isNew = search !== '' && !known.has(search) && !drafted.includes(search)
  return (
    <>
      <p class="quiet small list-note">
        {count.toLocaleString()} {words.count} · {authorLabels.catalog.revision} {revision}
        {isCut && ` · ${words.cut}`}
      </p>
      {isNew && (
        <a class="button" href={linkTo(['authoring', 'graph', search])}>
          + {words.add}: <Hostile text={search} max={120} isBrief />
        </a>
      )}
      {graph.primitives.length + added.length === 0 && (
        <Empty title={words.empty} lead={words.emptyLead} />
      )}
      <ul class="tiles">
        {added.map((name) => (
          <Tile key={name} name={name} note={words.drafted} isDrafted />
        ))}
        {graph.primitives.map(({ name, depths }) => (
          <Tile key={name} name={name} note={`D${depths.map(({ level }) => level).join(' D')}`} />
        ))}
      </ul>
    </>
  )
}

interface TileProps {
  readonly name: string
  readonly note: string
  readonly isDrafted?: boolean
}

function Tile({ name, note, isDrafted = false }: TileProps) {
  return (
    <li>
      <a
        class={
          isDrafted
            ? 'framed ends ends-text link tile tile-drafted'
            : 'framed ends ends-text link tile'
        }
        href={linkTo(['authoring', 'graph', name])}
      >
        <strong>
          <Hostile text={name} max={80} isBrief />
        </strong>
        <span class="quiet small">{note}</span>
      </a>
    </li>
  )
}
