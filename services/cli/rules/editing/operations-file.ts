// Operations from a file: a JSON array, one per line, or what a diff or an edit printed for
// programs.
import type { z } from 'zod'
import { namingKeys } from '#record/naming-keys'
import { firstProblem } from '#record/problem'
import { Fault } from '#record/fault'
import { inInput, readInput } from '#cli/terminal/opening/input'

/** More would not fit into one fact. */
const operationsMax = 10_000

/** Throws a Fault that names the file, the line or place, and what is wrong there. */
export function readOperations<T>(file: string, schema: z.ZodType<T>): Promise<readonly T[]> {
  return inInput(file, async () => {
    const input = await readInput(file, isOperation)
    const operations: T[] = []
    const take = (value: unknown, where: string): void => {
      if (operations.length === operationsMax) {
        const message = `more than ${operationsMax} operations: divide them, or use an import`
        throw new Fault('change_too_large', message)
      }
      operations.push(parsed(schema, value, where))
    }
    if (input.as === 'lines') {
      for await (const { line, value } of input.lines) take(value, `line ${line}`)
    } else {
      for (const [index, value] of listIn(input.value).entries()) {
        take(value, `operation ${index + 1}`)
      }
    }
    if (operations.length > 0) return operations
    throw new Fault('operation_invalid', 'it has no operation: write one, such as `add`')
  })
}

function isOperation(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'op')
}

function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return [value]
  const reported: unknown = Object.getOwnPropertyDescriptor(value, 'operations')?.value
  return Array.isArray(reported) ? reported : [value]
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const reading = schema.safeParse(value, namingKeys)
  if (reading.success) return reading.data
  const { at, message } = firstProblem(reading.error.issues)
  throw new Fault('operation_invalid', `${at === '' ? where : `${where} at ${at}`}: ${message}`)
}
