// Making a passkey by a link of an administrator, who signs only what both have compared.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { signInProblem } from '#present/console/problem-text'
import { labels } from '#present/console/labels'
import { Button } from '../drawing/button.tsx'
import { Failed, Notice } from '../drawing/notice.tsx'
import { forgetAddress, linkTo, place } from '../shell/address.ts'
import { useDoing } from '../shell/doing.ts'
import { askServer } from '../shell/requests.ts'
import { makePasskey } from '../signing/passkey.ts'

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
