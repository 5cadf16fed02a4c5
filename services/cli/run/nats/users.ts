// Who there is on a NATS server, from flags and a file, each with a key. Seeds are written for
// their owners alone; none is ever replaced or printed.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode } from '#system/file-problem'
import { isUserKey, newUserKey, userKeyOf } from '#log/nats-config/nkeys'
import type { ServerUser } from '#log/nats-config/server-config'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { token } from '#record/names'
import { allRoles, isRole, type Role } from '#record/roles'
import { binderOf } from '#schemas/kind-entry'
import { kinds } from '#schemas/kinds'
import { allStages as stages } from '#workers/all-stages'
import { usage } from '#cli/terminal/failure'

export interface UserWanted {
  readonly role: Role | 'operator'
  readonly name: string
  /** The public half, where the user has a key already. */
  readonly key?: string | undefined
  /** The principals that a door speaks for. */
  readonly for?: readonly string[] | undefined
  /** The cell of an agent, in a realm of cells. */
  readonly cell?: number | undefined
}

/** A user, and where its seed is: null where only it knows. */
export interface UserMade extends ServerUser {
  readonly seedFile: string | null
  readonly isNew: boolean
}

const usersMax = 10_000
const UsersFile = z
  .array(
    z.strictObject({
      role: z.string(),
      name: z.string(),
      key: z.string().optional(),
      for: z.array(z.string().min(1).max(256)).max(10_000).optional(),
      cell: z.int().min(0).optional(),
    }),
  )
  .max(usersMax)

/** The users of the flags and of the file. */
export async function usersNamed(
  flags: readonly string[],
  file: string | undefined,
): Promise<readonly UserWanted[]> {
  return [...flags.map(userOf), ...(file === undefined ? [] : await usersIn(file))]
}

/** With the operator and the stages, where they are not named. */
export function withEveryStage(named: readonly UserWanted[]): readonly UserWanted[] {
  const always = ['operator', ...stages.map(({ name }) => name)]
  const missing = always.filter((role) => !named.some((user) => user.role === role))
  const users = [...missing.map((role) => wanted(role, role)), ...named]
  const seen = new Set<string>()
  for (const { role, name, key } of users) {
    for (const one of [`${role} ${token(name)}`, ...(key === undefined ? [] : [key])]) {
      if (seen.has(one)) throw usage(`\`${role}:${name}\` is there twice, or its key is`)
      seen.add(one)
    }
  }
  refuseSharedVoice(users)
  return users
}

/** Whether they are one user: its name stands in names as its token. */
export function isSame(one: UserWanted, other: UserWanted): boolean {
  return one.role === other.role && token(one.name) === token(other.name)
}

const speakers: readonly string[] = kinds.vlp.boundBy.flatMap((name) => binderOf(name).roles)

/** Whether it binds messages under its own token, as a gateway does, too. */
export function speaks({ role }: Pick<ServerUser, 'role'>): boolean {
  return speakers.includes(role)
}

/** With one token each of two speakers could speak as the other. */
function refuseSharedVoice(users: readonly UserWanted[]): void {
  const named = new Map<string, string>()
  for (const { role, name } of users.filter(speaks)) {
    const other = named.get(token(name))
    const one = `${role}:${name}`
    if (other !== undefined) {
      throw usage(`\`${other}\` and \`${one}\` would speak under one name: name one otherwise`)
    }
    named.set(token(name), one)
  }
}

function userOf(text: string): UserWanted {
  const at = text.indexOf(':')
  if (at < 1) throw usage(`--user takes role:name, and not \`${text}\``)
  return wanted(text.slice(0, at), text.slice(at + 1))
}

