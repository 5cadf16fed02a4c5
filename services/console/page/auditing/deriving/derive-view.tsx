// Deriving again in this browser, fact by fact: equal, different, or not to be seen here.
import { useSignal } from '@preact/signals'
import { auditLabels } from '#present/auditing/audit-labels'
import { derivedText, readText } from '#present/auditing/derived-text'
import { momentText } from '#schemas/console/positions'
import { bytesOfBase64 } from '#platform/bytes'
import type { Fact } from '#ports/log'
import { Button } from '../../drawing/button.tsx'
import { useDoing } from '../../shell/doing.ts'
import { Hostile } from '../../drawing/hostile.tsx'
import { Failed, Notice } from '../../drawing/notice.tsx'
import { linkTo } from '../../shell/address.ts'
import { askServer, PageProblem } from '../../shell/requests.ts'
import { trustedScript } from '../../shell/trusted-script.ts'
import type { DerivedAgain } from '#replay/backup/derive-again'

const words = auditLabels.derive

export function DeriveView({ intent }: { readonly intent: string }) {
  const doing = useSignal<Doing | null>(null)
  const derived = useSignal<DerivedHere | null>(null)
  const { problem, run } = useDoing()
  const derive = async (): Promise<void> => {
    derived.value = null
    try {
      derived.value = await deriveHere(intent, (now) => (doing.value = now))
    } finally {
      doing.value = null
    }
  }
  return (
    <section class="why">
      <p>{words.lead}</p>
      <p class="quiet small list-note">{words.callbacks}</p>
      <Button
        is="main"
        label={derived.value === null ? words.run : words.again}
        isOff={doing.value !== null}
        onPress={() => void run(derive)}
      />
      <output class="list-note">
        {doing.value !== null && (
          <p class="quiet">
            {words[doing.value.what]} ({doing.value.facts})
          </p>
        )}
        {derived.value !== null && <Summary derived={derived.value} />}
      </output>
      {problem !== null && <Failed code={problem} onRetry={() => void run(derive)} />}
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
          <p class="bunch quiet small found-head">
            <span class={`tag tag-${is}`}>{words.is[is]}</span>
            <a class="value" href={linkTo(['log', momentText({ position, cell })])}>
              <Hostile text={name} max={200} isBrief />
            </a>
            <span class="found-position">{momentText({ position, cell })}</span>
          </p>
          {is === 'differs' && (
            <dl class="members">
              <div class="member tight below">
                <dt>{words.recorded}</dt>
                <dd class="value">
                  <Hostile in="ins" text={recorded} max={2_000} />
                </dd>
                <dt>{words.derived}</dt>
                <dd class="value">
                  <Hostile in="ins" text={derived ?? words.nothing} max={2_000} />
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

// Fetches the log up to the verdict, and has it derived again by a worker of this browser.

interface Doing {
  readonly what: 'reading' | 'deriving'
  /** How many facts are here. */
  readonly facts: number
}

type DerivedHere = Extract<DerivingAnswer, { readonly log: string | null }> & {
  /** How many facts were read for it. */
  readonly read: number
  /** Whose log it was read from, where there are several. */
  readonly cell: number | undefined
}

/** So much stays in the memory of a browser. */
const factsMax = 200_000

async function deriveHere(intent: string, progress: (doing: Doing) => void): Promise<DerivedHere> {
  const facts: Fact[] = []
  let realm = ''
  let cell: number | undefined
  let from: number | null = 1
  while (from !== null) {
    if (facts.length > factsMax) throw new PageProblem('log_too_long')
    progress({ what: 'reading', facts: facts.length })
    const page: Awaited<ReturnType<typeof pageFrom>> = await pageFrom(intent, from)
    for (const { position, name, appendedAt, bytes } of page.facts) {
      facts.push({ position, name, appendedAt, bytes: bytesOfBase64(bytes) })
    }
    realm = page.realm
    cell = page.cell
    from = page.next
  }
  progress({ what: 'deriving', facts: facts.length })
  const answer = await inWorker({ facts, realm, intent })
  if (answer.failed !== undefined) throw new PageProblem('not_derived')
  return { ...answer, read: facts.length, cell }
}

function pageFrom(intent: string, from: number) {
  const query = { from: String(from) }
  return askServer('derive', '/intents/{intent}/derive', { in: { intent }, query })
}

function inWorker(asked: DerivingAsked): Promise<DerivingAnswer> {
  return new Promise((resolve, reject) => {
    const worker = startedWorker()
    const end = (settle: () => void): void => {
      worker.terminate()
      settle()
    }
    worker.addEventListener('message', ({ data }: MessageEvent<DerivingAnswer>) => {
      end(() => resolve(data))
    })
    worker.addEventListener('error', () => end(() => reject(new PageProblem('not_derived'))))
    worker.postMessage(asked)
  })
}

function startedWorker(): Worker {
  return new Worker(trustedScript('warrant-deriving', '/deriving.js'), { type: 'module' })
}

// What the page and the worker that derives say to each other.

export interface DerivingAsked {
  readonly facts: readonly Fact[]
  readonly realm: string
  readonly intent: string
}

export type DerivingAnswer =
  | {
      readonly facts: readonly DerivedAgain[]
      /** The log’s identity, as the facts themselves say it. */
      readonly log: string | null
      /** Answers of callbacks that were read back and not derived. */
      readonly readBack: number
      readonly failed?: never
    }
  | { readonly failed: string; readonly facts?: never }
