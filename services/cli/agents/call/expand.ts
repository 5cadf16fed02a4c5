// Shows more of a result that this process's gateway keeps, as its agent may see it now.
import { connect } from '#client/connect'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { onlyAgent } from '../ask/run.ts'
import { withRuntime } from '#cli/terminal/opening/opened'
import { print, printJson } from '#cli/terminal/terminal'
import { shownLines } from './print.ts'

interface ExpandOptions extends GlobalOptions {
  readonly agent?: string
  readonly offset?: number
  readonly limit?: number
  readonly field?: readonly string[]
  readonly filter?: Readonly<Record<string, unknown>>
}

export async function expandCommand(handle: string, options: ExpandOptions): Promise<number> {
  const { offset, limit, field: fields, filter } = options
  return withRuntime(options, {}, async (runtime) => {
    const as = options.agent ?? onlyAgent(runtime.follower.state.catalog)
    const client = await connect({ as, runtime })
    try {
      const frame = await client.expand(handle, {
        ...(offset !== undefined && { offset }),
        ...(limit !== undefined && { limit }),
        ...(fields !== undefined && { fields }),
        ...(filter !== undefined && { filter }),
      })
      if (options.json === true) await printJson(frame)
      else await print(shownLines(frame))
      return exitCodes.yes
    } finally {
      await client.close()
    }
  })
}
