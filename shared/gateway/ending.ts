// How a call ended, in words for the log and for the agent: the log gets codes and digests, and the
// agent the tool's words redacted.
import { isWritten } from '#rules/drivers/written-json'
import type { ToolFailure } from '#rules/drivers/tool-failure'
import { redactText } from '#firewall/redact'
import { digestOfJson } from '#record/digest'
import { Fault } from '#record/fault'
import type { JsonValue } from '#schemas/catalog'
import type { OutcomeData } from '#schemas/facts'
import type { CallEnd } from './carried.ts'

export function outcomeOfCall({ attempts, ...ended }: CallEnd): Omit<OutcomeData, 'intent'> {
  const more = attempts > 1 ? { attempts } : {}
  if (ended.ok) {
    const { value, bytes } = ended.result
    const digest = isWritten(value) ? value.digest : digestOfJson(value)
    return { outcome: 'succeeded', result: { digest, bytes }, ...more }
  }
  const { code, happened } = ended.failure
  return { outcome: happened === 'unknown' ? 'unknown' : 'failed', code, ...more }
}

/** `address` is that of the intent. */
export function failed(address: string, failure: ToolFailure): Fault {
  const why = `${failure.code}${saidBy(failure)}`
  if (failure.happened === 'unknown') {
    const what = `no one knows whether \`${address}\` was done (${why})`
    return new Fault('outcome_unknown', what, { cause: failure })
  }
  return new Fault('tool_failed', `the tool of \`${address}\` failed (${why})`, { cause: failure })
}

/** What the agent is shown of it: the driver's own parameters, and the tool's words redacted. */
function saidBy({ detail: { text, ...params } }: ToolFailure): string {
  const of = Object.entries(params).map(([name, value]) => ` ${name} ${jsonOfParam(value)}`)
  const words = typeof text === 'string' && text !== '' ? `: ${redactText(text)}` : ''
  return `${of.join('')}${words}`
}

function jsonOfParam(value: JsonValue | undefined): string {
  return typeof value === 'string' ? redactText(value) : JSON.stringify(value ?? null)
}
