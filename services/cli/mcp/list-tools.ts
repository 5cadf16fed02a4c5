// `warrant mcp tools`: what a server lists as its tools, as `catalog import` and `catalog check`
// read it. It opens no log unless the server is one of the catalog.
import { exitCodes } from '#schemas/faults/exit'
import type { ToolServer } from '#schemas/action/driver'
import { looking } from '../opening/known-at.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { jsonLines } from '../terminal/json-lines.ts'
import { write } from '../terminal/terminal.ts'
import { serverBehind } from './server-behind.ts'

export interface McpToolsOptions extends GlobalOptions {
  readonly url?: string
  readonly server?: string
}

/** So long a server may take to list them. */
const listMs = 60_000

export async function mcpTools(
  words: readonly string[],
  options: McpToolsOptions,
): Promise<number> {
  if (options.server === undefined) return listed([], words, options)
  return looking(options, 'catalog', async ({ knownAt }) => {
    return listed((await knownAt(undefined)).catalog.servers, words, options)
  })
}

async function listed(
  servers: readonly ToolServer[],
  words: readonly string[],
  { url, server }: McpToolsOptions,
): Promise<number> {
  const behind = serverBehind(servers, {
    words,
    ...(url !== undefined && { url }),
    ...(server !== undefined && { server }),
  })
  try {
    const tools = await behind.tools(AbortSignal.timeout(listMs))
    await write(`${jsonLines({ tools: [...tools] })}\n`)
    return exitCodes.yes
  } finally {
    await behind.close()
  }
}
