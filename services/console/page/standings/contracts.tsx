// The contracts that are open, the oldest first, or one with its attempts.
import { useSignal } from '@preact/signals'
import { labels } from '#present/console/labels'
import { contractLabels } from '#present/work/standing-labels'
import type { ContractsAnswer } from '#schemas/console/standings'
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
  return <AllContracts key={worker ?? ''} worker={worker} />
}

async function readContracts(query: Readonly<Record<string, string>>): Promise<ContractsAnswer> {
  const answer = await askServer('contracts', '/contracts', { query })
  setServerTime(answer.now)
  return answer
}

function AllContracts({ worker }: { readonly worker: string | undefined }) {
  const limit = useSignal(stepRows)
  const of = worker === undefined ? {} : { worker }
  const reading = useReading(
    `contracts ${limit.value}`,
    () => readContracts({ ...of, limit: String(limit.value) }),
    workKindsSeen,
  )
  const ended = linkTo(['log'], { kind: 'verification' })
  return (
    <Read reading={reading}>
      {({ contracts, next }) => (
        <>
          {contracts.length === 0 && <Empty title={words.empty} lead={words.emptyLead} />}
          <ul class="stack">
            {contracts.map((row) => (
              <ContractItem key={row.contract} row={row} />
            ))}
          </ul>
          {next !== null && limit.value < rowsMax && (
            <button type="button" class="button" onClick={() => (limit.value += stepRows)}>
              {labels.more}
            </button>
          )}
          <p class="list-note">
            <a href={ended}>{words.ended}</a>
          </p>
        </>
      )}
    </Read>
  )
}
