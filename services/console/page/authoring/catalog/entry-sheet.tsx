// One place of the catalog while it is written: as a form that its schema makes, or as text. Either
// way it goes into the change set.
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { authorLabels } from '#present/console/overseeing/author-labels'
import { Button } from '../../drawing/button.tsx'
import { Form, Radios } from '../../drawing/form-fields.tsx'
import { Sheet } from '../../drawing/sheet.tsx'
import { addToCatalog } from '../draft.ts'
import { checkedJson, membersIn } from '../editing/checked-json.ts'
import { useCondition } from '../editing/checked-condition.tsx'
import { EntryForm } from '../editing/entry-form.tsx'
import { jsonSchemaOf } from '../editing/entry-schema.ts'
import { JsonText } from '../editing/json-text.tsx'
import { WithNames } from '../editing/names.tsx'
import {
  hasForm,
  operationAt,
  schemaAt,
  valueAt,
  type CatalogPlace,
  type CatalogRead,
} from './places.ts'

const words = authorLabels.editing

interface EntrySheetProps {
  readonly place: CatalogPlace
  readonly catalog: CatalogRead
  readonly onClose: () => void
}

export function EntrySheet({ place, catalog, onClose }: EntrySheetProps) {
  const text = useSignal(JSON.stringify(valueAt(catalog, place), null, 2))
  const isAsked = useSignal(hasForm(place))
  const isTried = useSignal(false)
  const schema = schemaAt(place)
  const json = useMemo(() => jsonSchemaOf(schema), [])
  const checked = checkedJson(text.value, schema)
  const members = membersIn(text.value)
  const isForm = isAsked.value && members !== null
  const condition = useCondition(whenIn(place, members), ofIn(place))
  const isThere = 'list' in place && place.index !== null
  const canPut = (isForm || checked.ok) && condition.is !== 'wrong'
  const put = (value: unknown): void => {
    const operation = operationAt(catalog, place, value)
    if (operation === null) return
    addToCatalog(operation)
    onClose()
  }
  const onInput = (next: string) => (text.value = next)
  return (
    <Sheet title={titleOf(place)} onClose={onClose}>
      <WithNames catalog={catalog}>
        <Form
          onSend={() => {
            isTried.value = true
            if (checked.ok) put(checked.value)
          }}
        >
          {hasForm(place) && (
            <Radios
              as="segments"
              legend={words.way}
              name="way"
              options={ways}
              chosen={isForm}
              isOff={(is) => is && members === null}
              onChoose={(is) => (isAsked.value = is)}
            />
          )}
          {isForm ? (
            <EntryForm
              text={text.value}
              schema={json}
              checked={checked}
              fixed={isThere ? ['id'] : []}
              isTried={isTried.value}
              condition={condition}
              onInput={onInput}
            />
          ) : (
            <JsonText
              id="entry"
              label={words.text}
              hint={words.textHint}
              text={text.value}
              rows={16}
              schema={json}
              checked={checked}
              onInput={onInput}
            />
          )}
          <Button is="main" label={words.put} isOff={!canPut} />
          {isThere && <Button is="wide" label={words.remove} onPress={() => put(undefined)} />}
        </Form>
      </WithNames>
    </Sheet>
  )
}

/** A text that is no object has no fields. */
const ways = [
  { is: true, label: words.asForm },
  { is: false, label: words.asText },
]

function titleOf(place: CatalogPlace): string {
  if ('whole' in place) return authorLabels.settings.titles[place.whole]
  const { list, of } = place
  return of === undefined ? words.titles[list] : `${words.titles[list]} · ${of}`
}

/** The condition in CEL that stands there; empty of another entry. */
function whenIn(place: CatalogPlace, members: ReadonlyMap<string, unknown> | null): string {
  const when = 'list' in place && place.list === 'conditions' ? members?.get('when') : undefined
  return typeof when === 'string' ? when : ''
}

function ofIn(place: CatalogPlace): string | null {
  return 'list' in place ? (place.of ?? null) : null
}
