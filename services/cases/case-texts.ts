// Test cases as people write them, in YAML or as lines of JSON. A mistake is named with its file,
// its case and its place, before any case is tried.
import type { z } from 'zod'
import { textOfUtf8, utf8 } from '#platform/bytes'
import { Fault } from '#record/fault'
import { jsonFault, readJson } from '#record/json'
import { describeJsonFault, parserFault } from '#record/json-fault'
import { namingKeys } from '#record/naming-keys'
import { firstProblem } from '#record/problem'
import { yamlValue } from '#system/yaml-text'
import { CaseFile, NeverCase, TestCase } from './case-format.ts'

/** A case with where it was written. */
export interface WrittenCase {
  readonly file: string
  readonly of: TestCase | NeverCase
}

export const caseBytesMax = 16 * 1024 * 1024
const limits = { bytesMax: caseBytesMax, depthMax: 64 }
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Throws a Fault that names what is wrong, and where. */
export function casesOf(file: string, bytes: Uint8Array): readonly WrittenCase[] {
  const cases = isLines(file) ? linesOf(file, bytes) : yamlOf(file, bytes)
  return cases.map((of) => ({ file, of }))
}

function linesOf(file: string, bytes: Uint8Array): readonly WrittenCase['of'][] {
  const lines = textOf(file, bytes).split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const where = `line ${index + 1}`
    const written = utf8(line)
    const reading = readJson(written, limits)
    if (!reading.ok) {
      const what = describeJsonFault(reading)
      const isOther = reading.code !== 'not_json'
      const stopped = `${what}: ${parserFault(written, index + 1)}`
      throw casesRefused(file, isOther ? `${where}: ${what}` : stopped)
    }
    return [caseIn(file, where, withDefaults({}, reading.value))]
  })
}

function yamlOf(file: string, bytes: Uint8Array): readonly WrittenCase['of'][] {
  const value = yamlOfText(file, textOf(file, bytes))
  const unreadable = jsonFault(value, limits)
  if (unreadable !== null) throw casesRefused(file, describeJsonFault({ code: unreadable }))
  const whole = Array.isArray(value) ? { cases: value } : value
  const { cases, ...shared } = partOf(file, '', CaseFile, whole)
  return cases.map((one, index) => {
    return caseIn(file, `cases[${index}]`, withDefaults(shared, one))
  })
}

/** Without a byte order mark. What is no UTF-8 is never read as something else. */
function textOf(file: string, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    const text = textOfUtf8(bytes)
    const line = text.slice(0, text.indexOf('\u{fffd}')).split('\n').length
    throw casesRefused(file, `line ${line}: ${describeJsonFault({ code: 'not_utf8' })}`, cause)
  }
}

export function yamlOfText(file: string, text: string): unknown {
  try {
    return yamlValue(text)
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'it is not YAML'
    throw casesRefused(file, why.replace(/:$/, ''), cause)
  }
}

function caseIn(file: string, where: string, value: unknown): WrittenCase['of'] {
  const isNever = typeof value === 'object' && value !== null && 'never' in value
  return isNever ? partOf(file, where, NeverCase, value) : partOf(file, where, TestCase, value)
}

function withDefaults(shared: object, one: unknown): unknown {
  return typeof one === 'object' && one !== null ? { ...shared, ...one } : one
}

export function partOf<T>(file: string, where: string, schema: z.ZodType<T>, value: unknown): T {
  const reading = schema.safeParse(value, namingKeys)
  if (reading.success) return reading.data
  const { at, message } = firstProblem(reading.error.issues)
  const place = [where, at].filter((part) => part !== '').join(' at ')
  throw casesRefused(file, place === '' ? message : `${place}: ${message}`)
}

export function casesRefused(file: string, message: string, cause?: unknown): Fault {
  return new Fault('cases_invalid', `\`${file}\`: ${message}`, { cause })
}

export function isYaml(name: string): boolean {
  return name.endsWith('.yaml') || name.endsWith('.yml')
}

export function isLines(name: string): boolean {
  return name.endsWith('.ndjson') || name.endsWith('.jsonl')
}