async function usersIn(file: string): Promise<readonly UserWanted[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    throw usage(`\`${file}\` cannot be read`)
  }
  const parsed = UsersFile.safeParse(jsonIn(text))
  if (parsed.success) {
    return parsed.data.map(({ role, name, key, cell, for: others }) => {
      if (others !== undefined && role !== 'door') {
        throw usage(`\`${role}:${name}\` has \`for\`: only a door speaks for others`)
      }
      return { ...wanted(role, name, key), cell, for: others }
    })
  }
  const [issue] = parsed.error.issues
  const where = issue === undefined ? '' : `: ${issue.path.join('.')} ${issue.message}`
  throw usage(`\`${file}\` is not a list of {"role", "name", "key"?, "cell"?, "for"?}${where}`)
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function wanted(role: string, name: string, key?: string): UserWanted {
  if (role !== 'operator' && !isRole(role)) {
    throw usage(`\`${role}\` is not a role: use operator, ${allRoles.join(', ')}`)
  }
  if (name === '' || name.length > 256 || /\p{Cc}/u.test(name)) {
    throw usage(`a user of \`${role}\` takes a name of at most 256 characters`)
  }
  if (key !== undefined && !isUserKey(key)) {
    // Perhaps a seed was pasted: it must not be repeated.
    throw usage(`the key of \`${role}:${name}\` is not the public nkey of a user (\`U…\`)`)
  }
  return { role, name, key }
}

const plainName = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/

/** The file of a user's seed below that folder. */
function seedFileOf(folder: string, { role, name }: UserWanted): string {
  const plain = plainName.test(name) ? name : token(name)
  return join(folder, `${name === role ? role : `${role}-${plain}`}.nk`)
}

interface KeysAtHand {
  readonly folder: string
  readonly mayWrite: boolean
  /** Whose keys are known: seeds go to their owners, and are not in the folder any more. */
  readonly known: readonly ServerUser[]
  /** Who gets a new key all the same, as `role:name`. */
  readonly renewed: readonly string[]
}

/** Gives each user a key: the one named, else that of its seed file or known, else a new one. */
export async function usersWithKeys(
  users: readonly UserWanted[],
  keys: KeysAtHand,
): Promise<readonly UserMade[]> {
  const renewed = keys.renewed.map(userOf)
  const stranger = renewed.find((one) => !users.some((user) => isSame(user, one)))
  if (stranger !== undefined)
    throw usage(`--new-key: no user \`${stranger.role}:${stranger.name}\``)
  if (keys.mayWrite) await mkdir(keys.folder, { recursive: true, mode: 0o700 })
  const made: UserMade[] = []
  for (const user of users) {
    const isRenewed = renewed.some((one) => isSame(user, one))
    const one = isRenewed ? await newUser(user, keys, 'w') : await userMade(user, keys)
    const { cell, for: others } = user
    made.push({
      ...one,
      ...(cell !== undefined && { cell }),
      ...(others !== undefined && { for: others }),
    })
  }
  return made
}

async function userMade(user: UserWanted, keys: KeysAtHand): Promise<UserMade> {
  const { folder, mayWrite, known } = keys
  const { role, name, key } = user
  if (key !== undefined) return { role, name, publicKey: key, seedFile: null, isNew: false }
  const seedFile = seedFileOf(folder, user)
  const kept = await seedIn(seedFile)
  if (kept !== null) {
    if (mayWrite) await chmod(seedFile, 0o600)
    return { role, name, publicKey: kept, seedFile, isNew: false }
  }
  const before = known.find((one) => isSame(one, user))
  if (before !== undefined)
    return { role, name, publicKey: before.publicKey, seedFile: null, isNew: false }
  return newUser(user, keys, 'wx')
}

async function newUser(
  user: UserWanted,
  { folder, mayWrite }: KeysAtHand,
  flag: 'w' | 'wx',
): Promise<UserMade> {
  const { role, name } = user
  if (!mayWrite) {
    const fix = 'give its public key, or run it without --print first'
    throw usage(`\`${role}:${name}\` has no key, and --print writes no seed: ${fix}`)
  }
  const seedFile = seedFileOf(folder, user)
  const { seed, publicKey } = newUserKey()
  await writeFile(seedFile, `${seed}\n`, { flag, mode: 0o600 })
  return { role, name, publicKey, seedFile, isNew: true }
}

/** The public half of the seed in that file; null where there is no file. */
async function seedIn(file: string): Promise<string | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return null
    throw new Fault('seed_unreadable', `\`${file}\` cannot be read`, { cause })
  }
  try {
    return userKeyOf(text).publicKey
  } catch {
    throw new Fault('seed_invalid', `\`${file}\` holds no nkey seed of a user (\`SU…\`)`)
  }
}
