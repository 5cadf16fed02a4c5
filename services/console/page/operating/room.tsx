// What stands around several views that belong together: their title, the ways between them, and
// what could not be read.
import type { ComponentChildren } from 'preact'
import { labels } from '#present/console/labels'
import { overseeingProblemText } from '#present/console/overseeing/overseeing-text'
import { workLabels } from '#present/console/overseeing/work-labels'
import { Notice } from '../drawing/notice.tsx'
import { linkTo } from '../shell/address.ts'
import type { Reread } from './reading.ts'

export interface Tab {
  readonly id: string
  readonly label: string
  /** Shown beside the label where it is not zero. */
  readonly count?: number
}

interface RoomProps {
  readonly view: string
  readonly title: string
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly here: string
  readonly children: ComponentChildren
}

export function RoomOfViews({ view, title, label, tabs, here, children }: RoomProps) {
  return (
    <div class="column">
      <header class="fixed room-head">
        <h1>{title}</h1>
        <nav class="tabs" aria-label={label}>
          {tabs.map(({ id, label: name, count = 0 }) => (
            <a href={linkTo([view, id])} aria-current={id === here ? 'page' : undefined}>
              {name}
              {count > 0 && <span class="count">{count}</span>}
            </a>
          ))}
        </nav>
      </header>
      <div class="scroll room-body">{children}</div>
    </div>
  )
}

interface ReadProps<T> {
  readonly reading: Reread<T>
  readonly children: (value: T) => ComponentChildren
}

/** Draws what was read; before it that it loads, and above it that it is old where it is. */
export function Read<T>({ reading, children }: ReadProps<T>) {
  const { value, problem, again } = reading
  if (value === null && problem === null) return <p class="loading">{labels.loading}</p>
  return (
    <>
      {problem !== null && (
        <ProblemNote code={problem} isOld={value !== null} onRetry={() => void again()} />
      )}
      {value !== null && children(value)}
    </>
  )
}

interface ProblemNoteProps {
  readonly code: string
  readonly isOld?: boolean
  readonly onRetry?: () => void
}

export function ProblemNote({ code, isOld = false, onRetry }: ProblemNoteProps) {
  return (
    <Notice tone={isOld ? 'warm' : 'bad'}>
      {isOld && <p>{workLabels.old}</p>}
      <p>{overseeingProblemText(code)}</p>
      {onRetry !== undefined && (
        <button type="button" class="button button-small" onClick={onRetry}>
          {labels.retry}
        </button>
      )}
    </Notice>
  )
}
