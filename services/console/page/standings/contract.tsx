// One contract: what is to be done, how it ended or what it waits for, and its attempts. The
// address names the attempt that is shown whole.
import { contractLabels } from '#present/work/standing-labels'
import { contractEndText, scoredText, unmovedText } from '#present/work/standing-text'
import { momentText } from '#schemas/console/positions'
import type { ContractShown } from '#schemas/operations/contracts'
import { Hostile } from '../drawing/hostile.tsx'
import { Notice } from '../drawing/notice.tsx'
import { useReading } from '../operating/reading.ts'
import { Read } from '../operating/room.tsx'
import { linkTo, place } from '../shell/address.ts'
import { setServerTime } from '../shell/clock.ts'
import { askServer } from '../shell/requests.ts'
import { AttemptView } from './attempt.tsx'
import { ContractWaits } from './contract-line.tsx'
import { linkToContract, linkToStanding, workKindsSeen } from './links.ts'

const words = contractLabels

async function readContract(contract: string): Promise<ContractShown> {
  const answer = await askServer('contract', '/contracts/{contract}', { in: { contract } })
  setServerTime(answer.now)
  return answer.contract
}

export function ContractView({ contract }: { readonly contract: string }) {
  const reading = useReading(contract, () => readContract(contract), workKindsSeen)
  return (
    <>
      <a class="back-link" href={linkTo(['operating', 'contracts'])}>
        ‹ {words.back}
      </a>
      <Read reading={reading}>{(shown) => <ContractOf shown={shown} />}</Read>
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
            <a href={linkToStanding(worker)}>
              <Hostile text={worker} max={80} isBrief />
            </a>
          </>
        )}
        {' · '}
        <a href={linkTo(['log', moment])}>
          {words.story} {moment}
        </a>
      </p>
      <ContractState shown={shown} />
      {task === null ? <Notice tone="warm">{words.unreadable}</Notice> : <TaskTexts task={task} />}
      <section class="block">
        <h2>{words.attempts}</h2>
        {attempts.length === 0 && <p class="quiet">{words.noAttempt}</p>}
        <ol class="bunch filters">
          {attempts.map(({ attempt, found }) => (
            <li>
              <a
                class="filter"
                href={linkToContract(contract, attempt)}
                aria-current={attempt === shownIn(shown) ? 'true' : undefined}
              >
                {words.attempt} {attempt}
                {found !== null && `: ${words.verification[found.verification]}`}
              </a>
            </li>
          ))}
        </ol>
        <AttemptView shown={shown} attempt={shownIn(shown)} />
      </section>
    </article>
  )
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
    <dl class="facts">
      <dt>{words.task.objective}</dt>
      <dd>
        <Hostile text={objective} max={1_000} />
      </dd>
      {listed
        .filter((key) => task[key].length > 0)
        .map((key) => (
          <>
            <dt>{words.task[key]}</dt>
            <dd>
              <ul>
                {task[key].map((one) => (
                  <li>
                    <Hostile text={one} max={400} />
                  </li>
                ))}
              </ul>
            </dd>
          </>
        ))}
      {(['runTests', 'document', 'workspace'] as const).map((key) => {
        const { [key]: value } = others
        if (value === undefined) return null
        return (
          <>
            <dt>{words.task[key]}</dt>
            <dd class="value">
              <Hostile text={value} max={400} />
            </dd>
          </>
        )
      })}
    </dl>
  )
}
