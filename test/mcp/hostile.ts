// A server of tools that says what a test has it say, and the proxy before it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ToolServer } from '#schemas/action/driver'
import { endWithTest } from '../support/vitest/endings.ts'
import { proxied, type ProxiedSetup } from './proxied.ts'

const program = join(import.meta.dirname, 'hostile-server.mjs')

interface Said {
  readonly tools?: readonly object[]
  /** By method: a `result` or an `error`. */
  readonly answers?: Readonly<Record<string, object>>
  /** What it says unasked, before it answers a call of a tool. */
  readonly unasked?: readonly { readonly method: string; readonly params?: object }[]
}

/** A tool as such a server lists it. */
export function toolOf(name: string, more: object = {}) {
  return { name, description: `the tool ${name}`, inputSchema: { type: 'object' }, ...more }
}

export async function hostile(said: Said, setup: ProxiedSetup) {
  const folder = await mkdtemp(join(tmpdir(), 'warrant-mcp-hostile-'))
  const file = join(folder, 'said.json')
  const says = (next: Said) => writeFile(file, JSON.stringify(next))
  await says(said)
  endWithTest(() => rm(folder, { recursive: true }))
  const server = ToolServer.parse({ id: 'hostile', command: [process.execPath, program, file] })
  return { ...(await proxied({ server, ...setup })), says }
}
