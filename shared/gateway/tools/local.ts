// Tools that are functions of the gateway's own process, by the operation that the catalog names.
// It must never look an operation up by an argument.
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { ToolCall, ToolDriver } from '#ports/tools'
import type { JsonObject, JsonValue } from '#schemas/catalog'
import { guardedRun, guardedShow, writtenAnswer } from './outcome.ts'
import { orAbort } from '#system/egress/aborting'
import type { Secrets } from './secrets.ts'

export interface LocalCall {
  /** The idempotency key. */
  readonly key: string
  readonly signal: AbortSignal
  readonly onPart: (part: JsonValue) => void
}

/** Answers with JSON; a `ToolFailure` that it throws is passed on, and decides what happened. */
export type LocalTool = (args: JsonObject, call: LocalCall) => unknown

export interface LocalOptions {
  readonly tools: ReadonlyMap<string, LocalTool>
  readonly secrets: Secrets
}

export function localDriver({ tools, secrets }: LocalOptions): ToolDriver {
  let isOpen = true
  const toolOf = ({ capability: { driver } }: ToolCall): [string, LocalTool] => {
    if (!isOpen || driver?.kind !== 'local') throw new ToolFailure('driver_invalid', 'no')
    const tool = tools.get(driver.operation)
    if (tool === undefined) {
      throw new ToolFailure('unknown_operation', 'no', { operation: driver.operation })
    }
    return [driver.operation, tool]
  }
  return {
    kind: 'local',
    describe: (call) => {
      return guardedShow(secrets, () => ({ operation: toolOf(call)[0], args: call.args }))
    },
    run: (call) => {
      return guardedRun(call, secrets, async () => {
        const [, tool] = toolOf(call)
        const value = await orAbort(answered(tool, call, secrets), call.signal, () => 'unknown')
        return writtenAnswer(value, call)
      })
    },
    close: async () => {
      isOpen = false
    },
  }
}

async function answered(tool: LocalTool, call: ToolCall, secrets: Secrets): Promise<unknown> {
  let isAnswered = false
  const onPart = (part: JsonValue): void => {
    if (!call.signal.aborted && !isAnswered) call.onPart?.(secrets.scrubValue(part))
  }
  try {
    // A copy: what was judged is not for a tool to change.
    const value = await tool(structuredClone(call.args), {
      key: call.key,
      signal: call.signal,
      onPart,
    })
    return value ?? null
  } catch (error) {
    if (error instanceof ToolFailure) throw error
    const text = error instanceof Error ? error.message : String(error)
    throw new ToolFailure('tool_error', 'yes', { text })
  } finally {
    isAnswered = true
  }
}
