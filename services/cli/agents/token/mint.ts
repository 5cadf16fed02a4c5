// Prints the token of a verdict, derived again before it is signed for. The same each time.
import { Fault } from '#record/fault'
import { issuerRole } from '#rules/catalog/duties'
import { findSigner, holderOf, type Signer } from '#runtime/keys/keys'
import { listKeys } from '#runtime/keys/key-files'
import type { Runtime } from '#runtime/engine/runtime'
import { mintedToken } from '#replay/verdicts/minting'
import { provingOn } from '#replay/verdicts/proving'
import { exitCodes } from '#schemas/faults/exit'
import { stages } from '#workers/stages'
import { signerChoice } from '#cli/terminal/signing'
import { cellOfIntent } from '#cli/terminal/opening/cells/intent-cell'
import { findIntent } from '#operations/finding/intent-named'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions, SignerOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'

interface MintOptions extends GlobalOptions, SignerOptions {
  readonly audience?: string
}

export async function mintToken(meant: string, options: MintOptions): Promise<number> {
  const at = await cellOfIntent(options, meant, 'any')
  return withRuntime(at.options, { reads: true }, async (runtime) => {
    const address = await findIntent(runtime.log, runtime.place, at.meant)
    const issuer = await issuerHere(runtime, options)
    const proving = provingOn(runtime, stages, null)
    try {
      const { audience } = options
      const of = { proving, issuer, ...(audience !== undefined && { audience }) }
      const { token, claims } = await mintedToken(runtime, address, of)
      if (options.json === true) await printJson({ token, claims })
      else await print([token])
      return exitCodes.yes
    } finally {
      proving.stop()
    }
  })
}

/** The one that was named, else the only issuer whose key is here. */
async function issuerHere(runtime: Runtime, options: MintOptions): Promise<Signer> {
  const choice = signerChoice(runtime, options)
  if (options.key !== undefined) return findSigner(choice)
  const { catalog } = runtime.follower.state
  const here = (await listKeys(choice.keys.places)).filter(({ publicKey }) => {
    const holder = holderOf(catalog, publicKey)
    if (options.as !== undefined && holder?.id !== options.as) return false
    return holder?.roles.includes(issuerRole) === true
  })
  // Of several keys of one issuer the last of the catalog signs: the others are on their way out.
  const ids = new Set(here.map(({ publicKey }) => holderOf(catalog, publicKey)?.id))
  const [id] = ids
  if (id === undefined || ids.size > 1) {
    const what = ids.size === 0 ? 'no key of an issuer is here' : 'keys of several issuers are here'
    const fix = ids.size === 0 ? 'make one with `warrant keys issuer`' : 'give --as'
    throw new Fault('issuer_missing', `${what}: ${fix}`)
  }
  const order = catalog.principals.get(id)?.keys ?? []
  const [last] = here.toSorted(
    (one, other) => order.indexOf(other.publicKey) - order.indexOf(one.publicKey),
  )
  return findSigner({ ...choice, key: last?.file, as: id })
}
