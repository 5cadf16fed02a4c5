// The configuration of a nats-server that keeps each role to its own: the log's account, where only
// an operator logs in, and accounts of clients that import exactly what their users may ask. It
// holds public keys alone.
import { assert } from '#record/fault'
import { token } from '#record/names'
import { besidePattern, powersOf, type Role } from '#record/roles'
import { allBeside, besideLog, type Beside, type Side } from '#schemas/beside-log'
import { entryBytesMax } from '#ports/log'
import { inboxOf } from './nkeys.ts'
import { allMirrors, linkOfLog, linkOfMirror, logSide, mirrorSides } from './mirror.ts'
import {
  isInOneCell,
  readingRights,
  realmsOf,
  rightsOf,
  sitesOf,
  type Deployment,
  type Right,
  type Site,
} from './rights.ts'
import { block, list, configText } from './text.ts'

/** An operator makes streams and queues, and is no role: its seed is kept offline. */
export interface ServerUser {
  readonly role: Role | 'operator'
  /** The identifier of the principal or worker; its token stands in names. */
  readonly name: string
  readonly publicKey: string
  /** The principals that a door speaks for: it binds in their names, and in no one else's. */
  readonly for?: readonly string[] | undefined
  /** Where an agent is in a realm of cells; no one else is in one alone. */
  readonly cell?: number | undefined
}

export interface ServerFiles {
  readonly certFile: string
  readonly keyFile: string
  readonly caFile?: string
}

export interface ServerOptions extends Deployment {
  readonly users: readonly ServerUser[]
  /** `host:port` for clients. */
  readonly listen: string
  readonly storeFolder: string
  /** Up to there the server takes facts, such as `10GB`; else it takes most of what is free. */
  readonly maxFileStore?: string
  /** Whether mirrors have accounts of their own, where no follower can reach the log's queues. */
  readonly mirrorApart?: boolean
  readonly serverName?: string
  /** With `caFile`, a client must show a certificate that it signed. */
  readonly tls?: ServerFiles
  readonly cluster?: {
    readonly name: string
    readonly listen: string
    readonly routes: readonly string[]
  }
  /** Where monitoring answers; it knows no users, so it stays on the machine. */
  readonly http?: string
}

const sideNames: Readonly<Record<Side, string>> = {
  agents: 'AGENTS',
  workers: 'WORKERS',
  people: 'PEOPLE',
}
const sides: readonly Side[] = ['agents', 'workers', 'people']

/** Beside an entry a message may carry its batch and the like. */
const aroundEntryBytesMax = 65_536

/**
 * What waits at one stream before it is stored; beyond it a publisher is refused for the moment. It
 * bounds how long others of an intake wait behind a flood, and leaves workers room for batches.
 */
export const bufferedMax = 2_048

/** The text of the configuration file. */
export function serverConfig(options: ServerOptions): string {
  const { listen, storeFolder, maxFileStore, serverName, http } = options
  const lines = [
    `listen: ${configText(listen)}`,
    ...(serverName === undefined ? [] : [`server_name: ${configText(serverName)}`]),
    ...(http === undefined ? [] : [`http: ${configText(http)}`]),
    `max_payload: ${entryBytesMax + aroundEntryBytesMax}`,
    // Durable when it is acknowledged: without this an acknowledged fact can be lost.
    ...block('jetstream', [
      `store_dir: ${configText(storeFolder)}`,
      ...(maxFileStore === undefined ? [] : [`max_file_store: ${maxFileStore}`]),
      'sync_interval: always',
      `max_buffered_msgs: ${bufferedMax}`,
    ]),
    ...tlsLines(options),
    ...clusterLines(options),
    ...block('accounts', sideLines(options)),
  ]
  return `${lines.join('\n')}\n`
}

function sideLines(options: ServerOptions): readonly string[] {
  const { users, mirrorApart = true } = options
  const operators = users.filter(({ role }) => role === 'operator')
  const clients = sides.map((side) => clientsOf(side, options))
  const places = sitesOf(options).map(({ place }) => place)
  const log = mirrorApart ? linkOfLog(places) : { exports: [], imports: [] }
  const mirror = linkOfMirror(places)
  return [
    ...block(logSide, [
      'jetstream: enabled',
      ...list('exports', [...exportsOf(logSide, clients), ...log.exports]),
      ...list('imports', log.imports),
      ...list(
        'users',
        operators.flatMap((user) => [heading(user), `{ nkey: ${user.publicKey} }`]),
      ),
    ]),
    ...(mirrorApart ? allMirrors : []).flatMap((of) =>
      block(mirrorSides[of], [
        'jetstream: enabled',
        ...list('exports', [...exportsOf(mirrorSides[of], clients), ...mirror.exports]),
        ...list('imports', mirror.imports),
      ]),
    ),
    ...clients.flatMap((one) => block(sideNames[one.side], clientLines(one, options))),
  ]
}

interface Clients {
  readonly side: Side
  readonly users: readonly Client[]
  /** What the account imports: what one of its users may ask, no matter who it is. */
  readonly rights: readonly Housed[]
}

/** A right, and the account that grants it. */
interface Housed extends Right {
  readonly home: string
}

interface Client extends ServerUser {
  readonly role: Role
}

