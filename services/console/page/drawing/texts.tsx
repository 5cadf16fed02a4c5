// Pieces that views are put together from: a part with its heading, a name with its value, texts of
// others in a list, what is folded away, and a thing that is looked through by its name.
import type { ComponentChildren } from 'preact'
import { Hostile } from './hostile.tsx'

interface PartProps {
  readonly title: string
  readonly children: ComponentChildren
}

export function Section({ title, children }: PartProps) {
  return (
    <section class="block">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

interface PairProps {
  readonly name: string
  /** Of the value. */
  readonly class?: string
  readonly children: ComponentChildren
}

export function Pair({ name, class: of, children }: PairProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={of}>{children}</dd>
    </>
  )
}

/** A value of a record, in a list of such. */
export function LeafShown({ name, children }: PairProps) {
  return (
    <div class="leaf">
      <Hostile in="dt" text={name} max={160} isBrief />
      <dd class="value">{children}</dd>
    </div>
  )
}

interface TextsProps {
  readonly texts: readonly string[]
  readonly max: number
  /** What each is drawn in: an item of a list, or a line. */
  readonly in?: 'li' | 'p'
}

export function TextList({ texts, max, in: of = 'li' }: TextsProps) {
  return (
    <>
      {texts.map((text) => (
        <Hostile in={of} text={text} max={max} />
      ))}
    </>
  )
}

/** All of it: what is signed is not cut. */
export function CodeText({ lines }: { readonly lines: readonly string[] }) {
  return <Hostile in="pre" class="code" text={lines.join('\n')} max={60_000} />
}

interface FoldedProps {
  readonly label: ComponentChildren
  /** What it is about, where that is only seen. */
  readonly of?: string
  readonly isOpen?: boolean
  readonly onToggle?: () => void
  readonly children: ComponentChildren
}

export function Details({ label, of, isOpen = false, onToggle, children }: FoldedProps) {
  return (
    <details class="details" open={isOpen} onToggle={onToggle}>
      <summary>
        {label}
        {of !== undefined && <span class="unseen"> {of}</span>}
      </summary>
      {children}
    </details>
  )
}

interface TileProps {
  readonly name: string
  readonly note: string | number
  readonly to: string
  readonly isDrafted?: boolean
}

export function Tile({ name, note, to, isDrafted = false }: TileProps) {
  return (
    <a class={`framed ends ends-text link tile${isDrafted ? ' tile-drafted' : ''}`} href={to}>
      <Hostile text={name} max={120} isBrief />
      <span class="quiet small">{note}</span>
    </a>
  )
}
