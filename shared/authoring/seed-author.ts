// Who signs a seed. On an empty log that is the policy admin whom its catalog names, or else anyone
// who sits here, with a key that is made if there is none; later only a policy admin of the log.
import { generateKeyPairSync } from 'node:crypto'
import type { Principal } from '#schemas/catalog'
import { assert, Fault } from '#record/fault'
import { policyAdminsAmong } from '#rules/catalog/catalog-operations'
import { publicKeyOf } from '#record/crypto/private-key'
import type { Operations } from './change-check.ts'
import type { KeyAuthor } from './change.ts'
import type { PlannedSeed } from './plan/seed-plan.ts'
import { newKey, type KeyFile } from '#runtime/keys/key-files'
import { findPolicyAdmin, findSigner, keyGiven, keysFor, opened } from '#runtime/keys/keys'
import type { KeyAccess, Signer } from '#runtime/keys/keys'
import type { Runtime } from '#runtime/engine/runtime'
import type { SeedFiles } from './seed-files.ts'

/** What is about to be signed, by whom. */
export interface SeedPlan {
  readonly author: string
  readonly sets: readonly Operations[]
  readonly plan: PlannedSeed
  /** What it was made of. */
  readonly files: SeedFiles
}

/** How the signer is chosen. */
export interface AuthorOptions {
  /** Who signs; else a key at hand does, which is made if there is none on an empty log. */
  readonly author?: KeyAuthor
  /** The keys at hand; needed where no author is given. */
  readonly keys?: KeyAccess
  /** A key file, or the name of a key at hand. */
  readonly key?: string
  readonly as?: string
  /** Is called with what would be signed, before anything is; it throws to sign nothing. */
  readonly beforeSigning?: (plan: SeedPlan) => Promise<void>
  /** Works everything out and binds nothing. */
  readonly dryRun?: boolean
  /** Whether what only the log has is taken away. */
  readonly prune?: boolean
  /** Why, for anyone who reads the log. */
  readonly note?: string | undefined
}

export interface SeedAuthor extends Signer {
  readonly created: Pick<KeyFile, 'name' | 'file' | 'publicKey'> | null
}

export async function authorOf(
  { follower }: Pick<Runtime, 'follower'>,
  catalogFile: SeedFiles['catalog'],
  options: AuthorOptions & { readonly isGenesis: boolean },
): Promise<SeedAuthor> {
  const { author, keys: access, key, as, isGenesis, dryRun } = options
  if (author !== undefined) {
    return { ...author, publicKey: publicKeyOf(author.privateKey), created: null }
  }
  const { catalog } = follower.state
  assert(access !== undefined, 'a seed is signed by an author, or by a key at hand')
  const choice = { keys: access, key, as }
  if (!isGenesis) return { ...(await findPolicyAdmin({ ...choice, catalog })), created: null }
  const { places } = access
  const empty = { ...choice, catalog: { principals: new Map() } }
  const keys = key === undefined ? await keysFor(empty) : [await keyGiven(choice, key)]
  const named = policyAdminsAmong(catalogFile.principals.values())
  if (named.length > 0) return { ...(await namedSigner(named, keys, access)), created: null }
  if (keys.length > 0) {
    const signer = await findSigner(empty)
    return { ...signer, created: null }
  }
  const id = as ?? places.own
  if (dryRun === true) return unwritten(id)
  const { name, file, publicKey, text } = await newKey(places.home, id, null)
  return { id, privateKey: text, publicKey, created: { name, file, publicKey } }
}

async function namedSigner(
  named: readonly Principal[],
  keys: readonly KeyFile[],
  access: KeyAccess,
): Promise<Signer> {
  for (const { id, keys: theirs } of named) {
    const found = keys.find(({ publicKey }) => theirs.includes(publicKey))
    if (found !== undefined) {
      return { id, privateKey: await opened(found, access), publicKey: found.publicKey }
    }
  }
  const names = named.map(({ id }) => `\`${id}\``).join(', ')
  const who = `\`catalog.json\` names ${names} as policy admin`
  const message = `${who}, and no key of theirs is here: give --key FILE`
  throw new Fault('no_policy_admin', message)
}

/**
 * A dry run writes nothing, so it signs nothing: the key only stands for the one that would be
 * made.
 */
function unwritten(id: string): SeedAuthor {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const publicKey = publicKeyOf(pem)
  return { id, privateKey: pem, publicKey, created: null }
}
