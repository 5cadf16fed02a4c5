// The contracts that are open, the oldest first, or one with its attempts.
import { useSignal } from '@preact/signals'
import { contractLabels } from '#present/work/standing-labels'
import { contractEndText, scoredText, unmovedText } from '#present/work/standing-text'
import { momentText } from '#schemas/console/positions'
import type { AttemptShown, ContractShown } from '#schemas/operations/contracts'
import { isolationText, workText, findingText, gateRow } from '#present/work/gate-text'
import { jsonOf } from '#record/canonical'
import { evidenceShown, type OutputShown } from '#present/work/evidence-shown'
import { ListOfRows } from '../drawing/rows.tsx'
import { useReading, Read } from '../operating/room.tsx'
import { linkTo, place } from '../shell/address.ts'
import { askServer } from '../shell/requests.ts'
import { ContractItem, ContractWaits } from './contract-line.tsx'
import { isOfWork, linkToContract, linkToStanding } from './links.ts'
import { Details, Pair, Section, TextList } from '../drawing/texts.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Notice } from '../drawing/notice.tsx'
import { BackLink, Ways } from '../drawing/ways.tsx'
import { Exact } from '../drawing/moment.tsx'
import { memberMap } from '../signing/members.ts'

const words = contractLabels
const stepRows = 50
const rowsMax = 200

export function ContractsView() {
  const { path, query } = place.value
  const [, , contract] = path
  if (contract !== undefined) return <ContractView key={contract} contract={contract} />
  const worker = query.get('worker')
  const state = query.get('state') === 'ended' ? 'ended' : 'open'
  return <AllContracts key={`${state} ${worker ?? ''}`} worker={worker} state={state} />
}

interface AllContractsProps {
  readonly worker: string | undefined
  readonly state: 'open' | 'ended'
}

function AllContracts({ worker, state }: AllContractsProps) {
  const limit = useSignal(stepRows)
  const of = { state, ...(worker !== undefined && { worker }) }
  const reading = useReading(
    `contracts ${limit.value}`,
    () => askServer('contracts', '/contracts', { query: { ...of, limit: String(limit.value) } }),
    isOfWork,
  )
  const others = state === 'open' ? 'ended' : 'open'
  const own = worker === undefined ? {} : { worker }
  const more = () => (limit.value += stepRows)
  return (
    <Read reading={reading}>
      {({ rows, next }) => (
        <>
          <ListOfRows
            rows={rows}
            empty={words.empty[state]}
            emptyLead={words.emptyLead}
            onMore={next !== null && limit.value < rowsMax ? more : null}
          >
            {(row) => <ContractItem key={row.contract} row={row} />}
          </ListOfRows>
          <p class="list-note">
            <a href={linkTo(['operating', 'contracts'], { ...own, state: others })}>
              {words.those[others]}
            </a>
          </p>
        </>
      )}
    </Read>
  )
}

// One contract: what is to be done, how it ended or what it waits for, and its attempts. The
// address names the attempt that is shown whole.

function ContractView({ contract }: { readonly contract: string }) {
  const reading = useReading(
    contract,
    () => askServer('contract', '/contracts/{contract}', { in: { contract } }),
    isOfWork,
  )
  return (
    <>
      <BackLink to={linkTo(['operating', 'contracts'])} label={words.back} />
      <Read reading={reading}>{({ contract: shown }) => <ContractOf shown={shown} />}</Read>
    </>
  )
}

interface ContractOfProps {
  readonly shown: ContractShown
}

function ContractOf({ shown }: ContractOfProps) {
  const { contract, position, issuer, worker, task, attempts, cell } = shown
  const moment = momentText({ position, cell })
  return (
    <article aria-labelledby="contract-title">
      <h2 id="contract-title" class="title">
        <Hostile text={task?.taskId ?? contract} max={200} />
      </h2>
      <p class="quiet small">
        {words.issuer} <Hostile text={issuer} max={80} isBrief />
        {worker !== null && (
          <>
            {` ${words.worker} `}
            <Hostile in="a" href={linkToStanding(worker)} text={worker} max={80} isBrief />
          </>
        )}
        {' · '}
        <a href={linkTo(['log', moment])}>
          {words.story} {moment}
        </a>
      </p>
      <ContractState shown={shown} />
      {task === null ? <Notice tone="warm">{words.unreadable}</Notice> : <TaskTexts task={task} />}
      <Section title={words.attempts}>
        {attempts.length === 0 && <p class="quiet">{words.noAttempt}</p>}
        <Ways
          as="bunch filters"
          label={words.attempts}
          ways={attempts.map(({ attempt, found }) => ({
            label: attemptText(attempt, found),
            to: linkToContract(contract, attempt),
            isHere: attempt === shownIn(shown),
          }))}
        />
        <AttemptView shown={shown} attempt={shownIn(shown)} />
      </Section>
    </article>
  )
}

function attemptText(attempt: number, found: AttemptShown['found']): string {
  const verification = found === null ? '' : `: ${words.verification[found.verification]}`
  return `${words.attempt} ${attempt}${verification}`
}

