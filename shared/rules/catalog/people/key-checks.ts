// What must hold of what people sign with: each key and each passkey is of one person and can be
// read, and each page is of one console whose passkeys a browser offers there.
import type { CatalogOperation, Principal } from '#schemas/catalog'
import type { Console } from '#schemas/people/passkey'
import { bytesOfBase64 } from '#platform/bytes'
import { readCoseKey } from '#record/crypto/cose-key'
import { isSoundKey } from '#record/crypto/sound-key'
import type { Catalog, CatalogRefusal } from '../catalog.ts'
import { principalIndex } from './principal-index.ts'
import { principalsPut } from './principals-put.ts'

/** The first thing that the operations have left wrong; null where all is well. */
export function passkeysFault(
  catalog: Pick<Catalog, 'principals' | 'consoles'>,
  operations: readonly CatalogOperation[],
): CatalogRefusal | null {
  const brought = principalsPut(operations).filter(({ passkeys }) => passkeys !== undefined)
  for (const { id } of brought) {
    const unusable = unusablePasskey(catalog.principals.get(id))
    if (unusable !== null) return unusable
  }
  const hasConsoles = operations.some(
    (operation) => operation.op === 'set' && operation.key === 'consoles',
  )
  const shared = brought.length === 0 ? null : sharedPasskey(catalog)
  return shared ?? (hasConsoles ? consolesFault(catalog.consoles) : null)
}

function unusablePasskey(principal: Principal | undefined): CatalogRefusal | null {
  for (const [index, { key, algorithm }] of (principal?.passkeys ?? []).entries()) {
    const found = readCoseKey(bytesOfBase64(key))
    if (found?.algorithm === algorithm && isSoundKey(found)) continue
    const message = `its key is no COSE_Key of the algorithm ${algorithm}: enrol the passkey again`
    const at = `principals/${principal?.id ?? ''}/passkeys/${index}/key`
    return { code: 'passkey_unusable', message, at }
  }
  return null
}

/** One passkey for two principals would let one person count as two. */
function sharedPasskey({ principals }: Pick<Catalog, 'principals'>): CatalogRefusal | null {
  const index = principalIndex(principals)
  if (index.passkeys.clashes + index.passkeyKeys.clashes === 0) return null
  const [ids, keys] = [new Map<string, string>(), new Map<string, string>()]
  for (const { id: holder, passkeys = [] } of principals.values()) {
    for (const { id, key } of passkeys) {
      const other = ids.get(id) ?? keys.get(key)
      if (other !== undefined) {
        const at = `principals/${holder}/passkeys`
        const message =
          other === holder
            ? `\`${holder}\` has the same passkey twice: keep one of them`
            : `\`${other}\` and \`${holder}\` have the same passkey: make one for each`
        return { code: 'passkey_shared', message, at }
      }
      ids.set(id, holder)
      keys.set(key, holder)
    }
  }
  return null
}

function consolesFault(consoles: readonly Console[]): CatalogRefusal | null {
  const ids = new Set<string>()
  const pages = new Map<string, string>()
  for (const [index, { id, rpId, origins }] of consoles.entries()) {
    if (ids.has(id)) {
      const message = `two consoles are called \`${id}\`: rename one of them`
      return { code: 'console_repeated', message, at: `consoles/${index}/id` }
    }
    ids.add(id)
    for (const [place, origin] of origins.entries()) {
      const at = `consoles/${index}/origins/${place}`
      const holder = pages.get(origin)
      if (holder !== undefined) {
        const message = `\`${origin}\` is given twice: leave it to one console`
        return { code: 'console_repeated', message, at }
      }
      pages.set(origin, id)
      const why = originProblem(origin, rpId)
      if (why !== null) return { code: 'console_unusable', message: `\`${origin}\`: ${why}`, at }
    }
  }
  return null
}

/** Why a browser would never sign there with a passkey of that relying party. */
function originProblem(origin: string, rpId: string): string | null {
  const url = URL.canParse(origin) ? new URL(origin) : null
  if (url === null || url.origin !== origin)
    return 'no browser writes it so: leave the default port out'
  const { hostname } = url
  const isOf = hostname === rpId || hostname.endsWith(`.${rpId}`)
  return isOf ? null : `its host is neither \`${rpId}\` nor below it: fix \`rpId\``
}

/** One key for two principals would let one person count as two. */
export function sharedKey(
  { principals }: Pick<Catalog, 'principals'>,
  operations: readonly CatalogOperation[],
): CatalogRefusal | null {
  if (!principalsPut(operations).some(({ keys }) => keys.length > 0)) return null
  if (principalIndex(principals).keys.clashes === 0) return null
  const holders = new Map<string, string>()
  for (const { id, keys } of principals.values()) {
    for (const key of keys) {
      const holder = holders.get(key)
      if (holder !== undefined && holder !== id) {
        const message = `\`${holder}\` and \`${id}\` have the same key: make one for each`
        return { code: 'key_shared', message, at: `principals/${id}/keys` }
      }
      holders.set(key, id)
    }
  }
  return null
}
