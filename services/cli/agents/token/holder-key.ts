// The private key of who holds a token. No log is opened for it.
import { configuration } from '#wiring/config'
import { keyGiven, opened } from '#runtime/keys/keys'
import { findLog } from '#runtime/logs/log-url'
import { keyAccess } from '#cli/terminal/signing'
import type { GlobalOptions } from '#cli/terminal/opening/options'

export async function holderKey(
  options: GlobalOptions & { readonly key: string },
): Promise<string> {
  const access = keyAccess(findLog(options.log, configuration()).folder)
  return opened(await keyGiven({ keys: access }, options.key), access)
}
