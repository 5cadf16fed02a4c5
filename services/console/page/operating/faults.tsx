// Jobs that stages have set aside, the newest first, and trying one again.
import { useSignal } from '@preact/signals'
import { retryText, stageText } from '#present/console/overseeing/work-text'
import { workLabels } from '#present/console/overseeing/work-labels'
import type { OperationAnswer } from '#schemas/operations/table'
import { Button } from '../drawing/button.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { ListOfRows } from '../drawing/rows.tsx'
import { linkTo } from '../shell/address.ts'
import { announce } from '../shell/announcer.tsx'
import { useDoing } from '../shell/doing.ts'
import { askServer } from '../shell/requests.ts'
import { hasRight } from '../shell/session.ts'
import { type Reread, ProblemNote, Read } from './room.tsx'

type Faults = OperationAnswer<'faults'>

const words = workLabels.faults

export function FaultsView({ reading }: { readonly reading: Reread<Faults> }) {
  return (
    <Read reading={reading}>
      {({ rows }) => (
        <ListOfRows {...words} rows={rows}>
          {(fault) => <FaultRow key={fault.name} fault={fault} onChange={reading.again} />}
        </ListOfRows>
      )}
    </Read>
  )
}

interface FaultRowProps {
  readonly fault: Faults['rows'][number]
  readonly onChange: () => Promise<void>
}

function FaultRow({ fault, onChange }: FaultRowProps) {
  const { queue, cell, code, message, attempts, intent, open, appendedAt, about } = fault
  return (
    <li class={open ? 'framed marked row marked-bad' : 'framed marked row'}>
      <p class="ends ends-text">
        <span class="row-title">
          {stageText(queue, cell)} · <code>{code}</code>
        </span>
        <span class="fixed quiet small number">
          <MomentShown at={appendedAt} />
        </span>
      </p>
      <Hostile in="p" class="row-text" text={message} max={600} />
      <p class="quiet small">
        {intent === null ? (
          <Hostile text={about} max={200} isBrief />
        ) : (
          <Hostile in="a" href={linkTo(['intents', intent])} text={intent} max={200} isBrief />
        )}
        {` · ${attempts} ${words.attempts} · ${open ? words.openNow : words.settled}`}
      </p>
      {open && <Retry name={fault.name} onChange={onChange} />}
    </li>
  )
}

function Retry({
  name,
  onChange,
}: Pick<FaultRowProps, 'onChange'> & Pick<FaultRowProps['fault'], 'name'>) {
  const came = useSignal<string | null>(null)
  const { isBusy, problem, run } = useDoing()
  const retry = async (): Promise<void> => {
    const { outcome } = await askServer('faultRetry', '/faults/retry', { body: { name } })
    came.value = retryText(outcome)
    announce(retryText(outcome))
    await onChange()
  }
  if (!hasRight('operator')) return <p class="quiet small">{words.only}</p>
  const label = isBusy ? words.retrying : words.retry
  return (
    <div class="bunch below">
      {problem !== null && <ProblemNote code={problem} />}
      {came.value !== null && <p class="row-came">{came.value}</p>}
      <Button is="small" label={label} isOff={isBusy} onPress={() => void run(retry)} />
    </div>
  )
}
