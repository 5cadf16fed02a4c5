// A folder whose catalog is read in slices: what is planned of it is what the whole text says, and
// no set of it is in memory longer than it is asked for.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plannedSeed } from '#authoring/plan/seed-plan'
import { setBytesMax } from '#authoring/graph-plan'
import { readSeed } from '#authoring/seed-files'
import { bytesOf } from '#record/change-sets'
import { principalsPut } from '#rules/catalog/people/principals-put'
import { newState } from '#state/state'
import { temporaryFolder } from '../support/temporary-folder.ts'

const key = `ed25519:${'A'.repeat(43)}`
const agents = Array.from({ length: 45_000 }, (_, at) => {
  const owner = at % 3 === 0 && at > 0 ? `agent-${at - 1}` : `owner-${at % 50}`
  return {
    id: `agent-${at}`,
    owner,
    attributes: { fleet: `fleet-${at % 90}`, note: 'n'.repeat(40) },
  }
})
/** They come after what they own. */
const owners = Array.from({ length: 50 }, (_, at) => ({ id: `owner-${at}` }))
const admin = { id: 'olga', roles: ['policy-admin'], keys: [key] }

test('very many principals are planned in sets that are made when they are asked for', async () => {
  const folder = await temporaryFolder()
  const principals = [...agents, ...owners, admin]
  const text = JSON.stringify({ principals, knownConstraints: ['careful'] })
  expect(text.length).toBeGreaterThan(4 * 1024 * 1024)
  writeFileSync(join(folder, 'catalog.json'), text)
  const author = { id: 'olga', publicKey: key }
  const state = newState({ realm: 'main', era: 1 }, null)
  const { sets, after } = plannedSeed(state, await readSeed(folder), { author, prune: false })
  const placed = new Map<string, number>()
  for (const set of sets) {
    if (set.kind !== 'catalog') continue
    const { operations } = set
    expect(operations.reduce((sum, one) => sum + bytesOf(one), 0)).toBeLessThanOrEqual(setBytesMax)
    for (const { id, owner } of principalsPut(operations)) {
      expect(placed.has(id)).toBe(false)
      if (owner !== undefined) expect(placed.has(owner)).toBe(true)
      placed.set(id, placed.size)
    }
  }
  expect(placed.size).toBe(principals.length)
  expect([...placed.keys()][0]).toBe('olga')
  expect(after.catalog.principals.size).toBe(principals.length)
  for (const one of [agents[7], agents[44_000], owners[3]]) {
    expect(after.catalog.principals.get(one?.id ?? '')).toMatchObject(one ?? {})
  }
  const [, second] = sets
  expect(second?.operations).toEqual(second?.operations)
  expect(second?.operations).not.toBe(second?.operations)
})
