// A store of results that is gone with the process: for tests and previews.
import { randomBytes } from 'node:crypto'
import type { Json } from '#core/kernel/canonical'
import { parseJson } from '#core/kernel/json'
import type { Clock } from '#ports/clock'
import { resultLimits, type KeptResult, type ResultLimits, type ResultStore } from '#ports/results'
import { namedResultId, newResultId, Shelf } from './shelf.ts'
import { isJson, resultJson, sealKeyBytes } from './sealed.ts'

export function memoryResults(clock: Clock, limits: ResultLimits = resultLimits): ResultStore {
  const shelf = new Shelf(limits)
  const key = randomBytes(sealKeyBytes)
  const kept = new Map<
    string,
    { readonly result: Omit<KeptResult, 'value'>; readonly text: Buffer }
  >()
  const drop = (id: string): void => {
    shelf.remove(id)
    kept.delete(id)
  }
  const sweep = (): void => {
    for (const { id } of shelf.expired(clock.now())) drop(id)
  }
  return {
    put: ({ value, name, ...rest }) => {
      sweep()
      const text = Buffer.from(resultJson(value))
      const bytes = text.length
      const { owner, expiresAt } = rest
      return new Promise((resolve) => {
        const id = name === undefined ? newResultId() : namedResultId(name, key)
        drop(id)
        for (const one of shelf.leavingFor({ owner, bytes })) drop(one.id)
        kept.set(id, { result: { ...rest, id }, text })
        shelf.add({ id, owner, expiresAt, bytes })
        resolve({ id })
      })
    },
    get: (id) => {
      sweep()
      const found = kept.get(id)
      const value: Json = found === undefined ? null : valueOf(found.text.toString('utf8'))
      return Promise.resolve(found === undefined ? null : { ...found.result, value })
    },
    idOf: (name) => namedResultId(name, key),
    ids: () => shelf.ids(),
    remove: (id) => {
      drop(id)
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}

function valueOf(text: string): Json {
  const value = parseJson(text)
  return isJson(value) ? value : null
}
