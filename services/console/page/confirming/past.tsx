// What was answered, expired or withdrawn: nothing that was asked ever disappears.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { endedText } from '#present/console/problem-text'
import type { PastRow } from '#schemas/console/reviews'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Empty, Failed } from '../drawing/notice.tsx'
import { linkTo } from '../shell/address.ts'
import { askServer, codeOf } from '../shell/requests.ts'

export function Past() {
  const found = useSignal<readonly PastRow[] | null>(null)
  const next = useSignal<string | null>(null)
  const problem = useSignal<string | null>(null)
  const read = async (after: string | null): Promise<void> => {
    problem.value = null
    try {
      const query = { state: 'past', ...(after !== null && { after }) }
      const answer = await askServer('inbox', '/inbox', { query })
      found.value = [...(after === null ? [] : (found.value ?? [])), ...answer.past]
      next.value = answer.next
    } catch (error) {
      problem.value = codeOf(error)
    }
  }
  useEffect(() => void read(null), [])
  return (
    <section class="pane">
      <h1>{labels.views.past}</h1>
      {problem.value !== null && <Failed code={problem.value} onRetry={() => void read(null)} />}
      {found.value?.length === 0 && <Empty title={labels.past.empty} lead={labels.past.lead} />}
      <ul class="framed lined past">
        {found.value?.map((row) => (
          <li>
            <a class="link past-line" href={linkTo(['reviews', row.intent])}>
              <span class={`ended ended-${row.ended}`}>{endedText(row.ended)}</span>
              <span class="one-line line-title">
                <Hostile text={row.capability} max={60} isBrief />
              </span>
              <span class="quiet">
                <Hostile text={row.agent} max={40} isBrief />
              </span>
              <MomentShown at={row.endedAt} />
            </a>
          </li>
        ))}
      </ul>
      {next.value !== null && (
        <button type="button" class="button" onClick={() => void read(next.value)}>
          {labels.more}
        </button>
      )}
    </section>
  )
}
