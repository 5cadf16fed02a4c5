// A short text about what is not as it should be, with what can be done about it.
import type { ComponentChildren } from 'preact'
import { consoleProblemText } from '#present/console/problem-text'
import { labels } from '#present/console/labels'
import { Button } from './button.tsx'

interface NoticeProps {
  readonly tone: 'calm' | 'warm' | 'bad' | 'good'
  readonly children: ComponentChildren
}

export function Notice({ tone, children }: NoticeProps) {
  return (
    <div class={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : 'note'}>
      {children}
    </div>
  )
}

interface FailedProps {
  readonly code: string
  readonly onRetry?: () => void
}

/** What these say stays so, however often it is asked. */
const lasting: ReadonlySet<string> = new Set(['not_found', 'name_unknown', 'forbidden'])

export function Failed({ code, onRetry }: FailedProps) {
  return (
    <Notice tone="bad">
      <p>{consoleProblemText(code)}</p>
      {onRetry !== undefined && !lasting.has(code) && (
        <Button label={labels.retry} onPress={onRetry} />
      )}
    </Notice>
  )
}

export function Empty({ title, lead }: { readonly title: string; readonly lead: string }) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      <p>{lead}</p>
    </div>
  )
}
