// How the configuration of a server differs from what the roles allow: whether a user may more or
// less than its role, comes in by another way, or is of no role. It compares with what
// `serverConfig` writes, so there is no second table of rights.
import { z } from 'zod'
import { canonical, type JsonMap } from '#record/canonical'
import { Fault } from '#record/fault'
import { covers } from '#record/pattern'
import type { ServerUser } from './server-config.ts'

export interface ConfigDifference {
  /** `wider` lets someone do what its role does not; `narrower` keeps someone from its work. */
  readonly is: 'wider' | 'narrower' | 'unknown'
  /** The account, the user or the key of the file that it is about. */
  readonly about: string
  readonly found: string
}

/** Settings of a server that change nothing of who may do what. */
const harmless = new Set(
  [
    'listen host port net server_name server_tags http https http_port https_port http_base_path',
    'client_advertise max_payload max_connections max_control_line max_pending max_subscriptions',
    'write_deadline ping_interval ping_max lame_duck_duration lame_duck_grace_period prof_port',
    'debug trace logtime log_file logfile log_size_limit logfile_size_limit pid_file pidfile',
    'syslog remote_syslog ports_file_dir jetstream tls cluster accounts',
  ].flatMap((line) => line.split(' ')),
)

const Several = z.union([z.string().transform((one) => [one]), z.array(z.string())])
const Allowed = z
  .union([
    Several.transform((allow) => ({ allow, deny: [] })),
    z.strictObject({ allow: Several.default([]), deny: Several.default([]) }),
  ])
  .default({ allow: [], deny: [] })
  // To a server nothing that is allowed is everything.
  .transform(({ allow, deny }) => ({ allow: allow.length === 0 ? ['>'] : allow, deny }))

const User = z.looseObject({
  nkey: z.string().default(''),
  permissions: z.looseObject({ publish: Allowed, subscribe: Allowed }).prefault({}),
})

const SideConfig = z.looseObject({
  jetstream: z.json().default('disabled'),
  exports: z.array(z.json()).default([]),
  imports: z.array(z.json()).default([]),
  users: z.array(User).default([]),
})

const Config = z.looseObject({ accounts: z.record(z.string(), SideConfig).default({}) })

type SideConfig = z.infer<typeof SideConfig>
type Allowed = z.infer<typeof Allowed>

/** Both are whole files, as parsed. */
export function configDifferences(
  wanted: JsonMap,
  found: JsonMap,
  users: readonly ServerUser[],
): readonly ConfigDifference[] {
  const [ours, theirs] = [sidesIn(wanted), sidesIn(found)]
  const names = [...new Set([...ours.keys(), ...theirs.keys()])]
  return [
    ...othersIn(found, harmless, ''),
    ...names.flatMap((name) =>
      sideDifferences(`account ${name}`, ours.get(name), theirs.get(name)),
    ),
    ...userDifferences(usersIn(ours), usersIn(theirs), users),
  ]
}

type Sides = ReadonlyMap<string, SideConfig>

function sidesIn(config: JsonMap): Sides {
  const parsed = Config.safeParse(config)
  if (parsed.success) return new Map(Object.entries(parsed.data.accounts))
  const [issue] = parsed.error.issues
  const where = issue === undefined ? '' : `: ${issue.path.join('.')}: ${issue.message}`
  throw new Fault(
    'server_config_unread',
    `the accounts are not written as the server has it${where}`,
  )
}

/** What is there and is not compared: it may let someone in, or let a user do more. */
function othersIn(
  found: object,
  known: ReadonlySet<string>,
  about: string,
): readonly ConfigDifference[] {
  return Object.keys(found)
    .filter((key) => !known.has(key))
    .map((key) => ({
      is: 'unknown',
      about: `${about} ${key}`.trim(),
      found: 'what it allows is not known here: remove it',
    }))
}

const sideKeys = new Set(['jetstream', 'exports', 'imports', 'users'])
const userKeys = new Set(['nkey', 'permissions'])
const rightKeys = new Set(['publish', 'subscribe'])

