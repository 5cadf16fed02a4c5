// The rows of a query in pages, for all at once could be more than fit into memory.
import type { CypherRow, RunCypher } from './link.ts'

const pageMax = 500

interface Paging {
  /** Rows come after this key, in the order of their keys. */
  readonly after: number | string
  readonly keyOf: (row: CypherRow) => unknown
  readonly params?: Readonly<Record<string, unknown>>
}

/** The query takes `$after` and `$pageMax`, beside the parameters that are given. */
export async function* inPages(
  run: RunCypher,
  cypher: string,
  { after: first, keyOf, params = {} }: Paging,
): AsyncGenerator<CypherRow> {
  for (let after = first; ;) {
    const rows = await run(cypher, { ...params, after, pageMax })
    yield* rows
    const last = keyOf(rows.at(-1) ?? {})
    if (rows.length < pageMax || (typeof last !== 'number' && typeof last !== 'string')) return
    after = last
  }
}
