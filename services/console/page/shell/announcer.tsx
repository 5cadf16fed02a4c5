// What changes by itself, once, for those who listen instead of looking.
import { signal } from '@preact/signals'

const said = signal('')

export function announce(text: string): void {
  said.value = text
}

export function Announcer() {
  return (
    <output class="unseen" aria-live="polite">
      {said}
    </output>
  )
}
