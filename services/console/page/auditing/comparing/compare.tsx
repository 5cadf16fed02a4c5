// What of the graph or the catalog differs between two moments, entry by entry.
import { useSignal } from '@preact/signals'
import { auditLabels } from '#present/auditing/audit-labels'
import { entriesThatDiffer, type EntryDiffers } from '#present/auditing/differences-shown'
import { labels } from '#present/console/labels'
import { Hostile } from '../../drawing/hostile.tsx'
import { MemberChanges } from '../../drawing/member-changes.tsx'
import { Empty, Failed, Notice } from '../../drawing/notice.tsx'
import { goTo, place } from '../../shell/address.ts'
import { askServer } from '../../shell/requests.ts'
import { useAnswer } from '../reading.ts'

const words = auditLabels.compare

export function Compare() {
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
  const run = (event: Event): void => {
    event.preventDefault()
    const [first, last] = [before.value.trim(), after.value.trim()]
    goTo(['compare'], {
      of: what.value,
      ...(first !== '' && { from: first }),
      ...(last !== '' && { to: last }),
    })
  }
  return (
    <form class="moments" onSubmit={run}>
      <fieldset class="segments">
        <legend>{words.of}</legend>
        {(['graph', 'catalog'] as const).map((one) => (
          <label>
            <input
              type="radio"
              name="of"
              checked={what.value === one}
              onChange={() => (what.value = one)}
            />
            <span>{words[one]}</span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>{words.from}</span>
        <input
          required
          spellcheck={false}
          autoComplete="off"
          maxLength={64}
          title={words.hint}
          value={before.value}
          onInput={(event) => (before.value = event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{words.to}</span>
        <input
          spellcheck={false}
          autoComplete="off"
          maxLength={64}
          placeholder={words.toHint}
          title={words.hint}
          value={after.value}
          onInput={(event) => (after.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        {words.run}
      </button>
    </form>
  )
}

function Differs({ of, from, to }: MomentsProps) {
  const query = { of, from, ...(to !== '' && { to }) }
  const { answer, problem, again } = useAnswer(JSON.stringify(query), () => {
    return askServer('compare', '/compare', { query })
  })
  if (problem !== null) return <Failed code={problem} onRetry={again} />
  if (answer === null) return <p class="loading">{labels.loading}</p>
  const entries = entriesThatDiffer(answer.differences)
  return (
    <>
      <p class="quiet small list-note">
        {words.from}: {answer.from.position} (r{answer.from.revision}) · {words.to}:{' '}
        {answer.to.position} (r{answer.to.revision})
      </p>
      {entries.length === 0 && <Empty title={words.same} lead={words.sameLead} />}
      {answer.isCut && (
        <Notice tone="warm">
          <p>{words.cut}</p>
        </Notice>
      )}
      <ul class="stack">
        {entries.map((entry) => (
          <Entry entry={entry} />
        ))}
      </ul>
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
