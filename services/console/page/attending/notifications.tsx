// By which browsers the person is notified, and a button for this one. The browser asks for
// permission when it is pressed, and not before.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { attendingLabels } from '#present/console/attending-text'
import { consoleProblemText } from '#present/console/problem-text'
import type { Subscribed } from '#schemas/console/attending'
import { Hostile } from '../drawing/hostile.tsx'
import { Failed } from '../drawing/notice.tsx'
import { codeOf } from '../shell/requests.ts'
import { pushHindrance, readPush, subscribe, unsubscribe, type PushHere } from './push.ts'

const labels = attendingLabels.notified

export function Notifications() {
  const here = useSignal<PushHere | null>(null)
  const problem = useSignal<string | null>(null)
  const isBusy = useSignal(false)
  const read = async (): Promise<void> => {
    here.value = await readPush()
  }
  const doing = async (what: () => Promise<void>): Promise<void> => {
    isBusy.value = true
    problem.value = null
    try {
      await what()
      await read()
    } catch (error) {
      problem.value = codeOf(error)
    } finally {
      isBusy.value = false
    }
  }
  useEffect(() => void doing(read), [])
  if (here.value === null) return problem.value === null ? null : <Failed code={problem.value} />
  const { answer, mine } = here.value
  const hindrance = pushHindrance(answer)
  const { publicKey } = answer
  return (
    <section class="block" aria-labelledby="notified-title">
      <h2 id="notified-title">{labels.title}</h2>
      <p class="quiet">{labels.lead}</p>
      {problem.value !== null && <Failed code={problem.value} />}
      <ul class="stack">
        {answer.browsers.map((browser) => (
          <Browser
            browser={browser}
            isThis={browser.id === mine}
            isBusy={isBusy.value}
            onRemove={() => void doing(() => unsubscribe(browser.id, mine))}
          />
        ))}
      </ul>
      {mine === null && hindrance !== null && <p>{consoleProblemText(hindrance)}</p>}
      {mine === null && hindrance === null && publicKey !== null && (
        <button
          type="button"
          class="button"
          disabled={isBusy.value}
          onClick={() => void doing(() => subscribe(publicKey))}
        >
          {labels.subscribe}
        </button>
      )}
    </section>
  )
}

interface BrowserProps {
  readonly browser: Subscribed
  readonly isThis: boolean
  readonly isBusy: boolean
  readonly onRemove: () => void
}

function Browser({ browser: { host, label }, isThis, isBusy, onRemove }: BrowserProps) {
  return (
    <li class="ends">
      <span>
        <Hostile text={label ?? host} max={64} /> <span class="quiet small">{host}</span>
        {isThis && <span class="tag">{labels.here}</span>}
      </span>
      <button type="button" class="text-button" disabled={isBusy} onClick={onRemove}>
        {labels.remove}
      </button>
    </li>
  )
}
