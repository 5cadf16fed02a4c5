// Lists by what people sign in browsers, and where these keys may be.
import { fingerprintOf } from '#rules/passkeys/made'
import { exitCodes } from '#schemas/faults/exit'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { tableLines } from '#cli/terminal/table'
import { print, printJson } from '#cli/terminal/terminal'

export async function listEnrolments(options: GlobalOptions): Promise<number> {
  return withRuntime(options, { reads: true }, async ({ follower }) => {
    const { principals, consoles } = follower.state.catalog
    const rows = [...principals.values()].flatMap(({ id, suspended, passkeys = [] }) =>
      passkeys.map((passkey) => ({
        person: id,
        suspended,
        label: passkey.label ?? '',
        fingerprint: fingerprintOf(passkey),
        credential: passkey.id,
        backupEligible: passkey.backupEligible,
      })),
    )
    if (options.json === true) {
      await printJson({ consoles, passkeys: rows })
      return exitCodes.yes
    }
    const where = consoles.map(({ id, origins }) => `${id}: ${origins.join(', ')}`)
    await print(where.length === 0 ? ['the catalog has no console'] : where)
    if (rows.length === 0) await print(['no one has a passkey'])
    else {
      const lines = rows.map(({ person, fingerprint, label, backupEligible, suspended }) => [
        person,
        fingerprint,
        backupEligible ? 'copied' : 'one device',
        suspended ? 'suspended' : '',
        label,
      ])
      await print(tableLines(['person', 'fingerprint', 'kept', 'state', 'label'], lines))
    }
    return exitCodes.yes
  })
}
