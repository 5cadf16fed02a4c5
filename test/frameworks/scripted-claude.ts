// What the Claude Agent SDK starts, in its place: it speaks the SDK's own protocol over pipes, and
// calls tools by a script as the real agent was seen to. The SDK is the real one.
import { EventEmitter } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import type { SpawnedProcess } from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'

export interface ClaudeCall {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** What its own rules and modes let pass without asking anyone. */
  readonly passes?: boolean
  readonly fails?: boolean
}

const Said = z.looseObject({
  type: z.string(),
  request_id: z.string().optional(),
  request: z.looseObject({ subtype: z.string(), hooks: z.unknown() }).optional(),
  response: z.looseObject({ request_id: z.string(), response: z.unknown() }).optional(),
})
const Hooks = z.record(
  z.string(),
  z.array(
    z.looseObject({ hookCallbackIds: z.array(z.string()), onFailure: z.string().optional() }),
  ),
)
const Hooked = z.looseObject({
  hookSpecificOutput: z.looseObject({ permissionDecision: z.string().optional() }).optional(),
})
const Permitted = z.looseObject({
  behavior: z.enum(['allow', 'deny']),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  message: z.string().optional(),
})

const session_id = '7d0a0f6e-0000-4000-8000-000000000000'

export interface ScriptedClaude {
  /** What the model reads of each call, by its id. */
  readonly results: Map<string, string>
  /** For `spawnClaudeCodeProcess` of the options. */
  readonly spawn: () => SpawnedProcess
}

export function scriptedClaude(
  calls: readonly ClaudeCall[],
  ran: (tool: string, input: unknown) => string,
): ScriptedClaude {
  const results = new Map<string, string>()
  return {
    results,
    spawn() {
      const stdin = new PassThrough()
      const stdout = new PassThrough()
      const life = new EventEmitter()
      const kill = (): boolean => stdin.end().writableEnded
      const exitCode: number | null = null
      const started = Object.assign(life, { stdin, stdout, kill, killed: false, exitCode })
      const end = (): void => {
        Object.assign(started, { exitCode: 0 })
        stdout.end()
        life.emit('exit', 0, null)
      }
      void playing({ calls, ran, results }, { stdin, stdout }).then(end, end)
      return started
    },
  }
}

interface Script {
  readonly calls: readonly ClaudeCall[]
  readonly ran: (tool: string, input: unknown) => string
  readonly results: Map<string, string>
}

type Ask = (request: object) => Promise<unknown>
type Hook = (event: string, call: ClaudeCall, more: object) => Promise<string | null>

/** Speaks the protocol, and takes its turn when the user has spoken. */
async function playing(
  script: Script,
  { stdin, stdout }: { stdin: Readable; stdout: PassThrough },
) {
  const open = new Map<string, (response: unknown) => void>()
  const say = (message: object): void => void stdout.write(`${JSON.stringify(message)}\n`)
  let count = 0
  const ask: Ask = (request) => {
    const request_id = `request-${(count += 1)}`
    say({ type: 'control_request', request_id, request })
    return new Promise((answer) => open.set(request_id, answer))
  }
  let hooks: z.infer<typeof Hooks> = {}
  const hook: Hook = async (event, call, more) => {
    const [callback_id] = hooks[event]?.[0]?.hookCallbackIds ?? []
    if (callback_id === undefined) return null
    const { id: tool_use_id, tool: tool_name, input: tool_input } = call
    const of = { hook_event_name: event, session_id, tool_name, tool_input, tool_use_id }
    const input = { ...of, ...more }
    const answer = await ask({ subtype: 'hook_callback', callback_id, input, tool_use_id })
    return Hooked.parse(answer).hookSpecificOutput?.permissionDecision ?? null
  }
  const lines = createInterface({ input: stdin })
  await new Promise<void>((end) => {
    const ended = (result: object): void => {
      say(result)
      end()
    }
    lines.on('close', end)
    lines.on('line', (line) => {
      const { type, request_id, request, response } = Said.parse(JSON.parse(line))
      if (type === 'control_response') open.get(response?.request_id ?? '')?.(response?.response)
      else if (type === 'user') void turn(script, ask, hook).then(ended, end)
      else if (request?.subtype === 'initialize') {
        hooks = Hooks.parse(request.hooks ?? {})
        const answer = { commands: [], hooks_applied: true, hook_on_failure_supported: true }
        const said = { subtype: 'success', request_id, response: answer }
        say({ type: 'control_response', response: said })
      }
    })
  })
}

async function turn({ calls, ran, results }: Script, ask: Ask, hook: Hook): Promise<object> {
  /** Its own tools the script runs; those of a server of the program that server does. */
  const ranBy = async ({ tool }: ClaudeCall, args: object): Promise<string> => {
    const [, server_name, name] = tool.split('__')
    if (name === undefined) return ran(tool, args)
    const params = { name, arguments: args }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    return JSON.stringify(await ask({ subtype: 'mcp_message', server_name, message }))
  }
  const called = async (call: ClaudeCall): Promise<ClaudeCall | null> => {
    const { id: tool_use_id, tool: tool_name, input } = call
    const decision = await hook('PreToolUse', call, {})
    if (decision === 'defer') return call
    const isAsked = decision === 'ask' || call.passes !== true
    const asking = { subtype: 'can_use_tool', tool_name, input, tool_use_id }
    const answer = isAsked ? Permitted.parse(await ask(asking)) : { behavior: 'allow' }
    const { behavior, updatedInput = input, message = '' } = Permitted.parse(answer)
    if (behavior === 'deny') results.set(tool_use_id, message)
    else if (call.fails === true) await hook('PostToolUseFailure', call, { error: 'it failed' })
    else {
      const tool_response = await ranBy(call, updatedInput)
      results.set(tool_use_id, tool_response)
      await hook('PostToolUse', call, { tool_response })
    }
    return null
  }
  const deferred = (await Promise.all(calls.map(called))).find((one) => one !== null)
  const named = deferred && { id: deferred.id, name: deferred.tool, input: deferred.input }
  const result = [...results.values()].join('\n')
  const ended = { subtype: 'success', is_error: false, result, session_id, usage: {} }
  const why = named === undefined ? 'completed' : 'tool_deferred'
  return { type: 'result', ...ended, terminal_reason: why, deferred_tool_use: named }
}
