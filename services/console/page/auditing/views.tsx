// What an auditor looks at: the log, one intent, the graph, and two moments beside each other.
import { auditLabels } from '#present/auditing/audit-labels'
import { Failed, Empty, Notice } from '../drawing/notice.tsx'
import { Ways } from '../drawing/ways.tsx'
import { linkTo, place, goTo } from '../shell/address.ts'
import { hasRight } from '../shell/session.ts'
import { GraphPage } from './picturing/graph-view.tsx'
import { LogSearch } from './search.tsx'
import { IntentView } from './story/intent.tsx'
import { useSignal } from '@preact/signals'
import { entriesThatDiffer, type EntryDiffers } from '#present/auditing/differences-shown'
import { labels } from '#present/console/labels'
import { Button } from '../drawing/button.tsx'
import { Form, Radios, TextField } from '../drawing/form-fields.tsx'
import { ListOfRows } from '../drawing/rows.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MemberChanges } from '../drawing/member-changes.tsx'
import { askServer } from '../shell/requests.ts'
import { useOnce } from '../operating/room.tsx'

const ways = ['log', 'graph', 'compare'] as const

export function AuditorViews() {
  const [view, what] = place.value.path
  if (!hasRight('auditor')) return <Failed code="forbidden" />
  if (view === 'intents' && what !== undefined) return <IntentView key={what} intent={what} />
  return (
    <>
      <Ways
        as="tabs tabs-lined"
        label={auditLabels.ways}
        ways={ways.map((way) => ({
          label: auditLabels.views[way],
          to: linkTo([way]),
          isHere: view === way,
        }))}
      />
      {view === 'graph' && <GraphPage />}
      {view === 'compare' && <Compare />}
      {view !== 'graph' && view !== 'compare' && <LogSearch />}
    </>
  )
}

// What of the graph or the catalog differs between two moments, entry by entry.

const words = auditLabels.compare

function Compare() {
  const { query } = place.value
  const of = query.get('of') === 'catalog' ? 'catalog' : 'graph'
  const from = query.get('from') ?? ''
  const to = query.get('to') ?? ''
  return (
    <section class="pane pane-wide">
      <h1>{words.title}</h1>
      <Moments key={JSON.stringify([of, from, to])} of={of} from={from} to={to} />
      {from === '' ? (
        <Empty title={words.begin} lead={words.hint} />
      ) : (
        <Differs of={of} from={from} to={to} />
      )}
    </section>
  )
}

interface MomentsProps {
  readonly of: 'graph' | 'catalog'
  readonly from: string
  readonly to: string
}

function Moments({ of, from, to }: MomentsProps) {
  const [what, before, after] = [useSignal(of), useSignal(from), useSignal(to)]
  const run = (): void => {
    const [first, last] = [before.value.trim(), after.value.trim()]
    goTo(['compare'], {
      of: what.value,
      ...(first !== '' && { from: first }),
      ...(last !== '' && { to: last }),
    })
  }
  return (
    <Form class="moments" onSend={run}>
      <Radios
        as="segments"
        legend={words.of}
        name="of"
        options={(['graph', 'catalog'] as const).map((is) => ({ is, label: words[is] }))}
        chosen={what.value}
        onChoose={(is) => (what.value = is)}
      />
      <TextField label={words.from} typed={before} required {...moment} />
      <TextField label={words.to} typed={after} placeholder={words.toHint} {...moment} />
      <Button label={words.run} />
    </Form>
  )
}

const moment = { maxLength: 64, spellcheck: false, title: words.hint } as const

function Differs({ of, from, to }: MomentsProps) {
  const query = { of, from, ...(to !== '' && { to }) }
  const {
    value: answer,
    problem,
    again,
  } = useOnce(JSON.stringify(query), () => askServer('compare', '/compare', { query }))
  if (problem !== null) return <Failed code={problem} onRetry={() => void again()} />
  if (answer === null) return <p class="loading">{labels.loading}</p>
  const entries = entriesThatDiffer(answer.differences)
  return (
    <>
      <p class="quiet small list-note">
        {words.from}: {answer.from.position} (r{answer.from.revision}) · {words.to}:{' '}
        {answer.to.position} (r{answer.to.revision})
      </p>
      {answer.isCut && <Notice tone="warm">{words.cut}</Notice>}
      <ListOfRows rows={entries} empty={words.same} emptyLead={words.sameLead}>
        {(entry) => <Entry entry={entry} />}
      </ListOfRows>
    </>
  )
}

function Entry({ entry: { collection, entry, how, members } }: { readonly entry: EntryDiffers }) {
  return (
    <li class={`framed entry entry-${how}`}>
      <h2 class="row-title">
        <span class={`tag tag-${how}`}>{words[how]}</span>{' '}
        {collection !== '' && (
          <span class="quiet">
            <Hostile text={collection} max={80} isBrief /> /{' '}
          </span>
        )}
        <Hostile text={entry} max={160} isBrief />
      </h2>
      <MemberChanges members={members} />
    </li>
  )
}
