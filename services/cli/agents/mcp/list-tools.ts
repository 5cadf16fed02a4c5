// `warrant mcp tools`: what a server lists as its tools, as `catalog import` and `catalog check`
// read it. It opens no log unless the server is one of the catalog.
import { exitCodes } from '#schemas/faults/exit'
import type { ToolServer } from '#schemas/action/driver'
import { looking } from '#cli/terminal/opening/known-at'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { jsonLines } from '#present/json-lines'
import { write } from '#cli/terminal/terminal'
import { serverBehind, toolsListed, type BehindWords } from './server-behind.ts'

interface McpToolsOptions extends GlobalOptions, BehindWords {}

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
  options: McpToolsOptions,
): Promise<number> {
  const tools = await toolsListed(serverBehind(servers, { ...options, words }))
  await write(`${jsonLines({ tools: [...tools] })}\n`)
  return exitCodes.yes
}
