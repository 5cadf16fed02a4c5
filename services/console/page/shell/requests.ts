// What the page asks of the server, by the table of its routes. An answer is one of the same
// release; what a person signs is computed here again from what they see.
import type { z } from 'zod'
import type { JsonMap } from '#record/canonical'
import type { Prepared } from '#schemas/console/authoring'
import type { ConsoleRouteName, ConsoleTable } from '#schemas/console/routes'
import type { BoundAnswer } from '#schemas/console/signing'
import { setServerTime } from './clock.ts'

type Answer<Name extends ConsoleRouteName> = ConsoleTable[Name]['answer'] extends z.ZodType
  ? z.infer<ConsoleTable[Name]['answer']>
  : null

export interface RequestParts {
  /** For what stands in braces in the path. */
  readonly in?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: JsonMap
}

/** What went wrong: a code of the server, or `unreachable`. */
export class PageProblem extends Error {
  readonly code: string

  constructor(code: string) {
    super(code)
    this.name = 'PageProblem'
    this.code = code
  }
}

/** The code of whatever was thrown. */
export function codeOf(error: unknown): string {
  return error instanceof PageProblem ? error.code : 'broken'
}

let csrf = ''

/** What each write sends, so that no other site can. */
export function holdCsrf(token: string): void {
  csrf = token
}

export function askServer<Name extends ConsoleRouteName>(
  _name: Name,
  path: ConsoleTable[Name]['path'],
  asked: RequestParts = {},
): Promise<Answer<Name>> {
  return answered(path, asked)
}

type SignedIn<Name> = Name extends `${infer Signed}Prepare` ? Signed : never
/** What is signed in two steps: each has a route that prepares it, and one that takes it back. */
export type SignedName = SignedIn<Exclude<ConsoleRouteName, 'answersPrepare'>>

type Before<Path> = Path extends `${infer Place}/prepare` ? Place : never
/** The path of both, without its last step. */
export type SignedPath<Name extends SignedName> = Before<ConsoleTable[`${Name}Prepare`]['path']>

export function prepared<Name extends SignedName>(
  _name: Name,
  path: SignedPath<Name>,
  asked: RequestParts,
): Promise<Prepared> {
  return answered(`${path}/prepare`, asked)
}

export function submitted<Name extends SignedName>(
  _name: Name,
  path: SignedPath<Name>,
  asked: RequestParts,
): Promise<BoundAnswer> {
  return answered(`${path}/submit`, asked)
}

async function answered<Of>(path: string, asked: RequestParts): Promise<Of> {
  const isWrite = asked.body !== undefined
  const response = await sent(`/console/api${filled(path, asked)}`, {
    method: isWrite ? 'POST' : 'GET',
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(isWrite && { 'content-type': 'application/json', 'x-csrf-token': csrf }),
    },
    ...(isWrite && { body: JSON.stringify(asked.body) }),
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw new PageProblem(problemCode(body, response.status))
  if (!isAnswer<Of>(body)) throw new PageProblem('unreachable')
  noteTime(body)
  return body
}

/** What is waited for ends by the clock of the server, not by that of a phone. */
function noteTime(answer: object): void {
  if ('now' in answer && typeof answer.now === 'string') setServerTime(answer.now)
}

async function sent(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options)
  } catch {
    throw new PageProblem('unreachable')
  }
}

function filled(path: string, { in: params = {}, query = {} }: RequestParts): string {
  const put = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return encodeURIComponent(params[name] ?? '')
  })
  const filters = new URLSearchParams(query).toString()
  return filters === '' ? put : `${put}?${filters}`
}

function problemCode(body: unknown, status: number): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null
  if (code === 'caller_refused') return status === 401 ? 'signed_out' : 'forbidden'
  return typeof code === 'string' ? code : 'unreachable'
}

type Body<Of> = Of & object

// Page and server are of one release, and the server checks its answers against the table.
function isAnswer<Of>(body: unknown): body is Body<Of> {
  return typeof body === 'object' && body !== null
}
