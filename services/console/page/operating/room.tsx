// What stands around several views that belong together: their title, the ways between them, and
// what could not be read.
import type { ComponentChildren } from 'preact'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { overseeingProblemText } from '#present/console/overseeing/overseeing-text'
import { workLabels } from '#present/console/overseeing/work-labels'
import { Button } from '../drawing/button.tsx'
import { Notice } from '../drawing/notice.tsx'
import { Ways } from '../drawing/ways.tsx'
import { linkTo } from '../shell/address.ts'
import { onGathered, type LogEvent } from '../shell/live.ts'
import { codeOf } from '../shell/requests.ts'
import { noteSignedOut } from '../shell/session.ts'

// An answer of the server that stays as new as the log: it is read again when something happens,
// and what was read before stays on the screen while it cannot be read.

export interface Reread<T> {
  /** What was read last; null where nothing was yet. */
  readonly value: T | null
  /** Why it could not be read the last time. */
  readonly problem: string | null
  readonly isReading: boolean
  readonly again: () => Promise<void>
}

const gatherMs = 400

/** `key` names what is read: another one is another reading. `isMeant`: what may change it. */
export function useReading<T>(
  key: string,
  read: () => Promise<T>,
  isMeant: (event: LogEvent | null) => boolean = () => true,
): Reread<T> {
  const value = useSignal<{ readonly of: string; readonly it: T } | null>(null)
  const problem = useSignal<string | null>(null)
  const isReading = useSignal(true)
  const latest = useRef({ key, read })
  latest.current = { key, read }
  const reread = async (): Promise<void> => {
    const asked = latest.current
    // What comes too late for what is asked now is not taken.
    const isLate = () => asked.key !== latest.current.key
    isReading.value = true
    try {
      const it = await asked.read()
      if (isLate()) return
      value.value = { of: asked.key, it }
      problem.value = null
    } catch (error) {
      if (isLate()) return
      problem.value = codeOf(error)
      noteSignedOut(codeOf(error))
    }
    isReading.value = false
  }
  useEffect(() => {
    problem.value = null
    void reread()
    return onGathered(gatherMs, reread, isMeant)
  }, [key])
  const held = value.value?.of === key ? value.value.it : null
  const again = (): Promise<void> => {
    if (held === null) problem.value = null
    return reread()
  }
  return { value: held, problem: problem.value, isReading: isReading.value, again }
}

/** What happens does not change it. */
export function useOnce<T>(key: string, read: () => Promise<T>): Reread<T> {
  return useReading(key, read, () => false)
}

interface RoomProps<View extends string> {
  readonly view: string
  readonly words: {
    readonly title: string
    readonly tabs: string
    readonly views: Readonly<Record<View, string>>
  }
  readonly views: readonly View[]
  /** Of some views, how much there is in them. */
  readonly counts: { readonly [Each in View]?: number | undefined }
  readonly here: View
  readonly children: ComponentChildren
}

export function RoomOfViews<View extends string>(props: RoomProps<View>) {
  const { view, words, views, counts, here, children } = props
  const ways = views.map((id) => ({
    label: words.views[id],
    to: linkTo([view, id]),
    isHere: id === here,
    count: counts[id] ?? 0,
  }))
  return (
    <div class="column">
      <header class="fixed room-head">
        <h1>{words.title}</h1>
        <Ways label={words.tabs} ways={ways} />
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
      {onRetry !== undefined && <Button is="small" label={labels.retry} onPress={onRetry} />}
    </Notice>
  )
}
