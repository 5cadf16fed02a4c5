// Eras that a keeper rotates: one by its age, none before it is due, and what a keeper signs beyond
// its terms counts for nothing.
import { publicKeyOf } from '#record/crypto/private-key'
import { rotate } from '#replay/eras/rotate'
import type { Principal } from '#schemas/catalog'
import { bind, later, played, quiet, type Play } from '../play.ts'
import { changeCatalog, newKey } from '../../support/runtime.ts'

const hour = 3_600_000
const bare = { attributes: {}, suspended: false } as const

export async function keeperScene(play: Play): Promise<void> {
  const privateKey = newKey()
  const id = 'keeper'
  const entry: Principal = { id, roles: ['era-keeper'], keys: [publicKeyOf(privateKey)], ...bare }
  const look = { intent: { tool: 'look', args: { path: 'k' } } }
  const seal = async (era: number, number: number): Promise<void> => {
    const content = { step: 'seal', seals: era - 1, by: id }
    await bind(play, 'snapshot', `main.${era}.snapshot.${number}`, content, privateKey)
    await quiet(play)
  }
  await changeCatalog(play.runtime, { op: 'put', collection: 'principals', entry })
  await seal(2, 1)
  const value = { facts: 1_000, ageMs: 24 * hour, leastMs: hour }
  await changeCatalog(play.runtime, { op: 'set', key: 'rotation', value })
  await played(play, look)
  await later(play, 23 * hour)
  await seal(2, 2)
  await later(play, hour)
  await rotate(play.runtime, { id, privateKey }, null)
  await quiet(play)
  await played(play, look)
  await seal(3, 1)
  const roles = ['era-keeper', 'writer']
  await changeCatalog(play.runtime, { op: 'put', collection: 'principals', entry: { ...entry, roles } })
  await later(play, 25 * hour)
  await seal(3, 2)
  await changeCatalog(play.runtime, { op: 'put', collection: 'principals', entry })
  await rotate(play.runtime, { id, privateKey }, null)
  await quiet(play)
  await changeCatalog(play.runtime, { op: 'set', key: 'rotation', value: {} })
  await played(play, look)
  await later(play, 25 * hour)
  await seal(4, 1)
  await played(play, look)
}
