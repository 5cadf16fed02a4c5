// What the proxy itself answers to a call: why it did not run, what it waits for, and what may be
// done, as text for the model, and for its host as data in `_meta` (SEP-2643 of MCP, a draft).
import type { ToolAnswer } from '#gateway/tools/mcp-library'
import { programHere } from '#wiring/called'
import { redactText } from '#firewall/redact'
import { Fault } from '#record/fault'
import { approving } from '#present/approving'
import { modelText, pendingModelText, usedModelText } from '#present/story/for-model'
import type { Waits } from '#present/story/waits'
import type { Verdict } from '#replay/verdicts/verdict'
import { JsonObject } from '#schemas/catalog'
import type { MatchedTool } from './matched.ts'

const gapsMax = 16

export function deniedAnswer(
  { intent, reasons, gaps }: Pick<Verdict, 'intent' | 'reasons' | 'gaps'>,
  { tool, importing }: { readonly tool: string; readonly importing: string },
): ToolAnswer {
  const isUnknown = reasons.some(({ code }) => code === 'unknown_capability')
  const known = gaps.slice(0, gapsMax)
  const text = [
    modelText(tool, reasons, gaps),
    ...(isUnknown ? [`The operator adds the tools of this server with: ${importing}`] : []),
    `Intent: ${intent}`,
  ]
  return refusal(text.join('\n'), intent, [
    ...reasons.map(({ code, recover }) => ({ type: 'warrant.reason', code, recover })),
    ...known.map((gap) => JsonObject.parse({ type: 'warrant.gap', ...gap })),
    ...(isUnknown ? [{ type: 'warrant.command', command: importing }] : []),
  ])
}

const later = 'Later, the same call with the same arguments finds the answer, and runs it once.'
// A model writes arguments alone: only the client itself can add to a request.
const again =
  'Where your client can send `warrant/justification` in `_meta`, the same call with the true ' +
  'reason takes the place of this one, and no one is asked. Else a person has to give it.'

/** People are asked, and the same call finds what they decided. */
export function waitingResult(intent: string, waits: Waits, url: string | null): ToolAnswer {
  const text = [
    pendingModelText(waits, { later, again }),
    ...(url === null ? [] : [`A person decides at: ${url}`]),
    `A person decides with: ${programHere()} ${approving(intent, waits.reason)}`,
    `Intent: ${intent}`,
  ]
  const { people, until } = waits
  return refusal(text.join('\n'), intent, [
    ...(url === null ? [] : [{ type: 'url', url }]),
    {
      type: 'warrant.approval',
      intent,
      people: [...people],
      ...(until !== null && { until: new Date(until).toISOString() }),
    },
  ])
}

type Mismatch =
  | Pick<Extract<MatchedTool, { is: 'changed' }>, 'is'>
  | Exclude<MatchedTool, { is: 'known' | 'unknown' | 'changed' }>

/** The tool is not the one that was approved, so no one is asked. */
export function mismatchAnswer(tool: string, found: Mismatch): ToolAnswer {
  const code = `tool_${found.is}`
  return refusal(
    [`The tool \`${tool}\` was not run: ${mismatchText(found)}.`, person].join('\n'),
    null,
    [{ type: 'warrant.reason', code, recover: 'never' }],
  )
}

const person = 'Report this to the person you work for; only people can change it.'

function mismatchText(found: Mismatch): string {
  switch (found.is) {
    case 'changed':
      return 'its description or its arguments are not what was approved (`warrant catalog check`)'
    case 'elsewhere':
      return `the catalog has \`${found.capability.id}\` carried out in another way`
    case 'ambiguous':
      return `it may be any of ${found.ids.join(', ')}: give each its driver in the catalog`
  }
}

export function noToolAnswer(tool: string): ToolAnswer {
  return failure(`The server has no tool \`${tool}\`.`)
}

/** It was carried out, and what came back is not at hand any more. */
export function unseenAnswer(intent: string): ToolAnswer {
  const text = 'The call was carried out before, and its result is not kept. Do not repeat it.'
  return failure(`${text}\nIntent: ${intent}`)
}

/** What went wrong, in the words of its fault; no other error is shown. */
export function faultAnswer(error: unknown): ToolAnswer {
  if (!(error instanceof Fault)) return failure('The call failed inside the proxy: see its log.')
  const { code, message } = error
  if (code === 'warrant_used') return failure(`${code}: ${usedModelText}`)
  const isOpen = code === 'outcome_unknown'
  return failure(
    [
      `${code}: ${redactText(message)}`,
      ...(isOpen ? ['It may have happened. Do not repeat it before a person has looked.'] : []),
    ].join('\n'),
  )
}

function failure(text: string): ToolAnswer {
  return { content: [{ type: 'text', text }], isError: true }
}

function refusal(text: string, intent: string | null, hints: readonly JsonObject[]): ToolAnswer {
  const authorization = {
    reason: 'insufficient_authorization',
    ...(intent !== null && { authorizationContextId: intent }),
    remediationHints: hints,
  }
  // Clients hold what is structured against the form that a tool declares, and throw away the text.
  return { ...failure(text), _meta: { authorization } }
}
