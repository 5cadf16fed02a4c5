// One request in the inbox: what, by whom, with what, and how long there is to answer.
import { standsHereText } from '#present/console/beside-words'
import { labels } from '#present/console/labels'
import { lineArguments, lineState } from '#present/console/row-text'
import { weightOf } from '#present/console/card-text'
import type { InboxRow } from '#schemas/console/reviews'
import { Hostile } from '../drawing/hostile.tsx'
import { Countdown } from '../drawing/moment.tsx'
import { linkTo } from '../shell/address.ts'
import { isSetAside } from './inbox-state.ts'

interface InboxLineProps {
  readonly row: InboxRow
  readonly isHere: boolean
  /** Null where none is being chosen. */
  readonly isChosen: boolean | null
  readonly onToggle: () => void
}

export function InboxLine({ row, isHere, isChosen, onToggle }: InboxLineProps) {
  const { weight } = weightOf(row.safetyClass)
  const state = lineState(row)
  const why = standsHereText(row)
  return (
    <div class={`framed marked line line-${weight}${isHere ? ' line-here' : ''}`}>
      {isChosen !== null && (
        <label class="choose-one">
          <input type="checkbox" checked={isChosen} onChange={onToggle} />
          <span class="unseen">{row.capability}</span>
        </label>
      )}
      <a
        class="link line-link"
        href={linkTo(['reviews', row.intent])}
        aria-current={isHere || undefined}
      >
        <span class="ends ends-text">
          <span class="one-line line-title">
            <Hostile text={row.capability} max={60} isBrief />
          </span>
          <Countdown until={row.decideBy} />
        </span>
        <span class="one-line line-args">
          <Hostile text={lineArguments(row)} max={110} isBrief />
        </span>
        <span class="quiet small one-line">
          <Hostile text={row.agent} max={40} isBrief />
          {state !== null && <span> · {state}</span>}
          {why !== null && (
            <span class="strong">
              {' · '}
              <Hostile text={why} max={80} isBrief />
            </span>
          )}
          {isSetAside(row) && <span class="tag">{labels.inbox.setAside}</span>}
        </span>
      </a>
    </div>
  )
}
