// Narrows a token for a delegate. What it would come to is verified nowhere here: a verifier does.
import { systemClock } from '#system/clock'
import { narrowed } from '#messages/warrants/minted'
import { Narrowing } from '#schemas/action/warrant'
import { exitCodes } from '#schemas/faults/exit'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { print, printJson } from '#cli/terminal/terminal'
import { holderKey } from './holder-key.ts'

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
