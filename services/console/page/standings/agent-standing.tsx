// What one agent has earned: where it stands, the steps as a line and as a table, its open
// contracts, and letting it work again. The address names the step that is marked.
import { useSignal } from '@preact/signals'
import { duration } from '#present/wording'
import { standingLabels } from '#present/work/standing-labels'
import { probationText, stepsBeforeText, standingText } from '#present/work/standing-text'
import { momentText } from '#schemas/console/positions'
import type { OperationAnswer } from '#schemas/operations/table'
import { MarkedText } from '../auditing/marked-text.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Notice } from '../drawing/notice.tsx'
import { useReading } from '../operating/reading.ts'
import { Read } from '../operating/room.tsx'
import { linkTo, place } from '../shell/address.ts'
import { setServerTime } from '../shell/clock.ts'
import { askServer } from '../shell/requests.ts'
import { person } from '../shell/session.ts'
import { ContractItem } from './contract-line.tsx'
import { LevelState } from './level-state.tsx'
import { linkToStanding, workKindsSeen } from './links.ts'
import { ReinstateSheet } from './reinstate-sheet.tsx'
import { DrawnStanding } from './drawn-standing.tsx'
import { StandingSteps } from './standing-steps.tsx'

const words = standingLabels

async function readStanding(agent: string): Promise<OperationAnswer<'standing'>> {
  const answer = await askServer('standing', '/standings/{agent}', { in: { agent } })
  setServerTime(answer.now)
  return answer
}

export function AgentStanding({ agent }: { readonly agent: string }) {
  const reading = useReading(`standing ${agent}`, () => readStanding(agent), workKindsSeen)
  const isReinstating = useSignal(false)
  return (
    <>
      <a class="back-link" href={linkTo(['operating', 'standings'])}>
        ‹ {words.back}
      </a>
      <h2 class="title">
        <Hostile text={agent} max={200} />
      </h2>
      <Read reading={reading}>
        {(answer) => (
          <StandingOf answer={answer} onReinstate={() => (isReinstating.value = true)} />
        )}
      </Read>
      {isReinstating.value && (
        <ReinstateSheet
          agent={agent}
          onClose={() => {
            isReinstating.value = false
            void reading.again()
          }}
        />
      )}
    </>
  )
}

interface StandingOfProps {
  readonly answer: OperationAnswer<'standing'>
  readonly onReinstate: () => void
}

function StandingOf({ answer, onReinstate }: StandingOfProps) {
  const { standing, steps, before, open } = answer
  const { value, level, probation, scored, cell } = standing
  const at = place.value.query.get('at') ?? null
  return (
    <>
      {standing.suspendedBy !== null && <Suspended answer={answer} onReinstate={onReinstate} />}
      <dl class="pairs list-note">
        <dt>{words.columns.value}</dt>
        <dd class="number strong">{standingText(value)}</dd>
        <dt>{words.columns.level}</dt>
        <dd>
          <LevelState level={level} />
        </dd>
        <dt>{words.columns.probation}</dt>
        <dd>{probationText(probation)}</dd>
        <dt>{words.columns.scored}</dt>
        <dd class="number">{scored}</dd>
      </dl>
      {steps.length > 0 && (
        <>
          <DrawnStanding steps={steps} at={at} cell={cell} />
          {before > 0 && <p class="quiet small">{stepsBeforeText(before)}</p>}
          <StandingSteps steps={steps} at={at} standing={standing} />
        </>
      )}
      <section class="block">
        <h2>{words.open}</h2>
        {open.length === 0 && <p class="quiet">{words.openNone}</p>}
        <ul class="stack">
          {open.map((row) => (
            <ContractItem key={row.contract} row={row} />
          ))}
        </ul>
      </section>
    </>
  )
}

function Suspended({ answer, onReinstate }: StandingOfProps) {
  const { standing, reinstateAfterMs } = answer
  const { agent, suspendedBy, cell } = standing
  if (suspendedBy === null) return null
  const moment = momentText({ ...suspendedBy, cell })
  const may = person.value?.rights.includes('operator') === true && person.value.id !== agent
  return (
    <Notice tone="warm">
      <p>
        {words.suspended} {words.suspendedBy} <a href={linkToStanding(agent, moment)}>{moment}</a>.
      </p>
      <p>
        {reinstateAfterMs === null ? (
          words.onlyPeople
        ) : (
          <MarkedText text={`${words.comesBack} ${duration(reinstateAfterMs)}.`} max={200} />
        )}
      </p>
      {may && (
        <button type="button" class="button button-small" onClick={onReinstate}>
          {words.reinstate.act}
          <span class="unseen"> {agent}</span>
        </button>
      )}
    </Notice>
  )
}
