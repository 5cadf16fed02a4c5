// Who signs a seed. On an empty log that is the policy admin whom its catalog names, or else
// whoever sits here, with a key that is made if there is none; later only a policy admin of the
// log.
import { generateKeyPairSync } from 'node:crypto'
import type { CatalogFile } from '#schemas/catalog'
import { Fault } from '#core/fault'
import { isPolicyAdmin } from '#core/seed/catalog-difference'
import { publicKeyOf } from '#core/signature'
import type { Author } from './change.ts'
import {
  findPolicyAdmin,
  findSigner,
  listKeys,
  localName,
  newKey,
  readKey,
  type LocalKey,
  type Signer,
} from '../keys.ts'
import type { Runtime } from '../open.ts'

/** How the signer is chosen. */
export interface AuthorOptions {
  /** Who signs; else a key beside the log does, which is made if there is none on an empty log. */
  readonly author?: Author
  readonly keyFile?: string
  readonly as?: string
  /** Works everything out and binds nothing. */
  readonly dryRun?: boolean
}

export interface SeedAuthor extends Signer {
  readonly created: Omit<LocalKey, 'privateKey'> | null
}

export async function authorOf(
  { folder, follower }: Pick<Runtime, 'folder' | 'follower'>,
  file: CatalogFile,
  options: AuthorOptions & { readonly isGenesis: boolean },
): Promise<SeedAuthor> {
  const { author, keyFile, as, isGenesis, dryRun } = options
  if (author !== undefined) {
    return { ...author, publicKey: publicKeyOf(author.privateKey), created: null }
  }
  const { catalog } = follower.world
  const choice = { folder, keyFile, as }
  if (!isGenesis) return { ...(await findPolicyAdmin({ ...choice, catalog })), created: null }
  const keys = keyFile === undefined ? await listKeys(folder) : [await readKey(keyFile)]
  const named = file.principals.filter(isPolicyAdmin)
  if (named.length > 0) return { ...namedSigner(named, keys), created: null }
  if (keys.length > 0) {
    const signer = await findSigner({ ...choice, catalog: { principals: new Map() } })
    return { ...signer, created: null }
  }
  const id = as ?? localName
  if (dryRun === true) return unwritten(id)
  if (folder === null) {
    throw new Fault('key_missing', 'never', 'this log has no folder for a key: give --key FILE')
  }
  const { privateKey, ...created } = await newKey(folder, id)
  return { id, privateKey, publicKey: created.publicKey, created }
}

function namedSigner(named: CatalogFile['principals'], keys: readonly LocalKey[]): Signer {
  for (const { id, keys: theirs } of named) {
    const found = keys.find(({ publicKey }) => theirs.includes(publicKey))
    if (found !== undefined) {
      return { id, privateKey: found.privateKey, publicKey: found.publicKey }
    }
  }
  const names = named.map(({ id }) => `\`${id}\``).join(', ')
  const who = `\`catalog.json\` names ${names} as policy admin`
  const message = `${who}, and no key of theirs is here: give --key FILE`
  throw new Fault('no_policy_admin', 'never', message)
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
