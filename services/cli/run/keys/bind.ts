// Gives a principal of the catalog a key more, or takes one away, by one signed change. Who a
// principal is and what it may do is written in files; a key that was lost cannot wait for those.
import { Principal } from '#schemas/catalog'
import { principalIn, type Catalog } from '#rules/catalog/catalog'
import { firstProblem } from '#record/problem'
import { Fault } from '#record/fault'
import { keyIdOf } from '#record/signature'
import { counted } from '#present/wording'
import { thumbprintOf } from '#messages/warrants/jwk'
import { change } from '#authoring/change'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { exitCodes } from '#schemas/faults/exit'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { toned } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'
import { issuerRole } from '#rules/catalog/duties'
import { newKey } from '#runtime/keys/key-files'
import { newPassphrase, placesFor } from './run.ts'

export type BindOptions = GlobalOptions & SignerOptions

interface KeyChange {
  /** A public key; null where none comes. */
  readonly add: string | null
  /** A public key, its id or its thumbprint; null where none goes. */
  readonly retire: string | null
}

export async function changeKeys(
  id: string,
  wanted: KeyChange,
  options: BindOptions,
): Promise<number> {
  return withRuntime(options, {}, async (runtime) => {
    let entry = withKeys(runtime.follower.state.catalog, id, wanted)
    const author = await findPolicyAdmin(signerChoice(runtime, options))
    await demandAgreement(options, { lines: linesOf(id, wanted), as: author.id })
    // Of the catalog as it is then: two may give keys to one at once.
    const operations = (catalog: Catalog) => {
      entry = withKeys(catalog, id, wanted)
      return [{ op: 'put' as const, collection: 'principals' as const, entry }]
    }
    const { revision } = await change(runtime, { kind: 'catalog', operations }, author)
    const { keys } = entry
    if (options.json === true) await printJson({ id, keys, revision })
    else {
      const left = counted(keys.length, 'key')
      await print([toned('good', `${id} has ${left}, from catalog revision ${revision} on`)])
    }
    return exitCodes.yes
  })
}

function linesOf(id: string, { add, retire }: KeyChange): readonly string[] {
  return [
    ...(add === null ? [] : [`let ${id} sign with ${add}`]),
    ...(retire === null ? [] : [`take the key ${retire} from ${id}`]),
  ]
}

function withKeys(catalog: Catalog, id: string, { add, retire }: KeyChange): Principal {
  const found = principalIn(catalog, id)
  const kept = retire === null ? found.keys : without(found, retire)
  if (add === null || kept.includes(add)) return { ...found, keys: kept }
  const parsed = Principal.safeParse({ ...found, keys: [...kept, add] })
  if (parsed.success) return parsed.data
  throw usage(`that is no public key: ${firstProblem(parsed.error.issues).message}`)
}

function without({ id, keys }: Principal, named: string): Principal['keys'] {
  const kept = keys.filter((key) => ![key, keyIdOf(key), thumbprintOf(key)].includes(named))
  if (kept.length < keys.length) return kept
  const all = keys.length === 0 ? 'it has none' : `it has ${keys.join(', ')}`
  throw new Fault('key_missing', `\`${id}\` has no key \`${named}\`: ${all}`)
}

// Makes a key that signs tokens, and lets it do so by a signed change of the catalog. Of two keys
// of one issuer both count, so that a new one is known everywhere before the old one is retired.

interface IssuerOptions extends GlobalOptions, SignerOptions {
  readonly rotate?: boolean
  /** False with `--no-passphrase`. */
  readonly passphrase: boolean
}

export async function issuerCommand(id: string, options: IssuerOptions): Promise<number> {
  return withRuntime(options, {}, async (runtime) => {
    const found = runtime.follower.state.catalog.principals.get(id)
    refuseOther(id, found, options)
    const number = (found?.keys.length ?? 0) + 1
    const name = number === 1 ? id : `${id}-${number}`
    const author = await findPolicyAdmin(signerChoice(runtime, options))
    const lines = [`let a new key ${name} sign tokens as ${id}`]
    await demandAgreement(options, { lines, as: author.id })
    const passphrase = options.passphrase ? await newPassphrase() : null
    const { home } = placesFor(options)
    const { publicKey, file } = await newKey(home, name, passphrase)
    const put = Principal.parse({
      ...found,
      id,
      roles: [...new Set([...(found?.roles ?? []), issuerRole])],
      keys: [...(found?.keys ?? []), publicKey],
    })
    const operations = [{ op: 'put' as const, collection: 'principals' as const, entry: put }]
    const { revision } = await change(runtime, { kind: 'catalog', operations }, author)
    const kid = thumbprintOf(publicKey)
    if (options.json === true) await printJson({ id, file, publicKey, kid, revision })
    else {
      await print([
        toned('good', `${id} signs tokens with ${file} from catalog revision ${revision} on`),
        `  kid  ${kid}`,
        '  `warrant keys jwks` has its public key; give that to who verifies tokens',
      ])
    }
    return exitCodes.yes
  })
}

// A person who decides is no machine that signs whatever derives.
function refuseOther(id: string, found: Principal | undefined, { rotate }: IssuerOptions): void {
  const isIssuer = found?.roles.includes(issuerRole) === true
  if (found === undefined && rotate === true) {
    throw new Fault('unknown_principal', `the catalog has no issuer \`${id}\``)
  }
  if (found !== undefined && !isIssuer) {
    throw new Fault('issuer_exists', `\`${id}\` is no issuer: name a principal of its own for it`)
  }
  if (isIssuer && rotate !== true) {
    throw new Fault('issuer_exists', `\`${id}\` is an issuer already: give --rotate for a key more`)
  }
}
