// Reads what people write as `graph.json`. Every mistake is named with its place and how to fix it,
// and nothing is dropped or corrected on the quiet.
import type { z } from 'zod'
import { Depth, GraphFile, levelNames, policyShape, Primitive, Relatum } from '#schemas/graph'
import { Fault } from '#record/fault'
import { jsonFault } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import { addMistake, mistakesText, noMistakes } from './mistakes.ts'

// Far more than anyone writes, far less than breaks a parser.
const limits = { bytesMax: 1024 * 1024 * 1024, depthMax: 64 }

type Path = readonly PropertyKey[]

/** The file, or a fault that says what is wrong with it. The value may be anything. */
export function parseGraphFile(value: unknown): GraphFile {
  // Looked for first: the parser would drop a key `__proto__`, and break on endless nesting.
  const unreadable = jsonFault(value, limits)
  if (unreadable !== null) {
    throw new Fault('graph_invalid', `the file: ${describeJsonFault({ code: unreadable })}`)
  }
  const parsed = GraphFile.safeParse(value)
  if (parsed.success) return parsed.data
  const mistakes = noMistakes()
  for (const issue of parsed.error.issues) addMistake(mistakes, mistake(issue, value))
  throw new Fault('graph_invalid', mistakesText(mistakes))
}

function mistake(issue: z.core.$ZodIssue, file: unknown): string {
  const where = placeOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `\`${key}\``).join(', ')
    return `${where}: unknown ${keys}: expected ${knownKeys(issue.path)}`
  }
  const key = issue.path.at(-1)
  const value = valueAt(file, issue.path)
  if (value === undefined) return `${where}: missing: ${expectation(issue)}`
  if (key === 'level' || key === 'targetDepth') {
    const levels = levelNames.map((name, level) => `${level} ${name}`).join(', ')
    return `${where}: \`${briefly(value)}\` is not a level: use one of ${levels}`
  }
  return `${where}: \`${briefly(value)}\` is not valid here: ${expectation(issue)}`
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `use one of ${issue.values.map((value) => `\`${String(value)}\``).join(', ')}`
    case 'invalid_type':
      return `write one of type ${issue.expected}`
    case 'too_small':
      return `its ${measureOf(issue.origin)} must be ${issue.minimum} or more`
    case 'too_big':
      return `its ${measureOf(issue.origin)} must be ${issue.maximum} or less`
    default:
      return 'write plain JSON'
  }
}

function measureOf(origin: string): string {
  return origin === 'string' ? 'length' : 'value'
}

function knownKeys(path: Path): string {
  const parent = path.findLast((step) => typeof step === 'string')
  const shapes = new Map<string, object>([
    ['primitives', Primitive.shape],
    ['depths', Depth.shape],
    ['relata', Relatum.shape],
    ['policies', policyShape],
  ])
  const shape = shapes.get(typeof parent === 'string' ? parent : '') ?? GraphFile.shape
  const keys = Object.keys(shape).map((key) => `\`${key}\``)
  return keys.join(', ')
}

function placeOf(path: Path): string {
  const steps = path.map((step, index) => {
    if (typeof step === 'number') return `[${step}]`
    return `${index === 0 ? '' : '.'}${String(step)}`
  })
  return steps.length === 0 ? 'the file' : steps.join('')
}

function valueAt(value: unknown, path: Path): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = Object.getOwnPropertyDescriptor(here, step)?.value
  }
  return here
}

function briefly(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