/** The attempt that the address names, else the latest. */
function shownIn({ attempts }: ContractShown): number | null {
  const named = Number(place.value.query.get('attempt') ?? '')
  const found = attempts.find(({ attempt }) => attempt === named) ?? attempts.at(-1)
  return found?.attempt ?? null
}

function ContractState({ shown }: ContractOfProps) {
  const { state, ended } = shown
  if (state === 'open') {
    return (
      <p>
        <span class="state">{words.is.open}</span> <ContractWaits row={shown} />
      </p>
    )
  }
  if (ended === null) {
    return (
      <p>
        <span class="state state-warm">{words.is.void}</span> {words.voidLead}
      </p>
    )
  }
  const { how, score, rule, standing } = ended
  const scored = score === null || rule === null ? null : scoredText({ score, rule })
  return (
    <p>
      <span class={how === 'verified' ? 'state state-good' : 'state'}>{words.is.ended}</span>{' '}
      {contractEndText(how)} {scored === null ? words.unscored : `${scored}.`}
      {'unmoved' in standing && ` ${unmovedText(standing.unmoved)}`}
    </p>
  )
}

const listed = ['acceptanceCriteria', 'constraints', 'requiredFiles'] as const

function TaskTexts({ task }: { readonly task: NonNullable<ContractShown['task']> }) {
  const { objective, runTests, document: text, workspace } = task
  const others = { runTests: runTests?.join(' '), document: text, workspace }
  return (
    <dl class="facts stack">
      <Pair name={words.task.objective}>
        <Hostile text={objective} max={1_000} />
      </Pair>
      {listed
        .filter((key) => task[key].length > 0)
        .map((key) => (
          <Pair name={words.task[key]}>
            <ul>
              <TextList texts={task[key]} max={400} />
            </ul>
          </Pair>
        ))}
      {(['runTests', 'document', 'workspace'] as const).map((key) => {
        const { [key]: value } = others
        if (value === undefined) return null
        return (
          <Pair name={words.task[key]} class="value">
            <Hostile text={value} max={400} />
          </Pair>
        )
      })}
    </dl>
  )
}

// One attempt: what its worker reports, what was judged and what held of its programs, and each
// gate with its findings and evidence. What programs wrote is drawn as text of others.

interface AttemptViewProps {
  readonly shown: ContractShown
  readonly attempt: number | null
}

function AttemptView({ shown, attempt }: AttemptViewProps) {
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
        <Hostile in="pre" class="code" text={JSON.stringify(completion, null, 2)} max={1_000} />
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
              <Hostile in="li" class="value" text={name} max={300} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

// One gate of a verification: its outcome, why, its findings, and what was kept as evidence.

type Gate = NonNullable<AttemptShown['found']>['gates'][number]

const gateTones = {
  pass: 'good',
  fail: 'bad',
  skipped: 'calm',
  inconclusive: 'warm',
  error: 'warm',
} as const

function GateView({ gate }: { readonly gate: Gate }) {
  const { outcome, code, findings, warnings, evidence } = gate
  const [title = '', , why = ''] = gateRow(gate)
  const { values, outputs } = evidenceShown(Object.fromEntries(memberMap(jsonOf(evidence))))
  const hasEvidence = values.length > 0 || outputs.length > 0
  return (
    <li class={`framed marked row marked-${gateTones[outcome]}`}>
      <p class="ends ends-text">
        <span class="row-title">{title}</span>
        <span class={`state state-${gateTones[outcome]}`}>{words.outcome[outcome]}</span>
      </p>
      {why !== '' && (
        <p class="row-text">
          {why} {code !== undefined && <code class="quiet">{code}</code>}
        </p>
      )}
      <Findings title={words.findings} found={findings} />
      <Findings title={words.warnings} found={warnings} />
      {hasEvidence && (
        <Details label={words.evidence} of={title} isOpen={outcome === 'fail'}>
          {values.length > 0 && (
            <dl class="pairs">
              {values.map(({ name, text }) => (
                <>
                  <Hostile in="dt" text={name} max={80} isBrief />
                  <Hostile in="dd" class="value" text={text} max={400} />
                </>
              ))}
            </dl>
          )}
          {outputs.map((output) => (
            <Output output={output} />
          ))}
        </Details>
      )}
    </li>
  )
}

interface FindingsProps {
  readonly title: string
  readonly found: Gate['findings']
}

function Findings({ title, found }: FindingsProps) {
  if (found.length === 0) return null
  return (
    <>
      <p class="quiet small">{title}</p>
      <ul class="bulleted">
        <TextList texts={found.map(findingText)} max={300} />
      </ul>
    </>
  )
}

function Output({ output: { of, bytes, digest, tail } }: { readonly output: OutputShown }) {
  return (
    <>
      <p class="quiet small value">
        {of} {bytes !== null && `${bytes.toLocaleString()} ${words.bytes}`}{' '}
        {digest !== null && <Hostile text={digest} max={120} />}
      </p>
      {tail !== null && <Hostile in="pre" class="code" text={tail} max={2_100} />}
    </>
  )
}
