// What the JetStream API says when it does not do what was asked, and what follows from it. Most of
// it is of the moment: only what the same request meets every time is final.
import { z } from 'zod'
import { Fault } from '#record/fault'

export const ApiProblem = z.object({
  code: z.number(),
  err_code: z.number().default(0),
  description: z.string().default(''),
})

export type ApiProblem = z.infer<typeof ApiProblem>

export const problems = {
  streamMissing: 10_059,
  queueMissing: 10_014,
  messageMissing: 10_037,
  nameInUse: 10_058,
  storeFailed: 10_077,
  wrongLastPosition: 10_071,
  streamSealed: 10_109,
  batchesOpen: 10_210,
} as const

/** No request like it is ever taken. Any other code may be of the moment. */
const final: ReadonlySet<number> = new Set([
  10_003, // bad request
  10_025, // invalid JSON
  10_038, // expected an empty request payload
  10_052, // stream configuration is not valid
  10_054, // message size exceeds maximum allowed
  10_058, // stream name already in use with a different configuration
  10_065, // subjects overlap with an existing stream
  10_074, // more replicas than one without a cluster
  10_097, // header size exceeds maximum allowed
  10_109, // invalid operation on sealed stream
  10_121, // consumer max ack pending exceeds the limit of the server
  10_148, // consumer already exists
])

/** Too many requests, and one that waited too long. */
const busyStatus: ReadonlySet<number> = new Set([408, 429])

/** No room is left: for the account, in all, in memory, on disk, or when it was written. */
const full: ReadonlySet<number> = new Set([10_002, 10_023, 10_028, 10_047, problems.storeFailed])

/** Whether the stream refuses since another fact has the name. */
export function isNameBound({ err_code, description }: ApiProblem): boolean {
  if (err_code === problems.wrongLastPosition) return true
  // A full disk has the same code.
  return err_code === problems.storeFailed && description.includes('per subject')
}

/** Whether the server takes no more, of anything. */
export function isOverload(problem: ApiProblem): boolean {
  const { code, err_code } = problem
  return (busyStatus.has(code) || full.has(err_code)) && !isNameBound(problem)
}

export function apiFault(subject: string, problem: ApiProblem): Fault {
  const { err_code, description } = problem
  const said = `\`${subject}\`: ${description} (${err_code})`
  if (isOverload(problem)) {
    return new Fault('log_overloaded', `the server takes no more at the moment: ${said}`)
  }
  const retry = final.has(err_code) ? 'never' : 'soon'
  return new Fault('log_refused', `the server refuses ${said}`, { retry })
}
