// The server behind the proxy: one session that all share, its tools as it lists them now, and the
// driver by which a gateway carries calls of them out. It judges nothing.
import { isDeepStrictEqual } from 'node:util'
import { mcpDriver } from '#gateway/tools/mcp'
import type { AboutServer, ListedTool } from '#gateway/tools/mcp-library'
import type { McpNotice, Passing, ToolAnswer } from '#gateway/tools/mcp-library'
import type { Secrets } from '#gateway/tools/secrets'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { DriverResult, ToolCall, ToolDriver } from '#ports/tools'
import type { ToolServer } from '#schemas/action/driver'
import type { Capability, JsonObject } from '#schemas/catalog'

export interface BehindOptions {
  readonly server: ToolServer
  /** Whether the catalog has it, under its id. */
  readonly isInCatalog: boolean
  readonly secrets: Secrets
  /** What a program finds in its environment. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface Behind {
  /** Its id in the catalog; null where that does not have it. */
  readonly id: string | null
  readonly server: ToolServer
  /** Carries out what the catalog gives to this server; closed with it. */
  readonly driver: ToolDriver
  about(signal: AbortSignal): Promise<AboutServer>
  tools(signal: AbortSignal): Promise<readonly ListedTool[]>
  /** One call of a capability that no driver of the catalog carries out. */
  run(call: Omit<ToolCall, 'server'>, tool: string): Promise<DriverResult>
  /** Passes on what calls no tool. */
  pass(request: McpNotice, passing: Passing): Promise<JsonObject>
  /** Before a call with that key: who learns how far it is. */
  expect(key: string, onProgress: Passing['onProgress']): void
  /** After it: the whole answer, once; null where none came. */
  answered(key: string): ToolAnswer | null
  /** Calls it for what the server says unasked, until what it returns is called. */
  listen(listener: (notice: McpNotice) => void): () => void
  /** Asks for the tools again: what was listed is known not to hold. */
  forget(): void
  close(): Promise<void>
}

/** So long a list is believed, unless the server says that it changed. */
const listedMs = 60_000

interface Expected {
  readonly onProgress: Passing['onProgress']
  answer: ToolAnswer | null
}

export function behindAt({ server, isInCatalog, secrets, environment }: BehindOptions): Behind {
  const id = isInCatalog ? server.id : null
  const expected = new Map<string, Expected>()
  const listeners = new Set<(notice: McpNotice) => void>()
  let listed: { readonly at: number; readonly tools: Promise<readonly ListedTool[]> } | null = null
  const inner = mcpDriver({
    secrets,
    ...(environment && { environment }),
    relay: {
      onAnswer(answer, { key }) {
        const call = expected.get(key)
        if (call !== undefined) call.answer = answer
      },
      onProgress: ({ key }) => expected.get(key)?.onProgress ?? null,
      onNotice(notice) {
        if (notice.method === 'notifications/tools/list_changed') listed = null
        for (const listener of listeners) listener(notice)
      },
    },
  })
  return {
    id,
    server,
    driver: {
      kind: 'mcp',
      describe: (call) => inner.describe({ ...call, server }),
      // The catalog may have been changed since this session began: then it is another server.
      run: async (call) => {
        if (isDeepStrictEqual(call.server, server)) return inner.run(call)
        throw new ToolFailure('unknown_server', 'no')
      },
      close: () => inner.close(),
    },
    about: (signal) => inner.about(server, signal),
    tools(signal) {
      const now = performance.now()
      if (listed !== null && now - listed.at < listedMs) return listed.tools
      const tools = inner.list(server, signal)
      const mine = { at: now, tools }
      listed = mine
      tools.catch(() => {
        if (listed === mine) listed = null
      })
      return tools
    },
    run: (call, tool) => inner.run({ ...call, ...drivenBy(call.capability, server, tool) }),
    pass: (request, passing) => inner.pass(server, request, passing),
    expect: (key, onProgress) => void expected.set(key, { onProgress, answer: null }),
    answered(key) {
      const answer = expected.get(key)?.answer ?? null
      expected.delete(key)
      return answer
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forget: () => void (listed = null),
    close: () => inner.close(),
  }
}

function drivenBy(capability: Capability, server: ToolServer, tool: string) {
  const driver = { kind: 'mcp' as const, server: server.id, tool }
  return { capability: { ...capability, driver }, server }
}
