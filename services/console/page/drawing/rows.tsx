// A list of things, each in its row: what stands there while there is none, and the way to more.
// And figures, which are counted things.
import type { ComponentChildren } from 'preact'
import { labels } from '#present/console/labels'
import { Button } from './button.tsx'
import { Empty } from './notice.tsx'

interface RowsProps<Of> {
  readonly rows: readonly Of[]
  readonly empty: string
  readonly emptyLead: string
  /** Null where there is no more. */
  readonly onMore?: (() => void) | null
  readonly children: (row: Of, index: number) => ComponentChildren
}

export function ListOfRows<Of>({ rows, empty, emptyLead, onMore = null, children }: RowsProps<Of>) {
  return (
    <>
      {rows.length === 0 && <Empty title={empty} lead={emptyLead} />}
      <ul class="stack">{rows.map(children)}</ul>
      {onMore !== null && <Button label={labels.more} onPress={onMore} />}
    </>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: string
  readonly note?: string
  readonly tone?: 'calm' | 'warm' | 'bad'
  readonly to?: string
}

export function Figure({ label, value, note, tone = 'calm', to }: FigureProps) {
  const inside = (
    <>
      <span class="label">{label}</span>
      <span class="figure-value">{value}</span>
      {note !== undefined && <span class="figure-note">{note}</span>}
    </>
  )
  return (
    <li class={`framed figure figure-${tone}`}>
      {to === undefined ? inside : <a href={to}>{inside}</a>}
    </li>
  )
}
