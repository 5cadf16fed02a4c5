// What a configuration was made with, as its second line says: made again it needs only what
// changes, and what was forgotten does not become something else. It holds public keys alone.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { hasCode } from '#system/file-problem'
import { isUserKey } from '#log/nats-config/nkeys'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { isRole } from '#record/roles'

const text = z.string()

/** What a configuration is made with, beside its realm and its users. */
const ServerChoices = z.object({
  era: z.int().positive(),
  cells: z.int().min(2).optional(),
  listen: text,
  store: text,
  maxFileStore: text,
  serverName: text.optional(),
  http: text.optional(),
  tlsCert: text.optional(),
  tlsKey: text.optional(),
  tlsCa: text.optional(),
  cluster: text.optional(),
  clusterListen: text.optional(),
  route: z.array(text),
})

const Remembered = z.strictObject({
  ...ServerChoices.shape,
  realm: text,
  users: z.array(
    z.strictObject({
      role: z.union([z.literal('operator'), text.refine(isRole)]),
      name: text,
      publicKey: text.refine(isUserKey),
      cell: z.int().min(0).optional(),
      for: z.array(text).readonly().optional(),
    }),
  ),
})

export type ServerChoices = Readonly<z.infer<typeof ServerChoices>>
export type Remembered = Readonly<z.infer<typeof Remembered>>

const defaults = { era: 1, listen: '127.0.0.1:4222', maxFileStore: '10GB', route: [] }

const opening = '# Made by `warrant nats-config`: make it again rather than edit it.\n'

/** The first lines of a configuration; what follows is the server's. */
export function firstLinesOf(made: Remembered): string {
  return `${opening}# ${JSON.stringify(made)}\n`
}

/** What is given counts, else what the file that is there was made with. */
export function choicesOf(
  given: Partial<ServerChoices>,
  before: Remembered | null,
  storeDefault: string,
): ServerChoices {
  return ServerChoices.parse({ ...defaults, store: storeDefault, ...before, ...given })
}

/** What the configuration in that file was made with; null where there is no file. */
export async function rememberedIn(file: string): Promise<Remembered | null> {
  const found = await textIn(file)
  if (found === null) return null
  const made = rememberedOf(found, file)
  if (made !== null) return made
  const message = `\`${file}\` was not made by this command: choose another folder`
  throw new Fault('already_there', message)
}

/** The same by the text of the file; null where someone wrote it by hand. */
export function rememberedOf(found: string, file: string): Remembered | null {
  if (!found.startsWith(opening)) return null
  const [line = ''] = found.slice(opening.length).split('\n', 1)
  const parsed = Remembered.safeParse(jsonIn(line.slice('# '.length)))
  if (parsed.success) return parsed.data
  const fix = 'remove the file, and give all options'
  const message = `the second line of \`${file}\` is not what nats-config wrote: ${fix}`
  throw new Fault('already_there', message)
}

async function textIn(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return null
    throw new Fault('already_there', `\`${file}\` cannot be read: choose another folder`, { cause })
  }
}

function jsonIn(line: string): unknown {
  try {
    return parseJson(line)
  } catch {
    return undefined
  }
}
