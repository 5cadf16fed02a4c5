// What a call of a coding agent is asked about as: mapped by the tables, bound to all that the tool
// was given, with the file that it changes read where that may be.
import { createHmac } from 'node:crypto'
import { declaredArguments, type Declaring } from '#shell/hooks/declared'
import { mappedCall, type HookTables } from '#shell/hooks/hook-call'
import type { HookCall } from '#shell/hooks/hook-event'
import { boundCall, changedPath, isSecretPath, type AskedCall } from '#shell/hooks/hook-input'
import { fileBefore } from './file-before.ts'

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
