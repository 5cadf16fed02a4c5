// The intent that the options of `ask` and its file come to. What the options say wins over the
// file, and what is no intent is refused before it is published.
import { Fault } from '#record/fault'
import { readFile } from 'node:fs/promises'
import { fileProblem } from '#system/file-problem'
import { schemaFault } from '#record/schema-fault'
import { requestText } from '#present/schema-text'
import { Intent, type Subject } from '#schemas/intent'
import { readJson } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import { usage } from '#cli/terminal/failure'

type Values = Readonly<Record<string, unknown>>

export interface IntentOptions {
  readonly args?: Values
  readonly arg?: Values
  readonly goal?: string
  readonly justification?: string
  readonly concept?: readonly string[]
  readonly cardinality?: string
  readonly minDepth?: number
  readonly constraint?: Values
  readonly scope?: Values
  readonly onGap?: string
  readonly observe?: boolean
  readonly distinct?: boolean
  /** Who alone is asked about. */
  readonly subject?: Subject
  /** The name of a delegation. */
  readonly delegation?: string
  readonly file?: string
}

const limits = { bytesMax: 1024 * 1024, depthMax: 64 }

/** Throws a Fault `usage` that says which part is no intent. */
export function intentOf(tool: string | undefined, options: IntentOptions, file: Values): Intent {
  const { args, arg, goal, justification, concept } = options
  const { cardinality, minDepth, constraint, scope, onGap, observe, distinct, delegation } = options
  const { subject } = options
  const given = {
    tool,
    args: args === undefined && arg === undefined ? undefined : { ...args, ...arg },
    goal,
    justification,
    concepts: concept,
    cardinality,
    minDepth,
    constraints: constraint,
    scope,
    onGap,
    observe,
    distinct,
    delegation,
    subject,
  }
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  const whole = { ...file, ...Object.fromEntries(said) }
  if (!Object.hasOwn(whole, 'tool')) throw usage('name a tool: warrant ask TOOL')
  const parsed = Intent.safeParse(whole)
  if (parsed.success) return parsed.data
  throw usage(requestText(schemaFault(parsed.error.issues, whole)))
}

/** The file as a JSON object; `-` is standard input. */
export async function readIntentFile(path: string): Promise<Values> {
  const bytes = path === '-' ? await readInput() : await readNamed(path)
  const reading = readJson(bytes, limits)
  if (!reading.ok) throw unreadable(path, describeJsonFault(reading))
  const { value } = reading
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw unreadable(path, 'an intent is a JSON object')
}

function unreadable(path: string, what: string): Fault {
  return new Fault('input_unreadable', `\`${path}\`: ${what}`)
}

async function readNamed(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    const why = fileProblem(cause, 'it cannot be read')
    throw new Fault('input_unreadable', `\`${path}\`: ${why}`, { cause })
  }
}

async function readInput(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk)
    bytes += piece.length
    if (bytes > limits.bytesMax) throw usage('standard input is larger than an intent may be')
    chunks.push(piece)
  }
  return Buffer.concat(chunks)
}
