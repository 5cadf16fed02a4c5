// One tool of the server of auditors: how it is listed, how its arguments are read, and how what it
// found is answered: a short text for people and models, and the same as data.
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ToolAnswer } from '#gateway/tools/mcp-library'
import { Fault } from '#record/fault'
import { visible } from '#record/quote'
import { redactText } from '#firewall/redact'
import { missingPackage } from '#runtime/reporting/missing-package'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { faultEntry } from '#schemas/faults/registry'
import type { AskedLog } from './asked-log.ts'
import type { Remaining } from './bounds.ts'
import { untrustedLines, untrustedNotice, untrustedValue } from './untrusted.ts'

/** What a question found. */
export interface AuditAnswer {
  /** Words of the server: figures, positions and codes, and nothing that is recorded. */
  readonly said: readonly string[]
  /** Words of those who are recorded. */
  readonly lines: readonly string[]
  /** Figures and positions beside what is recorded, as the output of the tool declares them. */
  readonly figures: Readonly<Record<string, unknown>>
  readonly recorded: Readonly<Record<string, unknown>>
}

export interface AuditQuestion {
  readonly asked: AskedLog
  readonly remaining: Remaining
}

export interface AuditWords {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Whether callbacks are called for it, which may look outside. */
  readonly callsCallbacks?: boolean
}

export interface AuditTool {
  readonly name: string
  addTo(server: McpServer, asked: AskedLog): void
}

/** The answer of a tool, and no more of it. */
export const answerBytesMax = 128 * 1024
const textCharactersMax = 32 * 1024

interface ToolOf<I extends z.ZodRawShape, F extends z.ZodRawShape> extends AuditWords {
  readonly input: z.ZodObject<I>
  readonly figures: F
  answer(question: AuditQuestion, given: z.output<z.ZodObject<I>>): Promise<AuditAnswer>
}

export function auditTool<I extends z.ZodRawShape, F extends z.ZodRawShape>(
  of: ToolOf<I, F>,
): AuditTool {
  const { name, title, description, callsCallbacks = false, input } = of
  const output = z.object({
    notice: z.string(),
    ...of.figures,
    recorded: z.record(z.string(), z.unknown()).describe(untrustedNotice),
  })
  return {
    name,
    addTo(server, asked) {
      const annotations = {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: callsCallbacks,
      }
      const config = { title, description, inputSchema: input, outputSchema: output, annotations }
      const answered = async (given: z.output<z.ZodObject<I>>, context: ServerContext) => {
        try {
          const found = await asked.inTurn(context.mcpReq.signal, (remaining) => {
            return of.answer({ asked, remaining }, given)
          })
          return { ...answerOf(found, asked) }
        } catch (error) {
          return { ...failureOf(error, asked) }
        }
      }
      server.registerTool(name, config, answered)
    },
  }
}

function answerOf({ said, lines, figures, recorded }: AuditAnswer, asked: AskedLog): ToolAnswer {
  const structuredContent = {
    notice: untrustedNotice,
    ...figures,
    recorded: recordedOf(recorded, asked),
  }
  const bytes = Buffer.byteLength(JSON.stringify(structuredContent))
  if (bytes > answerBytesMax) {
    const what = `the answer has ${bytes} bytes, and at most ${answerBytesMax} are given`
    throw new Fault('question_too_long', what)
  }
  const text = [...said, ...untrustedLines(fitting(lines), asked)].join('\n')
  return { content: [{ type: 'text', text }], structuredContent }
}

function recordedOf(recorded: AuditAnswer['recorded'], asked: AskedLog): Record<string, unknown> {
  const members = Object.entries(recorded).map(([key, value]) => {
    return [key, untrustedValue(value, asked)] as const
  })
  return Object.fromEntries(members)
}

/** As many lines as a text takes. */
function fitting(lines: readonly string[]): readonly string[] {
  let characters = 0
  const fit = lines.findIndex((line) => {
    characters += line.length
    return characters > textCharactersMax
  })
  if (fit === -1) return lines
  return [...lines.slice(0, fit), `… ${lines.length - fit} more lines: they are in the data`]
}

/** An error of the tool, so that the model learns what to ask instead. */
function failureOf(error: unknown, { logger }: AskedLog): ToolAnswer {
  const fault = missingPackage(error) ?? error
  if (!(fault instanceof Fault)) logger.error({ error }, 'a call failed')
  const known = fault instanceof Fault ? fault : new Fault('unexpected', 'the server failed')
  const text = `${failedText(known)}\nWhat helps: ${faultEntry(known.code).fix}`
  return { content: [{ type: 'text', text }], isError: true, _meta: { 'warrant/code': known.code } }
}

/** What went wrong; what is found in the log may be quoted in it. */
export function failedText({ code, message }: Fault): string {
  return `${code}: ${visible(redactText(withoutSecrets(message)))}`
}
