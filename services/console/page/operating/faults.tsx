// Jobs that stages have set aside, the newest first, and trying one again.
import { useSignal } from '@preact/signals'
import { retryText, stageText } from '#present/console/overseeing/work-text'
import { workLabels } from '#present/console/overseeing/work-labels'
import type { FaultsAnswer } from '#schemas/console/operating'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Empty } from '../drawing/notice.tsx'
import { linkTo } from '../shell/address.ts'
import { announce } from '../shell/announcer.tsx'
import { askServer, codeOf } from '../shell/requests.ts'
import { person } from '../shell/session.ts'
import type { Reread } from './reading.ts'
import { ProblemNote, Read } from './room.tsx'

type Fault = FaultsAnswer['faults'][number]

const words = workLabels.faults

export function Faults({ reading }: { readonly reading: Reread<FaultsAnswer> }) {
  return (
    <Read reading={reading}>
      {({ faults }) => (
        <>
          {faults.length === 0 && <Empty title={words.empty} lead={words.emptyLead} />}
          <ul class="stack">
            {faults.map((fault) => (
              <FaultRow key={fault.name} fault={fault} onChange={reading.again} />
            ))}
          </ul>
        </>
      )}
    </Read>
  )
}

interface FaultRowProps {
  readonly fault: Fault
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
        <span class="row-age">
          <MomentShown at={appendedAt} />
        </span>
      </p>
      <p class="row-text">
        <Hostile text={message} max={600} />
      </p>
      <p class="quiet small">
        {intent === null ? (
          <Hostile text={about} max={200} isBrief />
        ) : (
          <a href={linkTo(['intents', intent])}>
            <Hostile text={intent} max={200} isBrief />
          </a>
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
}: {
  readonly name: string
  readonly onChange: () => Promise<void>
}) {
  const isBusy = useSignal(false)
  const came = useSignal<string | null>(null)
  const problem = useSignal<string | null>(null)
  const retry = async (): Promise<void> => {
    isBusy.value = true
    problem.value = null
    try {
      const { outcome } = await askServer('faultRetry', '/faults/retry', { body: { name } })
      came.value = retryText(outcome)
      announce(retryText(outcome))
      await onChange()
    } catch (error) {
      problem.value = codeOf(error)
    } finally {
      isBusy.value = false
    }
  }
  if (person.value?.rights.includes('operator') !== true) {
    return <p class="quiet small">{words.only}</p>
  }
  return (
    <div class="bunch below">
      {problem.value !== null && <ProblemNote code={problem.value} />}
      {came.value !== null && <p class="row-came">{came.value}</p>}
      <button
        type="button"
        class="button button-small"
        disabled={isBusy.value}
        onClick={() => void retry()}
      >
        {isBusy.value ? words.retrying : words.retry}
      </button>
    </div>
  )
}
