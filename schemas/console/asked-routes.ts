// The routes of the console by which operations of the table are asked.
import type { OperationTable } from '../operations/table.ts'
import { ofEach } from '../operations/table.ts'
import type { ConsoleRoute } from './route.ts'

/** With the path and the answer of each. */
export type AskedRoutes = {
  readonly [Name in keyof OperationTable]: {
    readonly method: 'get'
    readonly path: OperationTable[Name]['path']
    readonly who: 'person' | 'auditor'
    readonly query: OperationTable[Name]['input']
    readonly answer: OperationTable[Name]['output']
  }
}

export const consoleAsked = ofEach(({ path, who, input, output }): ConsoleRoute => {
  const asks = who === 'party' ? 'person' : who
  return { method: 'get', path, who: asks, query: input, answer: output }
})
