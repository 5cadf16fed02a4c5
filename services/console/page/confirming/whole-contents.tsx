// All of what a call would write, where its arguments have the beginning alone. It is shown only if
// it is what the digest among these arguments covers, which the answer will be signed for.
import { useSignal } from '@preact/signals'
import { wholeDigest } from '#shell/hooks/whole-digest'
import { labels } from '#present/console/labels'
import type { CardAnswer, ContentsAnswer } from '#schemas/console/reviews'
import { Hostile } from '../drawing/hostile.tsx'
import { Failed } from '../drawing/notice.tsx'
import { askServer, codeOf } from '../shell/requests.ts'
import { digestOfText } from '../signing/challenge.ts'

export function WholeContents({ card }: { readonly card: CardAnswer }) {
  const answer = useSignal<ContentsAnswer | null>(null)
  const problem = useSignal<string | null>(null)
  const digest = wholeDigest(card.review.terms.args)
  if (digest === null) return null
  const read = async (): Promise<void> => {
    try {
      const asked = { in: { intent: card.intent } }
      const answered = await askServer('contents', '/reviews/{intent}/contents', asked)
      answer.value = await checked(answered, digest)
      problem.value = null
    } catch (error) {
      problem.value = codeOf(error)
    }
  }
  const { is, text } = answer.value ?? { is: null, text: null }
  return (
    <section class="block">
      {is === null && (
        <button type="button" class="text-button" onClick={() => void read()}>
          {labels.card.showWhole}
        </button>
      )}
      {problem.value !== null && <Failed code={problem.value} onRetry={() => void read()} />}
      {text !== null && (
        <>
          <h2>{labels.card.whole}</h2>
          <pre class="whole-contents">
            <Hostile text={text} max={20_000} />
          </pre>
        </>
      )}
      {is === 'gone' && <output>{labels.card.wholeGone}</output>}
      {is === 'changed' && <p role="alert">{labels.card.wholeChanged}</p>}
    </section>
  )
}

async function checked(answer: ContentsAnswer, digest: string): Promise<ContentsAnswer> {
  const isIt = answer.text === null || (await digestOfText(answer.text)) === digest
  return isIt ? answer : { is: 'changed', text: null }
}
