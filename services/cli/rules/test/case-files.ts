// Finds and reads the test cases of a seed folder: YAML files and NDJSON files. A mistake is named
// with its file, its case and its place, before any case is run.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { Fault } from '#record/fault'
import { jsonFault, readJson } from '#record/json'
import { describeJsonFault } from '#record/json-fault'
import { firstProblem } from '#record/problem'
import { fileProblem } from '#system/file-problem'
import { yamlValue } from '#system/yaml-text'
import { CaseFile, NeverCase, TestCase } from './case-format.ts'

const testsFolder = 'tests'

/** A case with where it was written. */
export interface WrittenCase {
  readonly file: string
  readonly of: TestCase | NeverCase
}

const limits = { bytesMax: 16 * 1024 * 1024, depthMax: 64 }
const casesMax = 100_000

/** The files that hold cases: those that were named, or all in FOLDER/tests. */
export async function caseFilesIn(
  folder: string,
  named: readonly string[],
): Promise<readonly string[]> {
  if (named.length > 0) return named
  const place = join(folder, testsFolder)
  const there = await namesIn(place)
  const files = there.filter((name) => isYaml(name) || isLines(name)).toSorted()
  if (files.length > 0) return files.map((name) => join(place, name))
  const how = 'write `.yaml` or `.ndjson` files there, or name files'
  throw new Fault('cases_invalid', `\`${place}\` has no test cases: ${how}`)
}

async function namesIn(place: string): Promise<readonly string[]> {
  try {
    return await readdir(place)
  } catch {
    return []
  }
}

export async function readCases(files: readonly string[]): Promise<readonly WrittenCase[]> {
  const all: WrittenCase[] = []
  for (const file of files) {
    for (const of of await casesIn(file)) all.push({ file, of })
    if (all.length > casesMax) throw refused(file, `more than ${casesMax} cases: divide them`)
  }
  return all
}

async function casesIn(file: string): Promise<readonly WrittenCase['of'][]> {
  const bytes = await bytesOf(file)
  return isLines(file) ? linesOf(file, bytes) : yamlOf(file, bytes)
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file)
    if (size > limits.bytesMax) throw refused(file, `larger than ${limits.bytesMax} bytes`)
    return await readFile(file)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw refused(file, fileProblem(cause, 'it cannot be read'), cause)
  }
}

function linesOf(file: string, bytes: Uint8Array): readonly WrittenCase['of'][] {
  const lines = Buffer.from(bytes).toString('utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const where = `line ${index + 1}`
    const reading = readJson(Buffer.from(line, 'utf8'), limits)
    if (!reading.ok) throw refused(file, `${where}: ${describeJsonFault(reading)}`)
    return [caseIn(file, where, withDefaults({}, reading.value))]
  })
}

function yamlOf(file: string, bytes: Uint8Array): readonly WrittenCase['of'][] {
  const value = valueOf(file, Buffer.from(bytes).toString('utf8'))
  const unreadable = jsonFault(value, limits)
  if (unreadable !== null) throw refused(file, describeJsonFault({ code: unreadable }))
  const whole = Array.isArray(value) ? { cases: value } : value
  const { cases, ...shared } = parsed(file, '', CaseFile, whole)
  return cases.map((one, index) => {
    return caseIn(file, `cases[${index}]`, withDefaults(shared, one))
  })
}

function valueOf(file: string, text: string): unknown {
  try {
    return yamlValue(text)
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'it is not YAML'
    throw refused(file, why.replace(/:$/, ''), cause)
  }
}

function caseIn(file: string, where: string, value: unknown): WrittenCase['of'] {
  const isNever = typeof value === 'object' && value !== null && 'never' in value
  return isNever ? parsed(file, where, NeverCase, value) : parsed(file, where, TestCase, value)
}

function withDefaults(shared: object, one: unknown): unknown {
  return typeof one === 'object' && one !== null ? { ...shared, ...one } : one
}

function parsed<T>(file: string, where: string, schema: z.ZodType<T>, value: unknown): T {
  const reading = schema.safeParse(value)
  if (reading.success) return reading.data
  const { at, message } = firstProblem(reading.error.issues)
  const place = [where, at].filter((part) => part !== '').join(' at ')
  throw refused(file, place === '' ? message : `${place}: ${message}`)
}

function refused(file: string, message: string, cause?: unknown): Fault {
  return new Fault('cases_invalid', `\`${file}\`: ${message}`, { cause })
}

function isYaml(name: string): boolean {
  return name.endsWith('.yaml') || name.endsWith('.yml')
}

function isLines(name: string): boolean {
  return name.endsWith('.ndjson') || name.endsWith('.jsonl')
}
