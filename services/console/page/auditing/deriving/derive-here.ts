// Fetches the log up to the verdict, and has it derived again by a worker of this browser.
import { bytesOfBase64 } from '#platform/bytes'
import type { Fact } from '#ports/log'
import { askServer, PageProblem } from '../../shell/requests.ts'
import { trustedScript } from '../../shell/trusted-script.ts'
import type { DerivingAnswer, DerivingAsked } from './deriving-words.ts'

export interface Doing {
  readonly what: 'reading' | 'deriving'
  /** How many facts are here. */
  readonly facts: number
}

export type DerivedHere = Extract<DerivingAnswer, { readonly log: string | null }> & {
  /** How many facts were read for it. */
  readonly read: number
  /** Whose log it was read from, where there are several. */
  readonly cell: number | undefined
}

/** So much stays in the memory of a browser. */
const factsMax = 200_000

export async function deriveHere(
  intent: string,
  progress: (doing: Doing) => void,
): Promise<DerivedHere> {
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