function clientsOf(side: Side, options: ServerOptions): Clients {
  const users = options.users.filter(isClient).filter(({ role }) => powersOf(role).side === side)
  const roles = [...new Set(users.map(({ role }) => role))]
  const rights = roles
    .flatMap((role) => rightsOf(role, sitesOf(options), '*'))
    .map((one) => ({ ...one, home: homeOf(one, side, options) }))
  return { side, users, rights: [...new Map(rights.map((one) => [one.subject, one])).values()] }
}

function homeOf({ of }: Right, side: Side, { mirrorApart = true }: ServerOptions): string {
  if (!mirrorApart || of === 'log') return logSide
  return mirrorSides[side === 'people' ? 'people' : 'workers']
}

function isClient(user: ServerUser): user is Client {
  return user.role !== 'operator'
}

// To clients the account of the log exports services only. A stream that it exported to them would
// put their subscriptions into it, and a follower's deliveries go wherever in it someone listens.
function exportsOf(home: string, clients: readonly Clients[]): readonly string[] {
  const granted = new Map<string, { readonly answersMany: boolean; readonly to: Side[] }>()
  for (const { side, rights } of clients) {
    for (const { subject, answersMany } of rights.filter((one) => one.home === home)) {
      const one = granted.get(subject) ?? { answersMany, to: [] }
      one.to.push(side)
      granted.set(subject, one)
    }
  }
  return [...granted].map(([subject, { answersMany, to }]) => {
    const names = to.map((side) => sideNames[side]).join(', ')
    const answers = answersMany ? ', response_type: stream' : ''
    return `{ service: ${configText(subject)}, accounts: [${names}]${answers} }`
  })
}

function clientLines({ side, users, rights }: Clients, options: ServerOptions): readonly string[] {
  const realms = realmsOf(sitesOf(options))
  const services = rights.map(({ subject, known, home }) => {
    const to = known === subject ? '' : `, to: ${configText(known)}`
    return `{ service: { account: ${home}, subject: ${configText(subject)} }${to} }`
  })
  const beside = allBeside.flatMap((kind) =>
    realms.map((realm) => {
      const { from, to } = besideLog[kind]
      return { from, to, subject: configText(besidePattern(realm, kind, '*')) }
    }),
  )
  const given = beside.flatMap(({ from, to, subject }) =>
    from === side ? [`{ stream: ${subject}, accounts: [${sideNames[to]}] }`] : [],
  )
  const received = beside.flatMap(({ from, to, subject }) =>
    to === side ? [`{ stream: { account: ${sideNames[from]}, subject: ${subject} } }`] : [],
  )
  return [
    ...list('exports', given),
    ...list('imports', [...services, ...received]),
    ...list(
      'users',
      users.flatMap((user) => userLines(user, options)),
    ),
  ]
}

function userLines(user: Client, options: ServerOptions): readonly string[] {
  const { role, name, publicKey, cell } = user
  const cells = isInOneCell(role) ? (options.cells ?? null) : null
  // Without its cell it could speak in all of them.
  const isPlaced = cells === null ? cell === undefined : cell !== undefined && cell < cells
  assert(isPlaced, 'an agent in a realm of cells is in one of them, and no one else is')
  const sites = sitesOf(options, cell)
  const own = token(name)
  const { side, gives, receives } = powersOf(role)
  // A door has no names of its own.
  const owns = role === 'door' ? (user.for ?? []).map(token) : [own]
  const asks = askedBy(role, sites, owns)
  const beside = (some: readonly Beside[]) =>
    some.flatMap((kind) =>
      realmsOf(sites).map((realm) => besidePattern(realm, kind, side === 'workers' ? '*' : own)),
    )
  const publish = [...asks, ...beside(gives)]
  // To a server, a list that is empty allows everything.
  assert(publish.length > 0, 'a role may ask something')
  return [
    heading(user),
    '{',
    `  nkey: ${publicKey}`,
    ...block('permissions', [
      ...list('publish', publish.map(configText)),
      ...list('subscribe', [`${inboxOf(publicKey)}.>`, ...beside(receives)].map(configText)),
    ]).map((line) => `  ${line}`),
    '}',
  ]
}

function askedBy(role: Role, sites: readonly Site[], owns: readonly string[]): readonly string[] {
  // What takes no name is asked by who speaks for no one, too.
  const rights = owns.length === 0 ? readingRights(role, sites) : []
  const all = [...rights, ...owns.flatMap((own) => rightsOf(role, sites, own))]
  return [...new Set(all.map(({ known }) => known))]
}

function heading({ role, name }: ServerUser): string {
  return `# ${role} ${configText(name)}`
}

function tlsLines({ tls }: ServerOptions): readonly string[] {
  return tls === undefined ? [] : block('tls', fileLines(tls))
}

function fileLines({ certFile, keyFile, caFile }: ServerFiles): readonly string[] {
  const ca = caFile === undefined ? [] : [`ca_file: ${configText(caFile)}`, 'verify: true']
  return [`cert_file: ${configText(certFile)}`, `key_file: ${configText(keyFile)}`, ...ca]
}

// Anyone who reaches the routes as a server is bound by no account: certificates keep others out.
function clusterLines({ cluster, tls }: ServerOptions): readonly string[] {
  if (cluster === undefined) return []
  return block('cluster', [
    `name: ${configText(cluster.name)}`,
    `listen: ${configText(cluster.listen)}`,
    ...list('routes', cluster.routes.map(configText)),
    ...(tls?.caFile === undefined ? [] : block('tls', fileLines(tls))),
  ])
}
