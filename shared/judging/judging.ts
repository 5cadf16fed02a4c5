// What a call of a coding agent is asked about as: mapped by the tables, bound to all that the tool
// was given, with the file that it changes read where that may be.
import { createHmac } from 'node:crypto'
import { declaredArguments, type Declaring } from '#shell/hooks/declared'
import { mappedCall, type HookTables } from '#shell/hooks/hook-call'
import type { HookCall } from '#shell/hooks/hook-event'
import { boundCall, changedPath, isSecretPath, type AskedCall } from '#shell/hooks/hook-input'
import { constants, open, realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { contentBytesMax } from '#shell/hooks/hook-contents'

export interface JudgedEvent {
  /** Whose call it is: no one's calls hold up those of others. */
  readonly principal: string
  /** The name of the coding agent. */
  readonly host: string
  readonly call: HookCall
  /** The arguments that each capability has in the log. */
  readonly declared: Readonly<Record<string, readonly string[]>>
  /** Whether the call is still to run, so that what it would change is looked at. */
  readonly isAhead: boolean
}

export interface HookJudge {
  readonly tables: HookTables
  /** Throws where it cannot be judged in time. */
  judged(event: JudgedEvent): Promise<AskedCall>
  close(): Promise<void>
}

export interface JudgedBy {
  readonly tables: HookTables
  /** Of the digests of what may hold a secret: 32 bytes. */
  readonly key: Uint8Array
  /** Where files are read that a tool would change: the project itself, or below these folders. */
  readonly readable: 'project' | readonly string[]
}

/** In this thread. */
export function judgeHere(by: JudgedBy): HookJudge {
  return {
    tables: by.tables,
    judged: (event) => judgedEvent(event, by),
    close: () => Promise.resolve(),
  }
}

async function judgedEvent(event: JudgedEvent, by: JudgedBy): Promise<AskedCall> {
  const { host, call, declared, isAhead } = event
  const { tables, key } = by
  const path = isAhead ? changedPath(host, call, tables) : null
  const folders = by.readable === 'project' ? (call.root === null ? [] : [call.root]) : by.readable
  const before =
    path === null ? null : await fileBefore({ path, cwd: call.cwd ?? call.root, folders })
  const isKept = before === null || isSecretPath(before.real, call, tables)
  const [given = ''] = mappedCall(host, call, tables).paths
  return boundCall(host, call, {
    ...tables,
    declared: (capability) => new Set(declared[capability]),
    before: isKept ? [] : [{ path: given, text: before.text }],
    keyedDigest: (text) => `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`,
  })
}

/** Of all capabilities that the tables name. */
export function declaredIn(
  capabilities: Declaring,
  { tools }: Pick<HookTables, 'tools'>,
): JudgedEvent['declared'] {
  const named = [tools.unknown, ...Object.values(tools.hosts).flatMap((one) => Object.values(one))]
  const ids = new Set(named.map(({ capability }) => capability))
  return Object.fromEntries([...ids].map((id) => [id, declaredArguments(capabilities, id)]))
}

// A file as it is before a tool changes it: read only below folders that the server was given, or
// the project where the hook runs in the agent's own account. A link never leads out of them.

interface FilePlace {
  readonly path: string
  readonly cwd: string | null
  /** The folders that it may lie in. */
  readonly folders: readonly string[]
}

interface ReadFile {
  /** Where it really lies. */
  readonly real: string
  readonly text: string
}

/** Null where it is not there, lies elsewhere, is no text or is too large. It never throws. */
async function fileBefore({ path, cwd, folders }: FilePlace): Promise<ReadFile | null> {
  if (!isAbsolute(path) && cwd === null) return null
  try {
    const real = await realpath(isAbsolute(path) ? path : join(cwd ?? '', path))
    const roots = await Promise.all(folders.map((folder) => realpath(folder)))
    if (!roots.some((root) => root !== '/' && real.startsWith(`${root}/`))) return null
    // Not to wait for a pipe, and no link that was put there meanwhile.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    const file = await open(real, flags)
    try {
      const found = await file.stat()
      if (!found.isFile() || found.size > contentBytesMax) return null
      const bytes = await file.readFile()
      return { real, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}
