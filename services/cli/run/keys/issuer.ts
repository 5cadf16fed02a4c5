// Makes a key that signs tokens, and lets it do so by a signed change of the catalog. Of two keys
// of one issuer both count, so that a new one is known everywhere before the old one is retired.
import { Principal } from '#schemas/catalog'
import { Fault } from '#record/fault'
import { issuerRole } from '#rules/catalog/duties'
import { thumbprintOf } from '#messages/warrants/jwk'
import { change } from '#authoring/change'
import { newKey } from '#runtime/keys/key-files'
import { findPolicyAdmin } from '#runtime/keys/keys'
import { exitCodes } from '#schemas/faults/exit'
import { demandAgreement, signerChoice } from '#cli/terminal/signing'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'
import { toned } from '#cli/terminal/line'
import { newPassphrase, placesFor } from './run.ts'

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
