// What doctor finds: what failed first, then what it warns of, each with how to fix it, and what
// is as it should be folded away.
import { doctorText } from '#present/console/overseeing/work-text'
import { workLabels } from '#present/console/overseeing/work-labels'
import type { FindingsAnswer } from '#schemas/console/operating'
import { MarkedText } from '../auditing/marked-text.tsx'
import { useAnswer } from '../auditing/reading.ts'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Empty, Notice } from '../drawing/notice.tsx'
import { askServer } from '../shell/requests.ts'
import { ProblemNote } from './room.tsx'

type Finding = FindingsAnswer['findings'][number]

const words = workLabels.doctor

export function Doctor() {
  const { answer, problem, isReading, again } = useAnswer('findings', () =>
    askServer('findings', '/findings'),
  )
  if (problem !== null) return <ProblemNote code={problem} onRetry={again} />
  if (answer === null) return <p class="loading">{words.looking}</p>
  const { at, findings } = answer
  if (at === null) return <Empty title={words.cannot} lead={words.cannotLead} />
  const of = (status: Finding['status']) => findings.filter((one) => one.status === status)
  const [failed, warned, fine] = [of('failure'), of('warning'), of('ok')]
  return (
    <>
      <Notice tone={failed.length > 0 ? 'bad' : warned.length > 0 ? 'warm' : 'good'}>
        <p>{doctorText({ failed: failed.length, warned: warned.length, fine: fine.length })}</p>
        <p class="quiet small">
          {words.at} <MomentShown at={at} />
        </p>
        <button type="button" class="button button-small" disabled={isReading} onClick={again}>
          {isReading ? words.looking : words.again}
        </button>
      </Notice>
      <ul class="stack">
        {[...failed, ...warned].map((finding) => (
          <FindingRow finding={finding} />
        ))}
      </ul>
      <details class="details">
        <summary>
          {words.fine} ({fine.length})
        </summary>
        <ul class="stack">
          {fine.map((finding) => (
            <FindingRow finding={finding} />
          ))}
        </ul>
      </details>
    </>
  )
}

const tones = { ok: 'good', warning: 'warm', failure: 'bad' } as const

function FindingRow({ finding }: { readonly finding: Finding }) {
  const { check, about, status, found, fix } = finding
  return (
    <li class={`framed marked row marked-${tones[status]}`}>
      <p class="ends ends-text">
        <span class="row-title">
          <code>{check}</code>
          {about !== '' && (
            <>
              {' '}
              <Hostile text={about} max={160} isBrief />
            </>
          )}
        </span>
        <span class={`state state-${tones[status]}`}>{words.is[status]}</span>
      </p>
      <p class="row-text">
        <MarkedText text={found} max={600} />
      </p>
      {fix !== null && (
        <p class="row-text">
          <span class="strong">{words.fix}</span> <MarkedText text={fix} max={600} />
        </p>
      )}
    </li>
  )
}
