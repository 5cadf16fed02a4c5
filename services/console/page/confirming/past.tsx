// What was answered, expired or withdrawn: nothing that was asked ever disappears.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { titleOf } from '#present/console/name-words'
import { endedText } from '#present/console/problem-text'
import type { LogPositions } from '#schemas/console/positions'
import type { PastReview } from '#schemas/operations/reviews'
import { Button } from '../drawing/button.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Empty, Failed } from '../drawing/notice.tsx'
import { linkTo } from '../shell/address.ts'
import { useDoing } from '../shell/doing.ts'
import { askServer } from '../shell/requests.ts'
import { person } from '../shell/session.ts'

export function Past() {
  const found = useSignal<readonly PastReview[] | null>(null)
  const next = useSignal<LogPositions | null>(null)
  const { problem, run } = useDoing()
  const read = async (cursor: LogPositions | null): Promise<void> => {
    const mine = { person: person.value?.id ?? '' }
    const query = { ...mine, ...(cursor !== null && { cursor: String(cursor) }) }
    const answer = await askServer('pastReviews', '/past-reviews', { query })
    found.value = [...(cursor === null ? [] : (found.value ?? [])), ...answer.rows]
    next.value = answer.next
  }
  const readFrom = (cursor: LogPositions | null) => void run(() => read(cursor))
  useEffect(() => readFrom(null), [])
  return (
    <section class="pane">
      <h1>{labels.views.past}</h1>
      {problem !== null && <Failed code={problem} onRetry={() => readFrom(null)} />}
      {found.value?.length === 0 && <Empty title={labels.past.empty} lead={labels.past.lead} />}
      <ul class="framed lined past">
        {found.value?.map((row) => (
          <li>
            <a class="link ends past-line" href={linkTo(['reviews', row.intent])}>
              <span class="grow tight">
                <span class="one-line line-title">
                  <Hostile text={titleOf(row.tool)} max={60} isBrief />
                </span>
                <span class={`ended ended-${row.ended}`}>{endedText(row.ended)}</span>
                <Hostile in="span" class="quiet" text={row.agent} max={40} isBrief />
              </span>
              <span class="fixed quiet">
                <MomentShown at={row.endedAt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {next.value !== null && <Button label={labels.more} onPress={() => readFrom(next.value)} />}
    </section>
  )
}
