// The root key that is demanded of a log: which key must have signed its first catalog. It is read
// from an option or the environment, and a log that another key began is refused.
import type { Settings } from '#schemas/settings/settings'
import { Fault } from '#record/fault'
import type { Place } from '#record/names'
import { keyIdOf } from '#record/signature'
import { evolve } from '#state/fold/evolve'
import type { State } from '#state/state'
import type { LogReader } from '#ports/log'
import { soundBeginningOf } from './beginning.ts'

const keyIdPattern = /^[A-Za-z0-9_-]{16}$/
const publicKeyPattern = /^ed25519:[A-Za-z0-9_-]{43}$/

/** The identifier of a key that is given as that or as a public key; null for anything else. */
function keyIdIn(text: string): string | null {
  if (publicKeyPattern.test(text)) return keyIdOf(text)
  return keyIdPattern.test(text) ? text : null
}

/** What was given, else `WARRANT_ROOT_KEY`; null where no root key is demanded. */
export function demandedRootKey(given: string | undefined, settings: Settings): string | null {
  const text = given ?? settings.rootKey
  if (text === undefined || text === '') return null
  const rootKey = keyIdIn(text)
  if (rootKey !== null) return rootKey
  const message = `\`${text}\` is not a root key: give a key’s identifier, or \`ed25519:…\``
  throw new Fault('usage', message)
}

/** Throws a Fault `root_key_differs` if another key began the log, whatever has been folded. */
export async function refuseOtherRoot(
  log: LogReader,
  { realm }: Pick<Place, 'realm'>,
  rootKey: string | null,
): Promise<void> {
  if (rootKey === null) return
  const { state } = await soundBeginningOf(log, { realm }, rootKey)
  for await (const fact of log.read({}, [`${realm}.1.catalog.*`])) {
    if (state.root !== null) return
    evolve(state, fact)
  }
  refuseRootOf(state)
}

/** Throws a Fault `log_id_differs` where another log is demanded than this is, or would become. */
export function refuseOtherLog({ log }: Pick<State, 'log'>, logId: string | undefined): void {
  if (logId === undefined || log === logId) return
  const is = log === null ? 'has no catalog yet, and would become another' : `is \`${log}\``
  const fix = 'check which log it is, or leave WARRANT_LOG_ID and `logId` out'
  throw new Fault('log_id_differs', `this log ${is}, and \`${logId}\` is demanded: ${fix}`)
}

/** Throws a Fault `root_key_differs` if catalogs were bound and none by the demanded key. */
export function refuseRootOf({ rootKey, root, catalogSequence }: State): void {
  if (rootKey === null || root !== null || catalogSequence.next === 1) return
  const what = `the key \`${rootKey}\` did not begin this log`
  const fix = 'check which log it is, and that the root key is the right one'
  throw new Fault('root_key_differs', `${what}: ${fix}`)
}
