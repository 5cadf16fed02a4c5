// One attempt: what its worker reports, what was judged and what held of its programs, and each
// gate with its findings and evidence. What programs wrote is drawn as text of others.
import { isolationText, workText } from '#present/work/gate-text'
import { contractLabels } from '#present/work/standing-labels'
import { momentText } from '#schemas/console/positions'
import type { AttemptShown, ContractShown } from '#schemas/operations/contracts'
import { Exact } from '../auditing/exact.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { linkTo } from '../shell/address.ts'
import { GateView } from './gate.tsx'
import { linkToStanding } from './links.ts'

const words = contractLabels

interface AttemptViewProps {
  readonly shown: ContractShown
  readonly attempt: number | null
}

export function AttemptView({ shown, attempt }: AttemptViewProps) {
  const { attempts, worker, cell } = shown
  const row = attempts.find((one) => one.attempt === attempt)
  if (row === undefined) return null
  const { found } = row
  if (found === null) {
    return (
      <section aria-label={`${words.attempt} ${row.attempt}`}>
        <p class="quiet">{words.pending}</p>
        <Report of={row} />
      </section>
    )
  }
  const { position, foundAt, ended, verification: outcome } = found
  const moment = momentText({ position, cell })
  const moves = ended !== null && 'alpha' in ended.standing && worker !== null
  const factLink = <a href={linkTo(['log', moment])}>{`${words.fact} ${moment}`}</a>
  return (
    <section aria-label={`${words.attempt} ${row.attempt}`}>
      <p>
        <span class={`state state-${tones[outcome]}`}>{words.verification[outcome]}</span>{' '}
        {statusText(found)}
      </p>
      <p class="bunch quiet small">
        <Exact at={foundAt} /> {factLink}{' '}
        {moves && <a href={linkToStanding(worker, moment)}>{words.moved}</a>}
      </p>
      <Report of={row} />
      <Gates found={found} />
    </section>
  )
}

const tones = { verified: 'good', refuted: 'bad', unverified: 'warm' } as const

type Found = NonNullable<AttemptShown['found']>

function statusText({ claim, status }: Found): string {
  if (claim === null) return words.noClaim
  return status === null ? words.noStatus : words.status[status]
}

function Report({ of: { claim, completion } }: { readonly of: AttemptShown }) {
  if (claim === null) return null
  return (
    <>
      <h3>{words.report}</h3>
      {completion === null ? (
        <p class="quiet">{words.noReport}</p>
      ) : (
        <pre class="code">
          <Hostile text={JSON.stringify(completion, null, 2)} max={1_000} />
        </pre>
      )}
    </>
  )
}

function Gates({ found }: { readonly found: Found }) {
  const { work, isolation, gates, sources } = found
  const isolated = isolationText({ isolation })
  return (
    <>
      <h3>{words.gates}</h3>
      {gates.length === 0 && <p class="quiet">{words.noGates}</p>}
      {gates.length > 0 && (
        <p class="small value">
          {workText({ work })}
          {isolated !== null && `; ${isolated}`}
        </p>
      )}
      <ul class="stack">
        {gates.map((gate) => (
          <GateView key={gate.gate} gate={gate} />
        ))}
      </ul>
      {sources.length > 0 && (
        <>
          <h3>{words.sources}</h3>
          <ul>
            {sources.map((name) => (
              <li class="value">
                <Hostile text={name} max={300} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
