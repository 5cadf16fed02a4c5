// How many answers are left of the day, and beyond them what can be done: decline, or answer
// several together.
import { answersLeftText, attendingLabels, beyondText } from '#present/console/attending-text'
import type { AnswersLeft } from '#schemas/console/attending'
import { inboxOrder } from '../confirming/inbox-state.ts'
import { Button } from '../drawing/button.tsx'
import { MomentShown } from '../drawing/moment.tsx'
import { Notice } from '../drawing/notice.tsx'
import { answersToday, together } from './answers-left.ts'

/** As many as one can read in one go. */
const offeredMax = 10

/** What is begun, and else the first in the inbox. */
function offerTogether({ cell, unfinished }: AnswersLeft): void {
  const own = inboxOrder.value.filter((row) => row.cell === cell)
  const first = own.slice(0, offeredMax).map(({ intent }) => intent)
  together.value = unfinished.length > 0 ? unfinished : first
}

/** Of each cell, which counts its own questions. */
export function AnswersLeftNotes() {
  return (
    <>
      {answersToday.value.map((left) => (
        <div class="fixed answers-left">
          {left.left > 0 ? (
            <p class="quiet small">{answersLeftText(left)}</p>
          ) : (
            <Beyond left={left} />
          )}
        </div>
      ))}
    </>
  )
}

/** Stands where a yes counts only together with others. */
export function Beyond({ left }: { readonly left: AnswersLeft }) {
  const { nextAt, unfinished } = left
  return (
    <Notice tone="warm">
      <p>
        <strong>{answersLeftText(left)}.</strong> {beyondText(unfinished.length)}
        {nextAt !== null && (
          <>
            {' '}
            {attendingLabels.again} <MomentShown at={nextAt} />.
          </>
        )}
      </p>
      <Button
        is="small"
        label={unfinished.length > 0 ? attendingLabels.goOn : attendingLabels.together}
        onPress={() => offerTogether(left)}
      />
    </Notice>
  )
}
