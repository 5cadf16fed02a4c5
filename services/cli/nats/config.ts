// Writes the configuration of a nats-server, and a seed for each user that has none.
import { configuration } from '#runtime/wiring/config'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { serverConfig, type ServerOptions } from '#adapters/nats-admin/server-config'
import { Fault } from '#core/kernel/fault'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '../terminal/failure.ts'
import type { GlobalOptions } from '../opening/options.ts'
import { print, printJson, write } from '../terminal/terminal.ts'
import { shellWord } from '../terminal/hint.ts'
import { toned, type Line } from '../terminal/line.ts'
import { pinWords, type Pinned } from '../replay/print-pin.ts'
import { tableLines } from '../terminal/table.ts'
import { rootKeyFor } from '../opening/opened.ts'
import { usersWanted, usersWithKeys, type UserMade } from './users.ts'

export interface NatsConfigOptions extends GlobalOptions {
  readonly user?: readonly string[]
  readonly users?: string
  readonly out: string
  readonly era: number
  readonly listen: string
  readonly store?: string
  readonly maxFileStore: string
  readonly serverName?: string
  readonly http?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsCa?: string
  readonly cluster?: string
  readonly clusterListen?: string
  readonly route?: readonly string[]
  readonly print?: boolean
}

const opening = '# Made by `warrant nats-config`: make it again rather than edit it.\n'

export async function natsConfig(options: NatsConfigOptions): Promise<number> {
  const folder = resolve(options.out)
  const file = join(folder, 'server.conf')
  const about = aboutServer(options, folder)
  const pinned = { log: configuration().logId ?? null, root: rootKeyFor(options) }
  const wanted = await usersWanted(options.user ?? [], options.users)
  const mayWrite = options.print !== true
  if (mayWrite) await refuseForeign(file)
  const users = await usersWithKeys(wanted, folder, mayWrite)
  const text = opening + serverConfig({ ...about, users })
  if (!mayWrite) {
    await write(text)
    return exitCodes.yes
  }
  await writeFile(file, text, { mode: 0o600 })
  await writeFile(join(folder, '.gitignore'), '*.nk\n')
  if (options.json === true) await printJson({ config: file, users, ...pinned })
  else await print([...linesFor(file, users, about), ...pinLines(pinned)])
  return exitCodes.yes
}

/** A configuration that someone wrote by hand is not replaced. */
async function refuseForeign(file: string): Promise<void> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    return
  }
  if (text.startsWith(opening)) return
  const message = `\`${file}\` was not made by this command: choose another folder`
  throw new Fault('already_there', message)
}

function aboutServer(options: NatsConfigOptions, folder: string): Omit<ServerOptions, 'users'> {
  const {
    realm,
    era,
    listen,
    maxFileStore,
    serverName,
    http,
    cluster,
    clusterListen,
    route = [],
  } = options
  const tls = tlsFiles(options)
  if ((cluster === undefined) !== (clusterListen === undefined)) {
    throw usage('--cluster and --cluster-listen go together')
  }
  if (cluster === undefined && route.length > 0) throw usage('--route takes --cluster too')
  if (cluster !== undefined && serverName === undefined) {
    throw usage('a server of a cluster takes --server-name, of its own')
  }
  const texts = [serverName, cluster, options.store, folder, ...route]
  if (texts.some((text) => text !== undefined && /\p{Cc}/u.test(text))) {
    throw usage('names, folders and routes take no control characters')
  }
  return {
    realm,
    era,
    listen,
    maxFileStore,
    storeFolder: resolve(options.store ?? join(folder, 'jetstream')),
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
}: NatsConfigOptions): NonNullable<ServerOptions['tls']> | null {
  if (tlsCert === undefined && tlsKey === undefined && tlsCa === undefined) return null
  if (tlsCert === undefined || tlsKey === undefined) {
    throw usage('--tls-cert and --tls-key go together')
  }
  const [certFile, keyFile] = [resolve(tlsCert), resolve(tlsKey)]
  return { certFile, keyFile, ...(tlsCa !== undefined && { caFile: resolve(tlsCa) }) }
}

function linesFor(
  file: string,
  users: readonly UserMade[],
  { tls, cluster, listen, maxFileStore }: Omit<ServerOptions, 'users'>,
): readonly Line[] {
  const rows = users.map(({ role, name, publicKey, seedFile, isNew }) => {
    const where = seedFile ?? 'with its owner'
    return [role, name, `${publicKey.slice(0, 8)}…`, `${where}${isNew ? ' (new)' : ''}`]
  })
  const operator = users.find(({ role }) => role === 'operator')
  const seed = shellWord(operator?.seedFile ?? 'operator.nk')
  const warnings = [
    ...(tls === undefined && !/^(127\.|localhost:|\[::1\])/.test(listen)
      ? ['Without --tls-cert anyone on the network path can read everything.']
      : []),
    ...(cluster !== undefined && tls?.caFile === undefined
      ? ['Without --tls-ca anyone who reaches the cluster’s port may do anything: use a firewall.']
      : []),
  ]
  return [
    toned('good', `made ${file}`),
    ...tableLines(['role', 'name', 'key', 'seed'], rows),
    ...warnings.map((text) => toned('warn', text)),
    `At ${maxFileStore} on its disk, mirrors included, the server takes nothing more.`,
    '',
    'Next:',
    `  nats-server -c ${shellWord(file)}`,
    `  WARRANT_NATS_NKEY_FILE=${seed} warrant nats init --log nats://${listen}`,
    '  after a change: make it again with all users, and nats-server --signal reload',
    '  hand each seed to its owner and no one else, and keep the operator’s offline',
  ]
}

// The configuration is made before there is a log, and without one at hand afterwards.
function pinLines(pinned: Pinned): readonly Line[] {
  const isKnown = pinned.log !== null && pinned.root !== null
  return [
    '  with each seed goes which log it is for:',
    `  ${pinWords(pinned)}`,
    ...(isKnown ? [] : ['  `warrant seed` prints these as it begins the log, and replay later']),
  ]
}
