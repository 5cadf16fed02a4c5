// Writes the configuration of a nats-server, and a seed for each user that has none.
import { configuration } from '#wiring/config'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { intakePrefix } from '#log/nats/intake'
import { serverConfig, type ServerOptions } from '#log/nats-config/server-config'
import { token } from '#record/names'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { print, printJson, write } from '#cli/terminal/terminal'
import { shellWord } from '#cli/terminal/hint'
import { toned, type Line } from '#cli/terminal/line'
import { pinWords, type Pinned } from '#cli/terminal/print-pin'
import { tableLines } from '#cli/terminal/table'
import { rootKeyFor } from '#cli/terminal/opening/opened'
import { cellsFor, inCells, movedIn, withCellCount, type Cells } from './cells.ts'
import {
  firstLinesOf,
  rememberedIn,
  choicesOf,
  type Remembered,
  type ServerChoices,
} from './remembered.ts'
import {
  isSame,
  speaks,
  usersNamed,
  usersWithKeys,
  withEveryStage,
  type UserMade,
} from './users.ts'

export interface NatsConfigOptions extends GlobalOptions, Partial<ServerChoices> {
  readonly user?: readonly string[]
  readonly users?: string
  readonly newKey?: readonly string[]
  readonly catalog?: string
  readonly out: string
  readonly print?: boolean
}

const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export async function natsConfig(options: NatsConfigOptions): Promise<number> {
  const folder = resolve(options.out)
  const { serverName = 'server', realm } = options
  if (!plainName.test(serverName)) throw usage('--server-name takes letters, digits, `.`, `_`, `-`')
  const file = join(folder, `${serverName}.conf`)
  const before = await rememberedIn(file)
  if (before !== null && before.realm !== realm) {
    throw usage(`\`${file}\` is of the realm \`${before.realm}\`: give that, or another --out`)
  }
  const cells = await cellsFor(options, before)
  const chosen = choicesOf(withCellCount(options, cells), before, join(folder, 'jetstream'))
  const about = aboutServer(chosen, realm)
  const pinned = { log: configuration().logId ?? null, root: rootKeyFor(options) }
  const mayWrite = options.print !== true
  const users = await usersFor(options, before, { mayWrite, cells })
  const made = users.map(({ role, name, publicKey, cell, for: others }) => {
    return { role, name, publicKey, cell, for: others }
  })
  const text = configMadeWith({ ...chosen, realm, users: made })
  if (!mayWrite) {
    await write(text)
    return exitCodes.yes
  }
  await writeFile(file, text, { mode: 0o600 })
  await writeFile(join(folder, '.gitignore'), '*.nk\n')
  if (options.json === true)
    await printJson({
      config: file,
      users: users.map((user) => withPrefix(user, about)),
      ...pinned,
    })
  else await print([...linesFor(file, { users, before }, about), ...pinLines(pinned)])
  return exitCodes.yes
}

/** The whole text of the file. */
export function configMadeWith(made: Remembered): string {
  const { realm, users } = made
  return firstLinesOf(made) + serverConfig({ ...aboutServer(made, realm), users })
}

/** Those that are given, else those that the file was made with. */
export async function usersFor(
  { user, users, newKey: renewed = [], out }: NatsConfigOptions,
  before: Remembered | null,
  { mayWrite, cells }: { readonly mayWrite: boolean; readonly cells: Cells | null },
): Promise<readonly UserMade[]> {
  const known = before?.users ?? []
  const isNamed = user !== undefined || users !== undefined
  const same = known.map(({ role, name }) => ({ role, name }))
  const wanted = withEveryStage(isNamed ? await usersNamed(user ?? [], users) : same)
  const placed = inCells(wanted, cells)
  return usersWithKeys(placed, { folder: resolve(out), mayWrite, known, renewed })
}

