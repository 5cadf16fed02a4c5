// Test cases as people write them, in YAML or as lines of JSON. A mistake is named with its file,
// its case and its place, before any case is tried.
import type { z } from 'zod'
import { textOfUtf8, utf8 } from '#platform/bytes'
import { Fault } from '#record/fault'
import { jsonFault, readJson } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
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

/** Throws a Fault that names what is wrong, and where. */
export function casesOf(file: string, bytes: Uint8Array): readonly WrittenCase[] {
  const cases = isLines(file) ? linesOf(file, bytes) : yamlOf(file, bytes)
  return cases.map((of) => ({ file, of }))
}

function linesOf(file: string, bytes: Uint8Array): readonly WrittenCase['of'][] {
  const lines = textOfUtf8(bytes).split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const where = `line ${index + 1}`
    const reading = readJson(utf8(line), limits)
    if (!reading.ok) throw casesRefused(file, `${where}: ${describeJsonFault(reading)}`)
    return [caseIn(file, where, withDefaults({}, reading.value))]
  })
}

function yamlOf(file: string, bytes: Uint8Array): readonly WrittenCase['of'][] {
  const value = yamlOfText(file, textOfUtf8(bytes))
  const unreadable = jsonFault(value, limits)
  if (unreadable !== null) throw casesRefused(file, describeJsonFault({ code: unreadable }))
  const whole = Array.isArray(value) ? { cases: value } : value
  const { cases, ...shared } = partOf(file, '', CaseFile, whole)
  return cases.map((one, index) => {
    return caseIn(file, `cases[${index}]`, withDefaults(shared, one))
  })
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
  const reading = schema.safeParse(value)
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
