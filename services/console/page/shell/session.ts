// Who is signed in, and up to where the server had read.
import { computed, signal } from '@preact/signals'
import type { ConsoleSession } from '#schemas/console/people'
import { askServer, codeOf, holdCsrf } from './requests.ts'

type Person = NonNullable<ConsoleSession['person']>

/** Null until the server has answered. */
export const session = signal<ConsoleSession | null>(null)
/** Why there is no answer; null where there is. */
export const sessionProblem = signal<string | null>(null)

export const person = computed<Person | null>(() => session.value?.person ?? null)

export function hasRight(right: Person['rights'][number]): boolean {
  return person.value?.rights.includes(right) === true
}

export function beSignedIn(answer: ConsoleSession): void {
  holdCsrf(answer.person?.csrf ?? '')
  sessionProblem.value = null
  session.value = answer
}

export async function readSession(): Promise<void> {
  try {
    beSignedIn(await askServer('session', '/session'))
  } catch (error) {
    sessionProblem.value = codeOf(error)
  }
}

export async function signOut(): Promise<void> {
  const { issuer } = await askServer('leave', '/sign-out', { body: {} })
  if (issuer === null) await readSession()
  else window.location.assign(issuer)
}

/** Ends what is shown of a session that the server does not know any more. */
export function noteSignedOut(code: string): void {
  if (code === 'signed_out' && person.value !== null) void readSession()
}