export function aboutServer(chosen: ServerChoices, realm: string): Omit<ServerOptions, 'users'> {
  const { era, cells, listen, store, maxFileStore, serverName, http } = chosen
  const { cluster, clusterListen, route } = chosen
  const tls = tlsFiles(chosen)
  if ((cluster === undefined) !== (clusterListen === undefined)) {
    throw usage('--cluster and --cluster-listen go together')
  }
  if (cluster === undefined && route.length > 0) throw usage('--route takes --cluster too')
  if (cluster !== undefined && serverName === undefined) {
    throw usage('a server of a cluster takes --server-name, of its own')
  }
  if ([cluster, store, ...route].some((text) => text !== undefined && /\p{Cc}/u.test(text))) {
    throw usage('names, folders and routes take no control characters')
  }
  return {
    realm,
    era,
    cells,
    listen,
    maxFileStore,
    storeFolder: store,
    ...(serverName !== undefined && { serverName }),
    ...(http !== undefined && { http }),
    ...(tls !== null && { tls }),
    ...(cluster !== undefined &&
      clusterListen !== undefined && {
        cluster: { name: cluster, listen: clusterListen, routes: route },
      }),
  }
}

function tlsFiles({
  tlsCert,
  tlsKey,
  tlsCa,
}: ServerChoices): NonNullable<ServerOptions['tls']> | null {
  if (tlsCert === undefined && tlsKey === undefined && tlsCa === undefined) return null
  if (tlsCert === undefined || tlsKey === undefined) {
    throw usage('--tls-cert and --tls-key go together')
  }
  return {
    certFile: tlsCert,
    keyFile: tlsKey,
    ...(tlsCa !== undefined && { caFile: tlsCa }),
  }
}

/** A user that speaks, with the subject below which it publishes. */
function withPrefix(
  user: UserMade,
  { realm, cells }: Omit<ServerOptions, 'users'>,
): UserMade & { readonly prefix?: string } {
  if (!speaks(user)) return user
  // Who may speak in every cell writes the number of one where the star is.
  const spoken = cells === undefined ? realm : `${realm}-c${user.cell ?? '*'}`
  return { ...user, prefix: intakePrefix(spoken, token(user.name)) }
}

function linesFor(
  file: string,
  { users, before }: { readonly users: readonly UserMade[]; readonly before: Remembered | null },
  about: Omit<ServerOptions, 'users'>,
): readonly Line[] {
  const { cells, tls, cluster, listen, maxFileStore } = about
  const rows = users.map((user) => {
    const { role, name, publicKey, seedFile, isNew, prefix = '' } = withPrefix(user, about)
    const where = seedFile ?? 'with its owner'
    return [role, name, `${publicKey.slice(0, 8)}…`, prefix, `${where}${isNew ? ' (new)' : ''}`]
  })
  const operator = users.find(({ role }) => role === 'operator')
  const seed = shellWord(operator?.seedFile ?? 'operator.nk')
  const gone = (before?.users ?? []).filter((one) => !users.some((user) => isSame(user, one)))
  const scheme = tls === undefined ? 'nats' : 'tls'
  const replicas = cluster === undefined ? '' : ' --replicas 3'
  const several = cells === undefined ? '' : ` --cells ${cells}`
  const init = `warrant nats init --log ${scheme}://${listen}${replicas}${several}`
  const warnings = [
    ...gone.map(({ role, name }) => `No user any more: ${role}:${name}.`),
    ...(tls === undefined && !/^(127\.|localhost:|\[::1\])/.test(listen)
      ? ['Without --tls-cert anyone on the network path can read everything.']
      : []),
    ...(cluster !== undefined && tls?.caFile === undefined
      ? ['Without --tls-ca anyone who reaches the cluster’s port may do anything: use a firewall.']
      : []),
  ]
  return [
    toned('good', `made ${file}`),
    ...(before === null ? [] : ['What was not given is as it was in the file before.']),
    ...tableLines(['role', 'name', 'key', 'publishes below', 'seed'], rows),
    ...movedIn(users, before?.users ?? []),
    ...warnings.map((text) => toned('warn', text)),
    `At ${maxFileStore} on its disk, mirrors included, the server takes nothing more.`,
    '',
    'Next:',
    `  nats-server -c ${shellWord(file)}`,
    `  WARRANT_NATS_NKEY_FILE=${seed} ${init}`,
    '  after a change: make it again, giving what changes, and nats-server --signal reload',
    '  hand each seed to its owner and no one else, and keep the operator’s offline',
  ]
}

// The configuration is made before there is a log, and without one at hand afterwards.
function pinLines(pinned: Pinned): readonly Line[] {
  const isKnown = pinned.log !== null && pinned.root !== null
  return [
    '  with each seed goes which log it is for:',
    `  ${pinWords(pinned)}`,
    ...(isKnown ? [] : ['  `warrant apply` prints these as it begins the log, and replay later']),
  ]
}