function sideDifferences(
  about: string,
  ours: SideConfig | undefined,
  theirs: SideConfig | undefined,
): readonly ConfigDifference[] {
  if (theirs === undefined) return [{ is: 'narrower', about, found: 'it is not there' }]
  if (ours === undefined) return [{ is: 'unknown', about, found: 'no role is in it' }]
  const [needs, has] = [ours, theirs].map(({ jetstream }) => canonical(jetstream))
  return [
    ...othersIn(theirs, sideKeys, about),
    ...setDifferences(about, 'jetstream', { has: [has ?? ''], needs: [needs ?? ''] }),
    ...(['exports', 'imports'] as const).flatMap((key) =>
      setDifferences(about, key, {
        has: theirs[key].map(canonical),
        needs: ours[key].map(canonical),
      }),
    ),
  ]
}

function setDifferences(
  about: string,
  key: string,
  { has, needs }: { readonly has: readonly string[]; readonly needs: readonly string[] },
): readonly ConfigDifference[] {
  const [had, needed] = [new Set(has), new Set(needs)]
  const more = has.filter((one) => !needed.has(one))
  const less = needs.filter((one) => !had.has(one))
  return [
    ...more.map((one) => ({ is: 'wider' as const, about, found: `${key} has ${one}` })),
    ...less.map((one) => ({ is: 'narrower' as const, about, found: `${key} lacks ${one}` })),
  ]
}

interface FoundUser extends z.infer<typeof User> {
  readonly side: string
}

function usersIn(sides: Sides): readonly FoundUser[] {
  return [...sides].flatMap(([side, { users }]) => users.map((user) => ({ ...user, side })))
}

function userDifferences(
  ours: readonly FoundUser[],
  theirs: readonly FoundUser[],
  users: readonly ServerUser[],
): readonly ConfigDifference[] {
  const nameOf = (nkey: string): string => {
    const user = users.find(({ publicKey }) => publicKey === nkey)
    if (user === undefined) return nkey === '' ? 'a user without an nkey' : `user ${nkey}`
    return `${user.role}:${user.name}`
  }
  const missing = ours.filter(({ nkey }) => !theirs.some((user) => user.nkey === nkey))
  return [
    ...missing.map(({ nkey }) => {
      return { is: 'narrower' as const, about: nameOf(nkey), found: 'it is not there' }
    }),
    ...theirs.flatMap((user) => {
      const wanted = ours.find(({ nkey }) => nkey === user.nkey)
      const about = nameOf(user.nkey)
      if (wanted !== undefined) return rightDifferences(about, wanted, user)
      const found = `it is of no role, in the account ${user.side}`
      return [{ is: 'unknown' as const, about, found }]
    }),
  ]
}

function rightDifferences(
  about: string,
  wanted: FoundUser,
  found: FoundUser,
): readonly ConfigDifference[] {
  const { side, ...config } = found
  const isApart = wanted.side !== side
  return [
    ...othersIn(config, userKeys, about),
    ...othersIn(found.permissions, rightKeys, `${about} permissions`),
    ...(isApart ? [{ is: 'wider' as const, about, found: `it is in the account ${side}` }] : []),
    ...(['publish', 'subscribe'] as const).flatMap((key) =>
      subjectDifferences(about, key, {
        has: found.permissions[key],
        needs: wanted.permissions[key],
      }),
    ),
  ]
}

function subjectDifferences(
  about: string,
  key: string,
  { has, needs }: { readonly has: Allowed; readonly needs: Allowed },
): readonly ConfigDifference[] {
  const beyond = (some: readonly string[], others: readonly string[]) => {
    // Of thousands nearly all are the same: only the rest is compared with each.
    const same = new Set(others)
    const rest = some.filter((one) => !same.has(one))
    return rest.filter((one) => !others.some((other) => includes(other, one)))
  }
  const wider = [
    ...beyond(has.allow, needs.allow),
    ...beyond(needs.deny, has.deny).map((one) => `${one}, which is denied`),
  ]
  const narrower = [...beyond(needs.allow, has.allow), ...beyond(has.deny, needs.deny)]
  return [
    ...wider.map((one) => ({ is: 'wider' as const, about, found: `it may ${key} ${one}` })),
    ...narrower.map((one) => ({
      is: 'narrower' as const,
      about,
      found: `it may not ${key} ${one}`,
    })),
  ]
}

/** Whether every subject of the other is one of the pattern. */
function includes(pattern: string, other: string): boolean {
  return covers(pattern, other) && (pattern.endsWith('>') || !other.endsWith('>'))
}
