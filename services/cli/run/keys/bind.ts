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
