// The routes of the console by which operations of the table are asked.
import type { OperationTable } from '../operations/table.ts'
import { ofEach } from '../operations/table.ts'
import type { ConsoleRoute } from './route.ts'

/** With the path and the answer of each. */
export type AskedRoutes = {
  readonly [Name in keyof OperationTable]: {
    readonly method: 'get'
    readonly path: OperationTable[Name]['path']
    readonly who: 'auditor'
    readonly query: OperationTable[Name]['input']
    readonly answer: OperationTable[Name]['output']
  }
}

export const consoleAsked = ofEach(({ path, input, output }): ConsoleRoute => {
  return { method: 'get', path, who: 'auditor', query: input, answer: output }
})
