// Applies operations from a file as one change set: all of them or none.
import { GraphOperation } from '#schemas/graph'
import { firstProblem } from '#core/catalog/problem'
import { Fault } from '#core/fault'
import type { EditOptions } from '../edit-options.ts'
import { edit } from './edit.ts'
import { inInput, readInput } from './input.ts'

/** More would not fit into one fact. */
const operationsMax = 10_000

export async function applyOperations(file: string, options: EditOptions): Promise<number> {
  const operations = await inInput(file, () => readOperations(file))
  return edit(options, { kind: 'graph', operations })
}

async function readOperations(file: string): Promise<readonly GraphOperation[]> {
  const input = await readInput(file, (value) => !Array.isArray(value))
  const operations: GraphOperation[] = []
  const take = (value: unknown, where: string): void => {
    if (operations.length === operationsMax) {
      const message = `more than ${operationsMax} operations: divide them, or use an import`
      throw new Fault('change_too_large', 'never', message)
    }
    operations.push(operationOf(value, where))
  }
  if (input.as === 'lines') {
    for await (const { line, value } of input.lines) take(value, `line ${line}`)
  } else if (Array.isArray(input.value)) {
    for (const [index, value] of input.value.entries()) take(value, `operation ${index + 1}`)
  } else take(input.value, 'operation 1')
  if (operations.length > 0) return operations
  throw new Fault('operation_invalid', 'never', 'it has no operation: write one, such as an `add`')
}

function operationOf(value: unknown, where: string): GraphOperation {
  const parsed = GraphOperation.safeParse(value)
  if (parsed.success) return parsed.data
  const { at, message } = firstProblem(parsed.error.issues)
  const place = at === '' ? where : `${where} at ${at}`
  throw new Fault('operation_invalid', 'never', `${place}: ${message}`)
}
