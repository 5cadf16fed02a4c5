// Makes a log file of facts that another log has already: at their positions and with their times.
// It must never touch a file that is there, and never leave a gap.
import { existsSync } from 'node:fs'
import { Fault } from '#record/fault'
import type { Fact } from '#ports/log'
import { Connection } from './connection.ts'
import { FactTable } from './facts.ts'
import { markFirst, prepareSchema } from './schema.ts'

/** So many facts share a transaction. */
const batchFactsMax = 1_000

/**
 * Returns how many it has. All of it is on the disk when this resolves. `from`: the position of the
 * first, where the eras before it are elsewhere.
 */
export async function importFacts(
  path: string,
  facts: AsyncIterable<Fact>,
  from = 1,
): Promise<number> {
  if (existsSync(path)) throw new Fault('already_there', `\`${path}\` exists`)
  const connection = new Connection(path)
  try {
    prepareSchema(connection)
    if (from > 1) markFirst(connection, from)
    connection.configure('full')
    const table = new FactTable(connection)
    let last = from - 1
    let batch: Fact[] = []
    const insert = (): void => {
      connection.transact(() => {
        for (const fact of batch) last = inserted(table, fact, last)
      })
      batch = []
    }
    for await (const fact of facts) {
      batch.push(fact)
      if (batch.length === batchFactsMax) insert()
    }
    insert()
    return last - from + 1
  } finally {
    connection.close()
  }
}

function inserted(table: FactTable, fact: Fact, last: number): number {
  const { position, name } = fact
  if (position !== last + 1) {
    throw new Fault('log_torn', `position ${last + 1} is missing before ${position}`)
  }
  if (table.insert(fact)) return position
  throw new Fault('log_torn', `position ${position} binds \`${name}\`, which is bound before it`)
}
