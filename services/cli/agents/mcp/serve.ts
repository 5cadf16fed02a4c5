// `warrant mcp serve`: opens the log to read it, and answers what auditors and operators ask of it
// by the Model Context Protocol, until the client leaves or it is interrupted.
import { cellIn, controlPlace } from '#record/names'
import { aborted } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import type { Listen } from '#serving/listening'
import { tokenBook } from '#serving/token-file'
import { exitCodes } from '#schemas/faults/exit'
import type { ValueKind } from '#schemas/values'
import { askedLog } from '#mcp/serve/asked-log'
import { auditOverHttp, auditOverPipes } from '#mcp/serve/audit-serving'
import { stages } from '#workers/stages'
import { logsMeant, realmCells, refuseSeveral } from '#cli/terminal/opening/cells/logs'
import { onInterrupt } from '#cli/terminal/opening/interrupt'
import { rootKeyFor, withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { tokenFileFor } from '../tokens/run.ts'
import { demandLocal, servedOverHttp, servedOverPipes } from './served.ts'

interface McpServeOptions extends GlobalOptions {
  readonly listen?: Listen
  readonly tokens?: string
  readonly reveal?: readonly ValueKind[]
  /** Milliseconds. */
  readonly time?: number
}

export async function mcpServe(options: McpServeOptions): Promise<number> {
  const { listen, realm, reveal = [], time } = options
  demandLocal(listen, 7719)
  if (listen === undefined && options.tokens !== undefined) {
    throw usage('--tokens goes with --listen: over pipes no one is asked for a token')
  }
  refuseSeveral(await logsMeant(options), '`mcp serve`')
  const control = { ...options, realm: controlPlace(realm).realm }
  const cells = cellIn(realm) === null ? null : ((await realmCells(control))?.count ?? null)
  const interrupt = onInterrupt()
  try {
    return await withRuntime(options, { reads: true, level: 'warn', awaits: true }, async (of) => {
      const asked = askedLog({
        runtime: of,
        rootKey: rootKeyFor(options),
        cells,
        stages,
        reveal,
        ...(time !== undefined && { bounds: { msMax: time } }),
      })
      const ending = () => Promise.race([aborted(interrupt.signal), failing(of.follower)])
      if (listen === undefined) {
        const { stdin: input, stdout: output } = process
        await servedOverPipes(auditOverPipes(asked, { input, output }), ending)
      } else {
        const serving = auditOverHttp(asked, { tokens: tokenBook(tokenFileFor(options)) })
        await servedOverHttp(serving, { listen, title: 'MCP for auditors', ending })
      }
      return exitCodes.yes
    })
  } finally {
    interrupt.release()
  }
}

/** Rejects when the log is followed no more: what is answered here would be of the past. */
async function failing({ failed }: Runtime['follower']): Promise<never> {
  throw await failed
}
