// A store of results that is gone with the process: for tests and previews.
import { randomBytes } from 'node:crypto'
import type { Clock } from '#ports/clock'
import { resultLimits, type KeptResult, type ResultLimits, type ResultStore } from '#ports/results'
import { namedResultId, newResultId, Shelf } from './shelf.ts'
import { resultJson, sealKeyBytes } from './sealed.ts'

export function memoryResults(clock: Clock, limits: ResultLimits = resultLimits): ResultStore {
  const shelf = new Shelf(limits)
  const key = randomBytes(sealKeyBytes)
  const kept = new Map<string, KeptResult>()
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
      const json = Buffer.from(resultJson(value))
      const bytes = json.length
      const { owner, expiresAt } = rest
      return new Promise((resolve) => {
        const id = name === undefined ? newResultId() : namedResultId(name, key)
        drop(id)
        for (const one of shelf.leavingFor({ owner, bytes })) drop(one.id)
        kept.set(id, { ...rest, id, json })
        shelf.add({ id, owner, expiresAt, bytes })
        resolve({ id })
      })
    },
    get: (id) => {
      sweep()
      return Promise.resolve(kept.get(id) ?? null)
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
