// Deriving again in this browser, fact by fact: equal, different, or not to be seen here.
import { useSignal } from '@preact/signals'
import { auditLabels } from '#present/auditing/audit-labels'
import { derivedText, readText } from '#present/auditing/derived-text'
import { momentText } from '#schemas/console/positions'
import { Hostile } from '../../drawing/hostile.tsx'
import { Failed, Notice } from '../../drawing/notice.tsx'
import { linkTo } from '../../shell/address.ts'
import { codeOf } from '../../shell/requests.ts'
import { deriveHere, type DerivedHere, type Doing } from './derive-here.ts'

const words = auditLabels.derive

export function DeriveView({ intent }: { readonly intent: string }) {
  const doing = useSignal<Doing | null>(null)
  const derived = useSignal<DerivedHere | null>(null)
  const problem = useSignal<string | null>(null)
  const run = async (): Promise<void> => {
    problem.value = null
    derived.value = null
    try {
      derived.value = await deriveHere(intent, (now) => (doing.value = now))
    } catch (error) {
      problem.value = codeOf(error)
    }
    doing.value = null
  }
  return (
    <section class="why">
      <p>{words.lead}</p>
      <p class="quiet small list-note">{words.callbacks}</p>
      <button
        type="button"
        class="button button-main"
        disabled={doing.value !== null}
        onClick={() => void run()}
      >
        {derived.value === null ? words.run : words.again}
      </button>
      <output class="list-note">
        {doing.value !== null && (
          <p class="quiet">
            {words[doing.value.what]} ({doing.value.facts})
          </p>
        )}
        {derived.value !== null && <Summary derived={derived.value} />}
      </output>
      {problem.value !== null && <Failed code={problem.value} onRetry={() => void run()} />}
      {derived.value !== null && <Facts derived={derived.value} />}
    </section>
  )
}

function Summary({ derived }: { readonly derived: DerivedHere }) {
  const { facts, read, readBack, log } = derived
  const isAllEqual = facts.every(({ is }) => is === 'equal')
  const tone = isAllEqual ? 'good' : facts.some(({ is }) => is === 'differs') ? 'bad' : 'warm'
  return (
    <Notice tone={tone}>
      <p class="strong">{derivedText(facts)}</p>
      <p class="small">{readText(read, readBack)}</p>
      {log !== null && (
        <p class="small value">
          {words.log} <Hostile text={log} max={80} />
        </p>
      )}
    </Notice>
  )
}

function Facts({ derived: { facts, cell } }: { readonly derived: DerivedHere }) {
  return (
    <ol class="framed lined found">
      {facts.map(({ name, position, is, recorded, derived }) => (
        <li class={`marked found-row found-${tones[is]}`} key={name}>
          <p class="found-head">
            <span class={`tag tag-${is}`}>{words.is[is]}</span>
            <a class="value" href={linkTo(['log', momentText({ position, cell })])}>
              <Hostile text={name} max={200} isBrief />
            </a>
            <span class="found-position">{momentText({ position, cell })}</span>
          </p>
          {is === 'differs' && (
            <dl class="members">
              <div class="member">
                <dt>{words.recorded}</dt>
                <dd class="value">
                  <ins>
                    <Hostile text={recorded} max={2_000} />
                  </ins>
                </dd>
                <dt>{words.derived}</dt>
                <dd class="value">
                  <ins>
                    <Hostile text={derived ?? words.nothing} max={2_000} />
                  </ins>
                </dd>
              </div>
            </dl>
          )}
        </li>
      ))}
    </ol>
  )
}

const tones = { equal: 'good', differs: 'bad', cannot_tell: 'asked' } as const
