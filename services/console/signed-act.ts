// What a person signs here, always in two steps: first all of it is done but the signature, and
// what would be signed is answered; then it is done again with the signature that the browser
// made. The server has no key, so nothing else can be bound by it.
import type { Hono } from 'hono'
import type { z } from 'zod'
import { isSignedByPerson } from '#rules/catalog/people/signed-words'
import { Fault } from '#record/fault'
import { jsonOf } from '#record/canonical'
import type { Sign } from '#record/signature'
import { browserSigned } from '#messages/people/browser-key'
import { bodyOf } from '#serving/app'
import { problemOf, problemType, Refusal } from '#serving/problem'
import type { ConsoleRouteName } from '#schemas/console/routes'
import type { BoundAnswer, SignedThat, SigningAsked } from '#schemas/console/signing'
import { signWith, unsignedOf } from '#client/people/signing'
import type { AskedByPerson, ConsoleOn } from './console.ts'
import { addFor } from './routed.ts'

/** What was bound; a position that the caller can wait for. */
export interface FactBound {
  readonly name: string
  readonly position: number
  readonly appendedAt: number
}

export interface SignedAct<Body> {
  readonly prepare: ConsoleRouteName
  readonly submit: ConsoleRouteName
  readonly body: z.ZodType<Body>
  readonly submitted: z.ZodType<Body & { readonly signed: SignedThat }>
  /** Whether the key of a browser signs such a thing, too. Where it counts is judged by the act. */
  readonly byBrowser?: true
  /** On which log it is, where the path names no intent by which it is found. */
  on?(asked: ActingOn<Body>): Promise<ConsoleOn>
  /** `signed` is null while it is only prepared. */
  act(asked: ActingOn<Body>, sign: Sign): Promise<FactBound>
  /** What to show in place of what was signed, once that does not hold any more. */
  stale?(asked: AskedByPerson): Promise<object>
}

export interface ActingOn<Body> extends AskedByPerson {
  readonly body: Body
  readonly signed: SignedThat | null
}

const bodyBytesMax = 1024 * 1024

export function addSigned<Body>(app: Hono, on: ConsoleOn, of: SignedAct<Body>): void {
  addFor(app, on, of.prepare, (asked) =>
    orStale(of, asked, async () => {
      const body = await bodyOf(asked.c, of.body, bodyBytesMax)
      const acting = await onLogOf(of, { ...asked, body, signed: null })
      return asked.c.json({ toSign: await wouldSign(of, acting) })
    }),
  )
  addFor(app, on, of.submit, (asked) =>
    orStale(of, asked, async () => {
      const body = await bodyOf(asked.c, of.submitted, bodyBytesMax)
      const { signed } = body
      const acting = await onLogOf(of, { ...asked, body, signed })
      const sign = signerFor(acting, signed, of.byBrowser)
      const fact = await of.act(acting, sign)
      await acting.on.runtime.follower.reached(fact.position)
      return asked.c.json(boundAnswer(fact))
    }),
  )
}

async function onLogOf<Body>(
  { on }: Pick<SignedAct<Body>, 'on'>,
  acting: ActingOn<Body>,
): Promise<ActingOn<Body>> {
  return on === undefined ? acting : { ...acting, on: await on(acting) }
}

function wouldSign<Body>(
  of: Pick<SignedAct<Body>, 'act'>,
  acting: ActingOn<Body>,
): Promise<SigningAsked> {
  return unsignedOf((sign) => of.act(acting, sign)).then(signingAsked)
}

export function signingAsked({ of, data, challenge }: Awaited<ReturnType<typeof unsignedOf>>) {
  return { of: { log: of.log, name: of.name }, data, challenge } satisfies SigningAsked
}

/**
 * Signs just that. Whose it is is verified first: a name is used by whatever is bound under it, so
 * what no one signed must not be tried. Throws a Refusal 422 `signature_needed`.
 */
export function signerFor(
  { on: { runtime }, person: { id } }: AskedByPerson,
  { of, data, signature }: SignedThat,
  byBrowser = false,
): Sign {
  const { follower, clock } = runtime
  const { catalog, people } = follower.state
  const content = jsonOf(data)
  const person = catalog.principals.get(id)
  const isByBrowser = (): boolean =>
    byBrowser &&
    person !== undefined &&
    browserSigned(people, person, { of, data: content, signature }, clock.now()) !== null
  if (!isSignedByPerson(catalog, person, of, content, signature) && !isByBrowser()) {
    throw new Refusal(422, 'signature_needed', `nothing that is of \`${id}\` signed this`)
  }
  return signWith({ of, data: content }, signature)
}

/** The id of what is bound is drawn once, and is part of what was signed. */
export function idDrawn(signed: SignedThat | null): { readonly id?: string } {
  const id = signed?.of.name.split('.').at(-1)
  return id === undefined ? {} : { id }
}

export function boundAnswer({ name, position, appendedAt }: FactBound): BoundAnswer {
  return { name, position, appendedAt: new Date(appendedAt).toISOString() }
}

/** Codes of what was so when it was shown, and is not any more. */
const staleCodes: ReadonlySet<string> = new Set([
  'signing_changed',
  'no_review',
  'decided',
  'decision_void',
  'no_proposal',
  'ruled',
  'conflict',
])

/** Answers 409 with the code, and with how it is now. */
export async function orStale(
  { stale }: Pick<SignedAct<never>, 'stale'>,
  asked: AskedByPerson,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Fault) || !staleCodes.has(error.code)) throw error
    // For who counts refusals: it is answered here.
    asked.c.error = error
    const now = stale === undefined ? {} : await stale(asked).catch(() => ({}))
    const problem = { ...problemOf(new Refusal(409, error.code, error.message)), ...now }
    return asked.c.body(JSON.stringify(problem), 409, { 'content-type': problemType })
  }
}
