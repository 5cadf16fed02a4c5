// The auditor's views are loaded when someone first goes there, so that the start page stays small
// for those who answer on a phone.
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { Failed } from '../drawing/notice.tsx'

const views: ReadonlySet<string> = new Set(['log', 'intents', 'graph', 'compare'])

/** Whether the auditor's part draws that view. */
export function isAuditorView(view: string | undefined): boolean {
  return view !== undefined && views.has(view)
}

const loaded = signal<{ readonly Views: ComponentType } | null>(null)
const hasFailed = signal(false)

async function load(): Promise<void> {
  if (loaded.value !== null) return
  hasFailed.value = false
  try {
    const { compileNothing } = await import('./no-compiling.ts')
    compileNothing()
    const { AuditorViews } = await import('./views.tsx')
    loaded.value = { Views: AuditorViews }
  } catch {
    hasFailed.value = true
  }
}

export function Auditing() {
  useEffect(() => void load(), [])
  if (hasFailed.value) return <Failed code="unreachable" onRetry={() => void load()} />
  if (loaded.value === null) return <p class="loading">{labels.loading}</p>
  const { Views } = loaded.value
  return <Views />
}
