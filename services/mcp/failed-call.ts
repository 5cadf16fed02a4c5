// Why a call came to nothing: for the model in words that it may read, and for who runs the proxy
// in its log.
import type { ToolAnswer } from '#gateway/tools/mcp-library'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { Fault } from '#record/fault'
import type { Warrant } from '#client/warrant'
import { faultAnswer, mismatchAnswer, noToolAnswer } from './answers.ts'
import type { Behind } from './behind.ts'

export function failedAnswer(
  { client, behind }: { readonly client: Warrant; readonly behind: Behind },
  tool: string,
  error: unknown,
): ToolAnswer {
  const { logger } = client.runtime
  const cause = error instanceof Fault ? error.cause : error
  const code = cause instanceof ToolFailure ? cause.code : null
  if (error instanceof Fault) logger.warn({ tool, fault: error.code, code }, 'a call failed')
  else logger.error({ tool, code, error }, 'a call failed inside the proxy')
  if (code === 'unknown_tool') return noToolAnswer(tool)
  if (code !== 'tool_changed') return faultAnswer(error)
  // It is not listed any more.
  behind.forget()
  return mismatchAnswer(tool, { is: 'changed' })
}
