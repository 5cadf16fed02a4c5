// Makes, lists and takes back the logins of callers. A login is printed once, alone on standard
// output, so that a script can take it; only its digest is kept.
import { join } from 'node:path'
import { configuration } from '#wiring/config'
import { auditDoor, readerRefusal } from '#rules/catalog/doors/log-readers'
import { doorRefusal, httpDoor, lookRefusal } from '#rules/catalog/doors/speaking'
import { Fault } from '#record/fault'
import { utc } from '#present/wording'
import type { Runtime } from '#runtime/engine/runtime'
import { findLog } from '#runtime/logs/log-url'
import {
  createToken,
  revokeToken,
  tokenRefusal,
  tokenEntries,
  type TokenEntry,
} from '#serving/token-file'
import { exitCodes } from '#schemas/faults/exit'
import { withRuntime } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { toWrite } from '#cli/terminal/opening/seed-here'
import { memberText } from '#present/remedy'
import { usage } from '#cli/terminal/failure'
import { hintsFor } from '#cli/terminal/hint'
import { tableLines } from '#cli/terminal/table'
import { note, print, printJson } from '#cli/terminal/terminal'

interface TokensOptions extends GlobalOptions {
  readonly tokens?: string
  /** Milliseconds; null for never. */
  readonly expires?: number | null
  readonly name?: string
  /** For which server it is. */
  readonly door?: string
}

const lifetimeMsDefault = 30 * 86_400_000
const tokenFileName = 'tokens.ndjson'

/** Where the logins are: as given, else beside a log in a file. */
export function tokenFileFor(options: Pick<TokensOptions, 'log' | 'tokens'>): string {
  if (options.tokens !== undefined) return options.tokens
  const { folder } = findLog(options.log, configuration())
  if (folder !== null) return join(folder, tokenFileName)
  throw usage('there is no folder beside this log: name the file of logins with --tokens')
}

export async function createTokenFor(principal: string, options: TokensOptions): Promise<number> {
  const file = tokenFileFor(options)
  const { now, does } = await withRuntime(options, { reads: true }, async (runtime) => {
    refuseWithoutDoor(runtime, principal, options)
    return { now: runtime.clock.now(), does: whatFor(runtime, principal, options) }
  })
  const { expires = lifetimeMsDefault, name } = options
  const expiresAt = expires === null ? null : now + expires
  const { token, entry } = await createToken(file, { principal, name, now, expiresAt })
  if (options.json === true) await printJson({ token, ...shownToken(entry, now), file })
  else {
    await print([token])
    const until = expiresAt === null ? 'until it is revoked' : `until ${utc(expiresAt)}`
    note(`warrant: it ${does} \`${principal}\` ${until}, and is not shown again (${entry.id})`)
  }
  return exitCodes.yes
}

function whatFor({ follower }: Runtime, principal: string, { door }: TokensOptions): string {
  if (door === auditDoor) return 'reads as'
  const isSpoken = doorRefusal(follower.state.catalog, principal, httpDoor) === null
  return isSpoken ? 'speaks for' : 'reads what is theirs, and sends signed answers, as'
}

// A login that no server would take helps no one, which would show only when it is used.
function refuseWithoutDoor(runtime: Runtime, principal: string, options: TokensOptions): void {
  const { catalog } = runtime.follower.state
  const { door = httpDoor } = options
  if (door === auditDoor) {
    refuseUnreading(runtime, principal, options)
    return
  }
  const why = lookRefusal(catalog, principal, httpDoor)
  if (why === null) return
  const put = assigning(runtime, principal, httpDoor, options)
  const fixes = {
    unknown: 'the catalog does not know it',
    suspended: 'it is suspended',
    unassigned: `the door is not assigned to it: ${put}`,
    has_duty: `it decides for others: no door speaks for it, and to look and answer ${put}`,
  }
  throw new Fault('door_refused', `\`${principal}\` cannot call over HTTP: ${fixes[why]}`)
}

function refuseUnreading(runtime: Runtime, principal: string, options: GlobalOptions): void {
  const why = readerRefusal(runtime.follower.state.catalog, principal)
  if (why === null) return
  const put = assigning(runtime, principal, auditDoor, options)
  const fixes = {
    unknown: 'the catalog does not know it',
    suspended: 'it is suspended',
    unassigned: `the door is not assigned to it: ${put}`,
  }
  throw new Fault('reader_refused', `\`${principal}\` may not read the log: ${fixes[why]}`)
}

function assigning(
  { follower }: Runtime,
  principal: string,
  door: string,
  options: GlobalOptions,
): string {
  const via = follower.state.catalog.principals.get(principal)?.via ?? []
  const place = `the principal \`${principal}\``
  const hints = hintsFor(options, configuration())
  return toWrite(memberText({ via: [...via, door] }), { place, file: 'catalog.json', hints })
}

export async function listTokens(options: TokensOptions): Promise<number> {
  const now = Date.now()
  const all = (await tokenEntries(tokenFileFor(options))).map((entry) => shownToken(entry, now))
  if (options.json === true) await printJson(all)
  else if (all.length === 0) await print(['no logins: `warrant tokens create PRINCIPAL` makes one'])
  else {
    const cells = all.map(({ id, principal, name, state, createdAt, expiresAt }) => [
      id,
      principal,
      name ?? '',
      state,
      utc(Date.parse(createdAt)),
      expiresAt === null ? 'never' : utc(Date.parse(expiresAt)),
    ])
    await print(tableLines(['id', 'principal', 'name', '', 'made', 'ends'], cells))
  }
  return exitCodes.yes
}

export async function revokeTokenOf(id: string, options: TokensOptions): Promise<number> {
  const now = Date.now()
  const entry = await revokeToken(tokenFileFor(options), id, now)
  if (options.json === true) await printJson(shownToken(entry, now))
  else await print([`revoked: the login ${id} of ${entry.principal}`])
  return exitCodes.yes
}

function shownToken(entry: TokenEntry, now: number) {
  const { id, principal, name, createdAt, expiresAt, revokedAt } = entry
  const why = tokenRefusal(entry, now)
  const state = why === null ? 'good' : why === 'token_revoked' ? 'revoked' : 'ended'
  return { id, principal, name: name ?? null, state, createdAt, expiresAt, revokedAt }
}
