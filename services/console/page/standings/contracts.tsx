// The contracts that are open, the oldest first, or one with its attempts.
import { useSignal } from '@preact/signals'
import { labels } from '#present/console/labels'
import { contractLabels } from '#present/work/standing-labels'
import type { OperationAnswer } from '#schemas/operations/table'
import { Empty } from '../drawing/notice.tsx'
import { useReading } from '../operating/reading.ts'
import { Read } from '../operating/room.tsx'
import { linkTo, place } from '../shell/address.ts'
import { setServerTime } from '../shell/clock.ts'
import { askServer } from '../shell/requests.ts'
import { ContractView } from './contract.tsx'
import { ContractItem } from './contract-line.tsx'
import { workKindsSeen } from './links.ts'

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

async function readContracts(
  query: Readonly<Record<string, string>>,
): Promise<OperationAnswer<'contracts'>> {
  const answer = await askServer('contracts', '/contracts', { query })
  setServerTime(answer.now)
  return answer
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
    () => readContracts({ ...of, limit: String(limit.value) }),
    workKindsSeen,
  )
  const others = state === 'open' ? 'ended' : 'open'
  const own = worker === undefined ? {} : { worker }
  return (
    <Read reading={reading}>
      {({ rows, next }) => (
        <>
          {rows.length === 0 && <Empty title={words.empty[state]} lead={words.emptyLead} />}
          <ul class="stack">
            {rows.map((row) => (
              <ContractItem key={row.contract} row={row} />
            ))}
          </ul>
          {next !== null && limit.value < rowsMax && (
            <button type="button" class="button" onClick={() => (limit.value += stepRows)}>
              {labels.more}
            </button>
          )}
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
