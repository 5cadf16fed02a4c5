// Tools of servers that speak the Model Context Protocol. A tool is called by the name that the
// server gives it, with the judged arguments and nothing else; a session serves many calls.
import { ToolFailure } from '#rules/drivers/tool-failure'
import { toolChange } from '#rules/routing/tool-change'
import type { ToolCall, ToolDriver } from '#ports/tools'
import type { Driver, ToolServer } from '#schemas/action/driver'
import { JsonObject } from '#schemas/catalog'
import { exchanges, systemResolve, type Resolve } from '#system/egress/exchange'
import type {
  AboutServer,
  ListedTool,
  McpNotice,
  McpSession,
  Passing,
  ToolAnswer,
} from './mcp-library.ts'
import { mcpSessions, toolFailureIn } from './mcp-sessions.ts'
import { abortFailure } from '#system/egress/aborting'
import { boundedAnswer, guardedRun, guardedShow, writtenAnswer } from './outcome.ts'
import type { ToolAnswered } from './outcome.ts'
import type { Secrets } from './secrets.ts'

export interface McpOptions {
  readonly secrets: Secrets
  readonly resolve?: Resolve
  /** Certificates of authorities, instead of those of the system. */
  readonly ca?: readonly string[]
  /** What a server that is a program finds in its environment; the catalog adds to it. */
  readonly environment?: Readonly<Record<string, string>>
  readonly relay?: McpRelay
}

/** What a proxy takes beside the results: the whole answers, and what servers say unasked. */
export interface McpRelay {
  /** The answer of a call, an error too, before its result is taken out of it. */
  onAnswer(answer: ToolAnswer, call: ToolCall): void
  /** Takes how far a call is; null where no one asks. */
  onProgress(call: ToolCall): Passing['onProgress'] | null
  onNotice(notice: McpNotice): void
}

export interface McpDriver extends ToolDriver {
  /** All tools of the server, as it lists them now: not to be trusted. */
  list(server: ToolServer, signal: AbortSignal): Promise<readonly ListedTool[]>
  /** What the server says of itself. */
  about(server: ToolServer, signal: AbortSignal): Promise<AboutServer>
  /** Passes on a request that calls no tool, as it is. */
  pass(server: ToolServer, notice: McpNotice, passing: Passing): Promise<JsonObject>
}

type McpTool = Extract<Driver, { kind: 'mcp' }>

export function mcpDriver(options: McpOptions): McpDriver {
  const { secrets, resolve = systemResolve, ca, environment, relay } = options
  const sending = exchanges(resolve, ca)
  const sessions = mcpSessions({
    secrets,
    sending,
    ...(environment && { environment }),
    ...(relay && { onNotice: (notice) => relay.onNotice(notice) }),
  })
  const read = ({ capability: { driver }, server }: ToolCall): [McpTool, ToolServer] => {
    if (driver?.kind !== 'mcp') throw new ToolFailure('driver_invalid', 'no')
    if (server?.id !== driver.server) throw new ToolFailure('unknown_server', 'no')
    return [driver, server]
  }
  const run = async (call: ToolCall): Promise<ToolAnswered> => {
    const [{ tool }, server] = read(call)
    const answer = await sessions.use(server, call.signal, async (session) => {
      await refuseChanged(session, tool, call)
      return answerOf(session, { tool, call, onProgress: relay?.onProgress(call) ?? null })
    })
    relay?.onAnswer(answer, call)
    return resultOf(answer, call)
  }
  return {
    kind: 'mcp',
    describe: (call) => {
      return guardedShow(secrets, () => {
        const [{ server, tool }] = read(call)
        return { server, tool, args: call.args }
      })
    },
    run: (call) => guardedRun(call, secrets, () => run(call)),
    async list(server, signal) {
      try {
        return await sessions.use(server, signal, (session) => session.list(signal))
      } catch (error) {
        // What asks for a list is a command, which knows what to install.
        if (error instanceof ToolFailure && error.code === 'package_missing') throw error.cause
        throw error
      }
    },
    about: (server, signal) => sessions.use(server, signal, async ({ about }) => about),
    pass: (server, { method, params }, passing) => {
      return sessions.use(server, passing.signal, (one) => one.request(method, params, passing))
    },
    async close() {
      await sessions.close()
      sending.close()
    },
  }
}

type Answer = Pick<ToolAnswer, 'isError' | 'structuredContent'> & {
  readonly content?: ToolAnswer['content']
}

/** So long what a server lists is believed. */
const listedMs = 60_000

interface Listed {
  readonly at: number
  readonly tools: Promise<readonly ListedTool[]>
}

const listed = new WeakMap<McpSession, Listed>()

// What was imported was approved as its author described it: another description may be another
// tool. What a person wrote into the catalog alone is not compared.
async function refuseChanged(session: McpSession, name: string, call: ToolCall): Promise<void> {
  const { capability, signal } = call
  if (capability.imported === undefined) return
  let tools: readonly ListedTool[]
  try {
    tools = await toolsOf(session, signal)
  } catch (error) {
    listed.delete(session)
    if (signal.aborted) throw abortFailure(signal, 'no')
    throw await toolFailureIn(error, 'no')
  }
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) throw new ToolFailure('unknown_tool', 'no', { tool: name })
  const { description } = tool
  const inputSchema = JsonObject.parse(tool.inputSchema)
  const change = toolChange(capability, { name, description, inputSchema })
  if (change === null) return
  throw new ToolFailure('tool_changed', 'no', { tool: name, digest: change.after.digest })
}

function toolsOf(session: McpSession, signal: AbortSignal): Promise<readonly ListedTool[]> {
  const before = listed.get(session)
  const now = performance.now()
  if (before !== undefined && now - before.at < listedMs) return before.tools
  const tools = session.list(signal)
  listed.set(session, { at: now, tools })
  return tools
}

interface Called {
  readonly tool: string
  readonly call: ToolCall
  readonly onProgress: Passing['onProgress'] | null
}

async function answerOf(
  session: McpSession,
  { tool, call, onProgress }: Called,
): Promise<ToolAnswer> {
  const { args, signal } = call
  try {
    return await session.call(tool, args, { signal, ...(onProgress && { onProgress }) })
  } catch (error) {
    if (call.signal.aborted) throw abortFailure(call.signal, 'unknown')
    throw await toolFailureIn(error, 'unknown')
  }
}

/** What the server structured; otherwise its texts, and all of it where it is more than text. */
function resultOf(answer: Answer, call: ToolCall): ToolAnswered {
  const texts = textsOf(answer)
  if (answer.isError === true)
    throw new ToolFailure('tool_error', 'yes', { text: texts.join('\n') })
  if (answer.structuredContent !== undefined) return writtenAnswer(answer.structuredContent, call)
  const { content = [] } = answer
  if (texts.length < content.length) return writtenAnswer(content, call)
  const [only = ''] = texts
  if (texts.length > 1) return writtenAnswer(texts, call, 'texts')
  return boundedAnswer({ bytes: Buffer.from(only), form: 'text', happened: 'unknown' }, call)
}

function textsOf({ content = [] }: Answer): readonly string[] {
  return content.flatMap((block) => (isTextBlock(block) ? [block.text] : []))
}

function isTextBlock(block: unknown): block is JsonObject & { readonly text: string } {
  if (typeof block !== 'object' || block === null) return false
  return Reflect.get(block, 'type') === 'text' && typeof Reflect.get(block, 'text') === 'string'
}
