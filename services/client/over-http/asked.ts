// What a program asks of a realm by the table of operations, through a server over HTTP.
import { addressFor } from '#schemas/operations/fields'
import { operations, outputOf } from '#schemas/operations/table'
import type { RealmReader } from '../asked.ts'
import { readAs, type HttpServer } from './server.ts'

export function readingAt(server: HttpServer): RealmReader {
  return {
    async read(name, given) {
      const path = `/v1${addressFor(operations[name], given ?? {})}`
      return readAs(outputOf(name), await server.send({ method: 'GET', path, isSafe: true }))
    },
  }
}
