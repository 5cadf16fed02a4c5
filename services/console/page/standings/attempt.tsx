// One attempt: what its worker reports, what was judged and what held of its programs, and each
// gate with its findings and evidence. What programs wrote is drawn as text of others.
import { isolationText, workText } from '#present/work/gate-text'
import { contractLabels } from '#present/work/standing-labels'
import { momentText } from '#schemas/console/positions'
import type { ContractAnswer } from '#schemas/console/standings'
import { Exact } from '../auditing/exact.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Notice } from '../drawing/notice.tsx'
import { linkTo } from '../shell/address.ts'
import { GateView } from './gate.tsx'
import { linkToStanding } from './links.ts'

const words = contractLabels

interface AttemptViewProps {
  readonly answer: ContractAnswer
  readonly attempt: number | null
}

export function AttemptView({ answer, attempt }: AttemptViewProps) {
  const { attempts, shown, worker, cell } = answer
  const row = attempts.find((one) => one.attempt === attempt)
  if (row === undefined) return null
  const { found, position, appendedAt } = row
  const moment = momentText({ position, cell })
  const { ended = null, claim = null } = found ?? {}
  const moves = ended !== null && 'alpha' in ended.standing && worker !== null
  const factLink = <a href={linkTo(['log', moment])}>{`${words.fact} ${moment}`}</a>
  return (
    <section aria-label={`${words.attempt} ${attempt ?? ''}`}>
      {found === null ? (
        <Notice tone="warm">{words.misfit}</Notice>
      ) : (
        <p>
          <span class={`state state-${tones[found.verification]}`}>
            {words.verification[found.verification]}
          </span>{' '}
          {statusText(found)}
        </p>
      )}
      <p class="bunch quiet small">
        <Exact at={appendedAt} /> {factLink}{' '}
        {moves && <a href={linkToStanding(worker, moment)}>{words.moved}</a>}
      </p>
      {shown?.attempt === attempt && <Shown shown={shown} hasClaim={claim !== null} />}
    </section>
  )
}

const tones = { verified: 'good', refuted: 'bad', unverified: 'warm' } as const

type Found = NonNullable<ContractAnswer['attempts'][number]['found']>

function statusText({ claim, status }: Found): string {
  if (claim === null) return words.noClaim
  return status === null ? words.noStatus : words.status[status]
}

interface ShownProps {
  readonly shown: NonNullable<ContractAnswer['shown']>
  readonly hasClaim: boolean
}

function Shown({ shown: { found, sources, report }, hasClaim }: ShownProps) {
  const { work, isolation, gates } = found
  const isolated = isolationText({ isolation })
  return (
    <>
      {hasClaim && (
        <>
          <h3>{words.report}</h3>
          {report === null ? (
            <p class="quiet">{words.noReport}</p>
          ) : (
            <pre class="code">
              <Hostile text={JSON.stringify(report, null, 2)} max={1_000} />
            </pre>
          )}
        </>
      )}
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
