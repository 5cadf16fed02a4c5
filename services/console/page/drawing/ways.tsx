// Ways between views that belong together, of which one is here, and the way back from one.
import type { ComponentChildren } from 'preact'

interface Way {
  readonly label: ComponentChildren
  readonly to: string
  readonly isHere: boolean
  /** Shown beside the label where it is not zero. */
  readonly count?: number
}

interface WaysProps {
  /** Tabs name views, filters what is left of one. */
  readonly as?: 'tabs' | 'tabs tabs-lined' | 'bunch filters'
  readonly label: string
  readonly ways: readonly Way[]
}

export function Ways({ as = 'tabs', label, ways }: WaysProps) {
  const name = as === 'bunch filters' ? 'filter' : undefined
  return (
    <nav class={as} aria-label={label}>
      {ways.map(({ label: text, to, isHere, count = 0 }) => (
        <a class={name} href={to} aria-current={isHere ? 'page' : undefined}>
          {text}
          {count > 0 && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  )
}

interface BackProps {
  readonly to: string
  readonly label: string
}

export function BackLink({ to, label }: BackProps) {
  return (
    <a class="back-link" href={to}>
      ‹ {label}
    </a>
  )
}

/** Where on a wide screen the list stands beside. */
export function BackToList({ to, label }: BackProps) {
  return (
    <a class="back" href={to}>
      <span aria-hidden="true">←</span> {label}
    </a>
  )
}
