// `hook resident`: which processes keep a log open for hooks, and how they are ended.
import { realpathSync, rmSync } from 'node:fs'
import { exitCodes } from '#schemas/faults/exit'
import { configuration } from '#wiring/config'
import { findLog } from '#runtime/logs/log-url'
import { utc } from '#present/wording'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { tableLines } from '#cli/terminal/table'
import { print, printJson } from '#cli/terminal/terminal'
import { askResident, memberAt, textAt, type ResidentSelf } from './exchange.ts'
import { socketsHere, type ResidentOf } from './place.ts'

interface ResidentOptions extends GlobalOptions, ResidentOf {
  readonly stop?: boolean
  readonly serve?: boolean
}

const waitMs = 2_000

/** The exit code. */
export async function runResident(options: ResidentOptions): Promise<number> {
  if (options.serve === true) {
    await (await import('./serve.ts')).serveResident(options)
    return exitCodes.yes
  }
  const all = await residentsHere()
  const { url } = findLog(options.log, configuration())
  const shown = options.stop === true ? all.filter(({ self }) => isFile(self.file, url)) : all
  if (options.stop === true) {
    for (const { socket } of shown) await askResident(socket, { is: 'end' }, { waitMs })
  }
  if (options.json === true) await printJson(shown.map(({ self }) => self))
  else if (shown.length > 0) await print(tableOf(shown.map(({ self }) => self)))
  else await print([options.stop === true ? `none has \`${url}\` open` : 'none runs'])
  return exitCodes.yes
}

function tableOf(all: readonly ResidentSelf[]) {
  const rows = all.map(({ file, pid, version, since, calls }) => [
    file,
    String(pid),
    version,
    utc(since),
    String(calls),
  ])
  return tableLines(['log', 'process', 'version', 'since', 'calls'], rows)
}

function isFile(file: string, url: string): boolean {
  try {
    return file === realpathSync(url)
  } catch {
    return file === url
  }
}

interface Resident {
  readonly socket: string
  readonly self: ResidentSelf
}

/** All of this user that answer. What a killed one has left is taken away. */
export async function residentsHere(): Promise<readonly Resident[]> {
  const found = await Promise.all(
    socketsHere().map(async (socket) => {
      try {
        return selfOf(socket, await askResident(socket, { is: 'who' }, { waitMs }))
      } catch (error) {
        const code = textAt(error, 'code')
        if (code === 'ECONNREFUSED') rmSync(socket, { force: true })
        return []
      }
    }),
  )
  return found.flat()
}

function selfOf(socket: string, answer: unknown): readonly Resident[] {
  const [version, file] = ['version', 'file'].map((name) => textAt(answer, name))
  const [pid, since, calls] = ['pid', 'since', 'calls'].map((name) => memberAt(answer, name))
  const isText = typeof version === 'string' && typeof file === 'string'
  if (!isText || typeof pid !== 'number') return []
  if (typeof since !== 'number' || typeof calls !== 'number') return []
  return [{ socket, self: { is: 'self', version, file, pid, since, calls } }]
}
