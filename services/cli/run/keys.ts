// Makes and lists local keys. Only public halves are ever printed.
import { keyIdOf } from '#core/signature'
import { Fault } from '#core/fault'
import { holderOf, listKeys, newKey } from '#runtime/keys'
import { findLog, logExists } from '#runtime/log-url'
import { exitCodes } from '../exit.ts'
import type { GlobalOptions } from '../options.ts'
import { print, printJson } from '../terminal.ts'
import { toned } from '../text/line.ts'
import { tableLines } from '../text/table.ts'
import { withRuntime } from './opened.ts'

export async function newKeyFor(name: string, options: GlobalOptions): Promise<number> {
  const { file, publicKey } = await newKey(folderOf(options), name)
  if (options.json === true) {
    await printJson({ name, file, publicKey, keyId: keyIdOf(publicKey) })
    return exitCodes.yes
  }
  await print([
    toned('good', `made ${file}`),
    `  public half  ${publicKey}`,
    '',
    `To make it count, add it to the principal in your seed’s catalog.json and seed that folder:`,
    `  { "id": ${JSON.stringify(name)}, "keys": [${JSON.stringify(publicKey)}] }`,
  ])
  return exitCodes.yes
}

export async function listKeysHere(options: GlobalOptions): Promise<number> {
  const folder = folderOf(options)
  const keys = await listKeys(folder)
  const place = findLog(options.log, process.env)
  const catalog = logExists(place)
    ? await withRuntime(options, { reads: true }, ({ follower }) =>
        Promise.resolve(follower.world.catalog),
      )
    : { principals: new Map() }
  const rows = keys.map(({ name, file, publicKey }) => {
    const principal = holderOf(catalog, publicKey)?.id ?? null
    return { name, file, publicKey, keyId: keyIdOf(publicKey), principal }
  })
  if (options.json === true) await printJson(rows)
  else if (rows.length === 0) await print([`no keys in ${folder}/keys`])
  else {
    const cells = rows.map(({ name, keyId, principal, publicKey }) => [
      name,
      principal ?? 'nobody yet',
      keyId,
      publicKey,
    ])
    await print(tableLines(['name', 'bound to', 'key', 'public half'], cells))
  }
  return exitCodes.yes
}

function folderOf(options: GlobalOptions): string {
  const { folder, url } = findLog(options.log, process.env)
  if (folder !== null) return folder
  throw new Fault(
    'key_homeless',
    'never',
    `keys are kept beside a log file, and \`${url}\` is none`,
  )
}
