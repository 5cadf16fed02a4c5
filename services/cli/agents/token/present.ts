// Prints the proof that a holder sends along with a token, or that of its key alone: for one
// request, and for now.
import { randomUUID } from 'node:crypto'
import { systemClock } from '#system/clock'
import { audienceOf } from '#messages/warrants/claims'
import { dpopFor } from '#messages/warrants/minted'
import { targetIn } from '#messages/warrants/dpop'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { print, printJson } from '#cli/terminal/terminal'
import { holderKey } from './holder-key.ts'

interface PresentOptions extends GlobalOptions {
  readonly key: string
  readonly audience?: string
  readonly method?: string
  readonly url?: string
}

export async function presentToken(
  token: string | undefined,
  options: PresentOptions,
): Promise<number> {
  const { method, url, audience = audienceOf(options.realm) } = options
  if ((method === undefined) !== (url === undefined)) throw usage('--method goes with --url')
  if (token === undefined && url === undefined) {
    throw usage('without a token, give --method and --url: a key is proved for one HTTP request')
  }
  const target = method === undefined || url === undefined ? targetIn(audience) : { method, url }
  const now = systemClock.now()
  const proved = { token: token ?? null, target, now, id: randomUUID() }
  const dpop = dpopFor(proved, await holderKey(options))
  if (options.json === true) await printJson({ dpop })
  else await print([dpop])
  return exitCodes.yes
}
