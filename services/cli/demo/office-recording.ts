// Recorded sessions of office agents as files: the suite with its user and date, what happened step
// by step, and afterwards which calls were right. Nothing is guessed.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import { callKey, OfficeStep, stepBase, type RecordedSession } from '#demo/recorded'
import { readRecorded, readSteps } from './recording.ts'

const OfficeLabel = z.looseObject({
  ...stepBase,
  tool: z.string(),
  gold: z.boolean(),
  changes: z.boolean(),
})
export type OfficeLabel = z.infer<typeof OfficeLabel>

const suites = ['workspace', 'banking', 'slack', 'travel'] as const

const OfficeEnvironment = z.looseObject({
  suite: z.enum(suites),
  /** What stands for the user in the records of the tools. */
  user: z.looseObject({ ownAccounts: z.array(z.string()) }),
  presentDate: z.iso.date().nullable(),
})
export type OfficeEnvironment = z.infer<typeof OfficeEnvironment>

export interface OfficeRecording {
  readonly environment: OfficeEnvironment
  readonly sessions: readonly RecordedSession<OfficeStep>[]
  /** By `callKey`. The scripted user answers by them; no rule sees any. */
  readonly labels: ReadonlyMap<string, OfficeLabel>
}

/** Throws a Fault `file_unreadable` or `line_invalid` for a folder that is no recording. */
export async function readOffice(folder: string): Promise<OfficeRecording> {
  const environment = await environmentIn(join(folder, 'environment.json'))
  const sessions = await readRecorded(folder, OfficeStep)
  const labels = new Map<string, OfficeLabel>()
  for await (const label of readSteps(join(folder, 'labels.ndjson'), OfficeLabel)) {
    labels.set(callKey(label), label)
  }
  return { environment, labels, sessions }
}

async function environmentIn(file: string): Promise<OfficeEnvironment> {
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
