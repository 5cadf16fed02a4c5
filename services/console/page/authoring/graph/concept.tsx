// One concept of the graph as text, with what is in the change set: all that is known of it, and
// what it leads to.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { primitiveLeft } from '#present/console/overseeing/change-steps'
import { Primitive } from '#schemas/graph'
import { Hostile } from '../../drawing/hostile.tsx'
import { useReading } from '../../operating/reading.ts'
import { Read } from '../../operating/room.tsx'
import { goTo, linkTo } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { addToGraph, changesOf } from '../draft.ts'
import { checkedJson } from '../editing/checked-json.ts'
import { jsonSchemaOf } from '../editing/entry-schema.ts'
import { JsonText } from '../editing/json-text.tsx'
import { WithNames } from '../editing/names.tsx'
import { conceptOperations, operationsOn } from './concept-operations.ts'

const words = authorLabels.graph

export function Concept({ name }: { readonly name: string }) {
  const reading = useReading(`concept ${name}`, () =>
    askServer('concepts', '/graph/concepts', { body: { names: [name] } }),
  )
  return (
    <>
      <a class="back-link" href={linkTo(['authoring', 'graph'])}>
        ‹ {words.back}
      </a>
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
        <h2 class="title">
          <Hostile text={name} max={256} />
        </h2>
        {standing !== null && (
          <div class="bunch below">
            <a class="button button-small" href={linkTo(['graph'], { concept: name })}>
              {words.picture}
            </a>
            <button
              type="button"
              class="button button-small"
              onClick={() => {
                addToGraph(name, [{ op: 'remove', name: standing.name }])
                goTo(['authoring', 'graph'])
              }}
            >
              {words.remove}
            </button>
          </div>
        )}
      </header>
      {drafted.length > 0 && <p class="state state-drafted state-line">{words.drafted}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          addToGraph(name, operations)
        }}
      >
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
        <button
          type="submit"
          class="button button-main"
          disabled={operations.length + drafted.length === 0 || !checked.ok}
        >
          {authorLabels.editing.put}
        </button>
      </form>
    </article>
  )
}
