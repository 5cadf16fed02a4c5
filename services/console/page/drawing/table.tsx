// A table by its columns, of which the first names the row. On a phone its rows are cards.
import type { ComponentChildren } from 'preact'
import { useInView } from './in-view.ts'

export interface Column<Of> {
  readonly label: string
  readonly cell: (row: Of) => ComponentChildren
  readonly class?: string
}

interface TableProps<Of> {
  readonly columns: readonly Column<Of>[]
  readonly rows: readonly Of[]
  readonly keyOf: (row: Of) => string | number
  readonly caption?: string
  readonly isOfTwo?: boolean
  /** The row that the address names. */
  readonly isHere?: (row: Of) => boolean
}

export function Table<Of>({ columns, rows, keyOf, caption, isOfTwo, isHere }: TableProps<Of>) {
  return (
    <table class={isOfTwo === true ? 'framed table table-of-two' : 'framed table'}>
      {caption !== undefined && <caption class="unseen">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ label }) => (
            <th scope="col">{label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Line key={keyOf(row)} row={row} columns={columns} isHere={isHere?.(row) === true} />
        ))}
      </tbody>
    </table>
  )
}

interface LineProps<Of> {
  readonly row: Of
  readonly columns: readonly Column<Of>[]
  readonly isHere: boolean
}

function Line<Of>({ row, columns: [first, ...others], isHere }: LineProps<Of>) {
  const line = useInView<HTMLTableRowElement>(isHere)
  return (
    <tr ref={line} class={isHere ? 'row-here' : undefined}>
      <th scope="row" class={first?.class}>
        {first?.cell(row)}
      </th>
      {others.map(({ label, cell, class: name }) => (
        <td data-label={label} class={name}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}
