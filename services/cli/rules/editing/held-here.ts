// The people of the catalog whose keys are at hand here.
import type { Runtime } from '#runtime/engine/runtime'
import { readableKeys } from '#runtime/keys/key-files'
import { keyAccess } from '#cli/terminal/signing'

export async function heldHere({ follower, folder }: Runtime): Promise<readonly string[]> {
  const keys = await readableKeys(keyAccess(folder).places)
  const held = new Set(keys.map(({ publicKey }) => publicKey))
  const { principals } = follower.state.catalog
  const people = [...principals.values()].filter((one) => one.keys.some((key) => held.has(key)))
  return people.map(({ id }) => id)
}
