// Compares the configuration of a server with what the roles allow, and writes nothing.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { serverConfig } from '#log/nats-config/server-config'
import { configDifferences, type ConfigDifference } from '#log/nats-config/differences'
import { parsedConfig } from '#log/nats-config/parser'
import { exitCodes } from '#schemas/faults/exit'
import { usage } from '#cli/terminal/failure'
import { toned, type Line } from '#cli/terminal/line'
import { tableLines } from '#cli/terminal/table'
import { print, printJson } from '#cli/terminal/terminal'
import { cellsFor, withCellCount } from './cells.ts'
import { aboutServer, usersFor, type NatsConfigOptions } from './config.ts'
import { choicesOf, rememberedOf } from './remembered.ts'
import type { UserMade } from './users.ts'

export async function checkConfig(options: NatsConfigOptions, file: string): Promise<number> {
  const text = textOf(file)
  const before = rememberedOf(text, file)
  if (before === null && options.user === undefined && options.users === undefined) {
    throw usage(`\`${file}\` was not made by this command: give --users, and the --era`)
  }
  const { realm } = before ?? options
  const cells = await cellsFor({ ...options, realm }, before)
  const users = await usersFor(options, before, { mayWrite: false, cells })
  const chosen = choicesOf(withCellCount(options, cells), before, resolve(options.out))
  const about = aboutServer(chosen, realm)
  const wanted = parsedConfig(serverConfig({ ...about, users }), file, included)
  const differences = configDifferences(wanted, parsedConfig(text, file, included), users)
  const isAsWanted = differences.length === 0
  if (options.json === true) await printJson({ file, ok: isAsWanted, differences })
  else await print(linesFor(file, users, differences))
  return isAsWanted ? exitCodes.yes : exitCodes.fault
}

function linesFor(
  file: string,
  users: readonly UserMade[],
  differences: readonly ConfigDifference[],
): readonly Line[] {
  if (differences.length === 0) {
    const names = users.map(({ role, name }) => `  ${role}:${name}`)
    return [toned('good', `${file} allows each user what its role may, and no one else`), ...names]
  }
  const rows = differences.map(({ is, about, found }) => [is, about, found])
  return [
    toned('bad', `${file} is not what the roles allow`),
    ...tableLines(['', 'of', 'found'], rows),
    '',
    'Make it again: warrant nats-config, and nats-server --signal reload',
  ]
}

/** As the server does, relative to the file that includes it, also where the name is absolute. */
function included(name: string, from: string): { readonly file: string; readonly text: string } {
  const file = join(dirname(from), name)
  return { file, text: textOf(file) }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw usage(`\`${file}\` cannot be read`)
  }
}
