// How someone gets in: by passkey, by an issuer where there is one, or by a link that an
// administrator made. None of it decides anything.
import { useEffect } from 'preact/hooks'
import { labels } from '#present/console/labels'
import { signInProblem } from '#present/console/problem-text'
import type { ConsoleSession } from '#schemas/console/people'
import { Button } from '../drawing/button.tsx'
import { Failed, Notice } from '../drawing/notice.tsx'
import { forgetAddress, place, linkTo } from './address.ts'
import { useDoing } from './doing.ts'
import { askServer } from './requests.ts'
import { beSignedIn } from './session.ts'
import { takeDevKey } from '../signing/dev-key.ts'
import { hasPasskeys, passkeySignIn, makePasskey } from '../signing/passkey.ts'
import { useSignal } from '@preact/signals'

async function byPasskey(): Promise<void> {
  const asked = await askServer('passkeyBegin', '/sign-in/passkey/begin', { body: {} })
  const body = { assertion: { ...(await passkeySignIn(asked)) } }
  beSignedIn(await askServer('passkeyComplete', '/sign-in/passkey/complete', { body }))
}

/** That of the terminal of `warrant dev` has the key, too, that signs in this page. */
async function byLink([
  view,
  secret = '',
  seed = '',
  point = '',
]: readonly string[]): Promise<void> {
  const answer = await askServer('linkSignIn', '/sign-in/link', { body: { secret } })
  if (view === 'dev' && answer.person !== null) await takeDevKey(answer.person.id, seed, point)
  beSignedIn(answer)
}

export function SignIn({ session }: { readonly session: ConsoleSession }) {
  // Where an issuer sent the browser back, why it does not get in.
  const { isBusy, problem, run } = useDoing(place.value.query.get('refused') ?? null)
  const [view, secret] = place.value.path
  useEffect(() => {
    const { path } = place.value
    if (view === 'sign-in') forgetAddress(['inbox'])
    if ((view !== 'link' && view !== 'dev') || secret === undefined) return
    forgetAddress(['inbox'])
    void run(() => byLink(path))
  }, [view, secret])
  const hasKey = session.ways.includes('passkey') && session.rpId !== null
  const isDev = session.dev === true
  return (
    <main class="alone">
      <svg class="logo mark" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M7 10l4.5 13L16 12.5 20.5 23 25 10" />
      </svg>
      <h1>{labels.product}</h1>
      <p class="lead">{labels.signIn.lead}</p>
      {problem !== null && <Failed code={signInProblem(problem)} />}
      {hasKey && hasPasskeys() && (
        <Button
          is="main"
          label={labels.signIn.passkey}
          isOff={isBusy}
          onPress={() => void run(byPasskey)}
        />
      )}
      {!hasKey && <p class="quiet">{isDev ? labels.dev.signIn : labels.signIn.noPasskey}</p>}
      {session.ways.includes('issuer') && (
        <a class="button" href="/console/api/sign-in/issuer">
          {labels.signIn.issuer}
        </a>
      )}
      {!isDev && <p class="quiet small">{labels.signIn.link}</p>}
    </main>
  )
}

// Making a passkey by a link of an administrator, who signs only what both have compared.

const lookMs = 2_000

interface Enrolment {
  readonly state: string
  /** Of the passkey, once it is made. */
  readonly fingerprint: string | null
}

export function Enrol() {
  const secret = useSignal<string | null>(null)
  const made = useSignal<Enrolment | null>(null)
  const { problem, run } = useDoing()
  const [, given] = place.value.path
  useEffect(() => {
    if (given === undefined) return
    secret.value = given
    forgetAddress(['enrol'])
  }, [given])
  const state = made.value?.state
  useEffect(() => {
    const of = secret.value
    if (state !== 'waiting' || of === null) return undefined
    const looking = window.setInterval(() => {
      void askServer('enrolState', '/enrol/state', { body: { secret: of } }).then(
        (answer) => (made.value = answer),
        () => undefined,
      )
    }, lookMs)
    return () => window.clearInterval(looking)
  }, [state])
  const make = async (): Promise<void> => {
    const of = secret.value
    if (of === null) return
    const asked = await askServer('enrolBegin', '/enrol/begin', { body: { secret: of } })
    const body = { secret: of, ...(await makePasskey(asked)) }
    made.value = await askServer('enrolComplete', '/enrol/complete', { body })
  }
  return (
    <main class="alone">
      <h1>{labels.enrol.title}</h1>
      <p class="lead">{labels.enrol.lead}</p>
      {problem !== null && <Failed code={signInProblem(problem)} />}
      {made.value === null ? (
        <Button
          is="main"
          label={labels.enrol.make}
          isOff={secret.value === null}
          onPress={() => void run(make)}
        />
      ) : (
        <Made answer={made.value} />
      )}
    </main>
  )
}

function Made({ answer }: { readonly answer: Enrolment }) {
  if (answer.state === 'enrolled') {
    return (
      <Notice tone="good">
        <p>{labels.enrol.enrolled}</p>
        <a class="button button-main" href={linkTo(['inbox'])}>
          {labels.signIn.title}
        </a>
      </Notice>
    )
  }
  return (
    <>
      <p>{labels.enrol.compare}</p>
      <p class="fingerprint">{answer.fingerprint}</p>
      <output class="quiet">{labels.enrol.waiting} …</output>
    </>
  )
}
