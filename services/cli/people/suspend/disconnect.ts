// Takes an agent out of configurations of servers: a server that is reloaded closes its connection
// at once, however slow the log is.
import { readFile, writeFile } from 'node:fs/promises'
import { token } from '#record/names'
import { configMadeWith } from '#cli/run/nats/config'
import { rememberedOf, type Remembered } from '#cli/run/nats/remembered'
import { speaks } from '#cli/run/nats/users'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { usage } from '#cli/terminal/failure'
import { toned, type Line } from '#cli/terminal/line'
import { print, printJson } from '#cli/terminal/terminal'

/** A configuration without the users that spoke under the name. */
interface Reduced {
  readonly file: string
  readonly made: Remembered
  readonly removed: Remembered['users']
}

/** Writes no file unless each can be, and says at once which are written. */
export async function disconnect(
  id: string,
  files: readonly string[],
  { realm, json }: GlobalOptions,
): Promise<void> {
  const configs = await Promise.all(files.map((file) => reduced(id, file, realm)))
  for (const { file, made, removed } of configs) {
    await writeFile(file, configMadeWith(made))
    if (json === true) await printJson({ config: file, removed })
    else await print(linesFor({ file, made, removed }))
  }
}

async function reduced(id: string, file: string, realm: string): Promise<Reduced> {
  const before = rememberedOf(await writableText(file), file)
  if (before === null) {
    const fix = 'take the user out of it by hand, and reload the server'
    throw usage(`\`${file}\` was not made by \`warrant nats-config\`: ${fix}`)
  }
  if (before.realm !== realm) {
    throw usage(`\`${file}\` is of the realm \`${before.realm}\`: give --realm ${before.realm}`)
  }
  const removed = before.users.filter((user) => speaks(user) && token(user.name) === token(id))
  if (removed.length === 0) {
    const fix = 'if it was taken out before, leave out --disconnect'
    throw usage(`\`${file}\` has no user that speaks as \`${id}\`: ${fix}`)
  }
  const users = before.users.filter((user) => !removed.includes(user))
  return { file, made: { ...before, users }, removed }
}

/** Opened to be written too, so that what cannot be is known before anything is. */
async function writableText(file: string): Promise<string> {
  try {
    return await readFile(file, { encoding: 'utf8', flag: 'r+' })
  } catch {
    throw usage(`\`${file}\` cannot be read and written`)
  }
}

function linesFor({ file, made, removed }: Reduced): readonly Line[] {
  // To let it back takes its key, which the file forgets.
  const names = removed.map(({ role, name, publicKey }) => `${role}:${name} (${publicKey})`)
  const server = made.serverName ?? 'the server'
  return [
    toned('bad', `${file} is written without ${names.join(', ')}`),
    `  reload ${server} with it, which closes the connection at once:`,
    '    nats-server --signal reload',
    '  take it out of the file of --users too, or nats-config brings it back',
  ]
}
