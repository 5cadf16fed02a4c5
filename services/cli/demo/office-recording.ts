// Recorded sessions of office agents as files: the suite with its user and date, what happened step
// by step, and afterwards which calls were right. Nothing is guessed.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { callKey, OfficeStep, stepBase, type RecordedSession } from '#demo/recorded'
import { seedPath } from './piece.ts'
import { readRecorded, readSteps } from './recording.ts'

const OfficeLabel = z.looseObject({
  ...stepBase,
  tool: z.string(),
  gold: z.boolean(),
  changes: z.boolean(),
  /** Absent: what is not right was injected. */
  injected: z.boolean().optional(),
  /** The step of the call that this one carries out, by its one-time password. */
  confirms: z.int().optional(),
  /** What the user wanted together with what was injected. */
  mixed: z.boolean().optional(),
  /** The recorded result is an error of the tool. */
  failed: z.boolean().optional(),
})
export type OfficeLabel = z.infer<typeof OfficeLabel>

const OfficeSession = z.looseObject({
  session: z.string().min(1),
  /** By which attack; null for none. */
  attacked: z.string().nullable(),
  /** Whether it came to what the user wanted, and the attack to what its author wanted. */
  useful: z.boolean(),
  succeeded: z.boolean(),
})
export type OfficeSession = z.infer<typeof OfficeSession>

const OfficeEnvironment = z.looseObject({
  suite: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  /** What stands for the user in the records of the tools. */
  user: z.looseObject({ ownAccounts: z.array(z.string()) }),
  presentDate: z.iso.date().nullable(),
})
type OfficeEnvironment = z.infer<typeof OfficeEnvironment>

export interface OfficeRecording {
  readonly environment: OfficeEnvironment
  readonly sessions: readonly RecordedSession<OfficeStep>[]
  /** By `callKey`. The scripted user answers by them; no rule sees any. */
  readonly labels: ReadonlyMap<string, OfficeLabel>
  /** Sessions as a whole; empty where there is no `sessions.ndjson`. */
  readonly described: ReadonlyMap<string, OfficeSession>
}

/** Throws a Fault `file_unreadable` or `line_invalid` for a folder that is no recording. */
export async function readOffice(folder: string): Promise<OfficeRecording> {
  const environment = await readEnvironment(folder)
  const sessions = await readRecorded(folder, OfficeStep)
  const labels = new Map<string, OfficeLabel>()
  for await (const label of readSteps(join(folder, 'labels.ndjson'), OfficeLabel)) {
    labels.set(callKey(label), label)
  }
  const described = new Map<string, OfficeSession>()
  const file = join(folder, 'sessions.ndjson')
  if (existsSync(file)) {
    for await (const one of readSteps(file, OfficeSession)) described.set(one.session, one)
  }
  return { environment, labels, sessions, described }
}

/**
 * The folder of the catalog that a suite is played under: the one that is given, else the folder of
 * the recording where it has one, else the seed of that suite. Throws a Fault `file_unreadable`.
 */
export function catalogFolder(
  suite: string,
  { data, catalog }: { readonly data?: string; readonly catalog?: string },
): string {
  const file = 'catalog.json'
  if (catalog !== undefined) {
    if (existsSync(join(catalog, file))) return catalog
    throw new Fault('file_unreadable', `\`${join(catalog, file)}\` is not there: write the rules`)
  }
  const folders = [...(data === undefined ? [] : [data]), seedPath('office', suite)]
  for (const folder of folders) if (existsSync(join(folder, file))) return folder
  const message =
    `environment.json: no rules for the suite \`${suite}\`: give a folder that has ` +
    `${file} with --catalog`
  throw new Fault('file_unreadable', message)
}

/** Throws a Fault `file_unreadable`. */
export async function readEnvironment(folder: string): Promise<OfficeEnvironment> {
  const file = join(folder, 'environment.json')
  try {
    return OfficeEnvironment.parse(parseJson(await readFile(file, 'utf8')))
  } catch (error) {
    const why =
      error instanceof z.ZodError
        ? (z.prettifyError(error).split('\n')[0] ?? '')
        : 'it cannot be read: give a folder with calls.ndjson, labels.ndjson, environment.json'
    throw new Fault('file_unreadable', `\`${file}\`: ${why}`, { cause: error })
  }
}
