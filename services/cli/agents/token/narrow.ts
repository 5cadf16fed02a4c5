// Narrows a token for a delegate. What it would come to is verified nowhere here: a verifier does.
import { systemClock } from '#system/clock'
import { narrowed, dpopFor } from '#messages/warrants/minted'
import { Narrowing } from '#schemas/action/warrant'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { print, printJson } from '#cli/terminal/terminal'
import { randomUUID } from 'node:crypto'
import { audienceOf } from '#messages/warrants/claims'
import { targetIn } from '#messages/warrants/dpop'
import { configuration } from '#wiring/config'
import { keyGiven, opened } from '#runtime/keys/keys'
import { findLog } from '#runtime/logs/log-url'
import { keyAccess } from '#cli/terminal/signing'

interface NarrowOptions extends GlobalOptions {
  readonly to: string
  readonly key: string
  readonly name?: string
  readonly fields?: string
  readonly maxRows?: string
  readonly seconds?: string
}

const publicKey = /^ed25519:[A-Za-z0-9_-]{43}$/

export async function narrowToken(token: string, options: NarrowOptions): Promise<number> {
  const { to, name, fields, maxRows, seconds } = options
  if (!publicKey.test(to)) throw usage('--to takes a public key, as `warrant keys list` prints it')
  const constraints = Narrowing.safeParse({
    ...(fields !== undefined && { allowed_fields: fields.split(',') }),
    ...(maxRows !== undefined && { max_rows: Number(maxRows) }),
  })
  if (!constraints.success) throw usage('--max-rows takes a whole number, --fields names')
  const lasts = seconds === undefined ? undefined : Number(seconds)
  if (lasts !== undefined && !(lasts > 0)) throw usage('--seconds takes a number above 0')
  const now = systemClock.now()
  const passed = narrowed(
    token,
    {
      key: to,
      now,
      constraints: constraints.data,
      ...(name !== undefined && { name }),
      ...(lasts !== undefined && { until: now + lasts * 1000 }),
    },
    await holderKey(options),
  )
  if (options.json === true) await printJson({ token: passed })
  else await print([passed])
  return exitCodes.yes
}

// Prints the proof that a holder sends along with a token, or that of its key alone: for one
// request, and for now.

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

// The private key of who holds a token. No log is opened for it.

async function holderKey(options: GlobalOptions & { readonly key: string }): Promise<string> {
  const access = keyAccess(findLog(options.log, configuration()).folder)
  return opened(await keyGiven({ keys: access }, options.key), access)
}
