// Prints the public keys that tokens of the log verify with, as RFC 7517 has them.
import { jwksOf } from '#messages/warrants/jwk'
import { exitCodes } from '#schemas/faults/exit'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson } from '#cli/terminal/terminal'

export async function printJwks(options: GlobalOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async ({ follower }) => {
    const jwks = jwksOf(follower.state.catalog)
    if (options.json === true) await printJson(jwks)
    else await print(JSON.stringify(jwks, null, 2).split('\n'))
    return exitCodes.yes
  })
}
