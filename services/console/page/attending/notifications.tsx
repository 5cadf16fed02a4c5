// By which browsers the person is notified, and a button for this one. The browser asks for
// permission when it is pressed, and not before.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { attendingLabels } from '#present/console/attending-text'
import { consoleProblemText } from '#present/console/problem-text'
import { Button } from '../drawing/button.tsx'
import { Hostile } from '../drawing/hostile.tsx'
import { Failed } from '../drawing/notice.tsx'
import { useDoing } from '../shell/doing.ts'
import { pushHindrance, readPush, subscribe, unsubscribe, type PushHere } from './push.ts'

const labels = attendingLabels.notified

export function Notifications() {
  const here = useSignal<PushHere | null>(null)
  const { isBusy, problem, run } = useDoing()
  const read = async (): Promise<void> => {
    here.value = await readPush()
  }
  const doing = (what: () => Promise<void>): Promise<void> => {
    return run(async () => {
      await what()
      await read()
    })
  }
  useEffect(() => void run(read), [])
  if (here.value === null) return problem === null ? null : <Failed code={problem} />
  const { answer, mine } = here.value
  const hindrance = pushHindrance(answer)
  const { publicKey } = answer
  return (
    <section class="block" aria-labelledby="notified-title">
      <h2 id="notified-title">{labels.title}</h2>
      <p class="quiet">{labels.lead}</p>
      {problem !== null && <Failed code={problem} />}
      <ul class="stack">
        {answer.browsers.map(({ id, host, label }) => (
          <li class="ends">
            <span>
              <Hostile text={label ?? host} max={64} /> <span class="quiet small">{host}</span>
              {id === mine && <span class="tag">{labels.here}</span>}
            </span>
            <Button
              is="text"
              label={labels.remove}
              isOff={isBusy}
              onPress={() => void doing(() => unsubscribe(id, mine))}
            />
          </li>
        ))}
      </ul>
      {mine === null && hindrance !== null && <p>{consoleProblemText(hindrance)}</p>}
      {mine === null && hindrance === null && publicKey !== null && (
        <Button
          label={labels.subscribe}
          isOff={isBusy}
          onPress={() => void doing(() => subscribe(publicKey))}
        />
      )}
    </section>
  )
}
