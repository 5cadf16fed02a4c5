// A model states why it calls a tool in an argument beside the tool's own. What it says becomes the
// justification of the intent: it is not judged as an argument, and the tool never gets it.
import { z } from 'zod'
import { Fault } from '#record/fault'
import type { FrameworkCall } from './judged-call.ts'

export const ReasonArgument = z.string().regex(/^[A-Za-z]\w{0,63}$/u)

const asked = 'Why this call is needed, in one true sentence: it is recorded, and people read it.'

/** As each framework adds it to the schema of a tool. */
const reasonSchema = { type: 'string', description: asked } as const
export const reasonZod = z.string().describe(asked)

interface Stated {
  readonly call: FrameworkCall
  readonly justification: string | null
}

/** The call as it is judged, and what its model said of it. */
export function statedIn(call: FrameworkCall, field: string | undefined): Stated {
  if (field === undefined || !Object.hasOwn(call.args, field)) return { call, justification: null }
  const { stated, args } = apart(call.args, field)
  if (stated !== undefined && stated !== null && typeof stated !== 'string') {
    throw new Fault('intent_invalid', `\`${field}\` says why, and must be a string`)
  }
  const justification = typeof stated === 'string' && stated.trim() !== '' ? stated : null
  return { call: { ...call, args }, justification }
}

/** The tool's own arguments, and what stands in that one beside them. */
export function apart(args: object, field: string) {
  const { [field]: stated, ...own }: Record<string, unknown> = { ...args }
  return { stated, args: own }
}

type Schema = Readonly<Record<string, unknown>>

/** The JSON Schema of a tool's arguments with that field, which a model then has to fill in. */
export function askingReason(schema: Schema, field: string, tool: string): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  if (!isRecord(properties) || !Array.isArray(required)) {
    throw new Fault('options_invalid', `the parameters of \`${tool}\` are no schema of an object`)
  }
  refuseOwnArgument(properties, field, tool)
  return {
    ...schema,
    properties: { ...properties, [field]: reasonSchema },
    required: [...z.array(z.unknown()).parse(required), field],
  }
}

/** An argument of the tool's own is never taken for a reason. */
export function refuseOwnArgument(properties: object, field: string, tool: string): void {
  if (!Object.hasOwn(properties, field)) return
  const what = `\`${tool}\` has an argument \`${field}\` of its own`
  throw new Fault('options_invalid', `${what}: give \`reasonArgument\` another name`)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
