// A view whose script is loaded when it is first looked at.
import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { Failed } from '../drawing/notice.tsx'

interface LoadedProps {
  readonly load: () => Promise<FunctionComponent>
}

export function Loaded({ load }: LoadedProps) {
  const view = useSignal<{ readonly Of: FunctionComponent } | null>(null)
  const failed = useSignal(false)
  const again = (): void => {
    failed.value = false
    load().then(
      (Of) => (view.value = { Of }),
      () => (failed.value = true),
    )
  }
  useEffect(again, [])
  if (failed.value) {
    return (
      <section class="pane">
        <Failed code="unreachable" onRetry={again} />
      </section>
    )
  }
  if (view.value === null) return <p class="loading">{labels.loading}</p>
  const { Of } = view.value
  return <Of />
}
