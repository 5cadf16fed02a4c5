// Public servers of MCP, for tests before which the proxy stands. Where they are not, those tests
// are skipped, and the run reports it at its end.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { assert } from '#record/fault'

/** As `.ci/servers` brings them. */
const version = '2026.8.31'

const given = process.env['WARRANT_MCP_SERVERS'] ?? ''
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
const folder = given === '' ? join(cache, 'warrant-ci', `mcp-servers-${version}`) : given

/** CI demands them with `WARRANT_MCP_SERVERS`. */
export const hasMcpServers: boolean = existsSync(programOf('everything'))
assert(hasMcpServers || given === '', 'WARRANT_MCP_SERVERS is a folder with those servers')

export type PublicServer = 'everything' | 'filesystem' | 'memory'

/** The command that starts it over pipes. */
export function publicServer(name: PublicServer, ...args: readonly string[]): readonly string[] {
  return [process.execPath, programOf(name), ...args]
}

function programOf(name: PublicServer): string {
  const place = ['node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js']
  return join(folder, ...place)
}
