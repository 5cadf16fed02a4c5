// Large results, read and framed in one worker thread, which is started with the first of them,
// kept, and replaced where it ends or hangs.
import { Worker } from 'node:worker_threads'
import { isWritten } from '#rules/drivers/written-json'
import type { Frame } from '#firewall/frame'
import type { Framed } from '#firewall/framed'
import type { Framing, ReadApart, ToFrameApart } from '#ports/framing'
import { askedThread } from '#system/asked-thread'
import { Turns } from '#record/turns'
import type { ThreadRequest } from './thread-program.ts'

/** Far longer than what is bounded takes on a slow machine. */
const framingMsMax = 120_000
/** What needs more ends the thread. */
const heapMegabytesMax = 2_048

interface Waiting {
  /** Made in its turn: nothing is written for what is dropped before. */
  readonly request: () => ThreadRequest
  /** The answer of the thread; null where there was none. */
  readonly answer: (answer: unknown) => void
}

/** `msMax` is for tests. */
export function threadFraming(msMax = framingMsMax): Framing {
  const turns = new Turns<Waiting>()
  let thread: Worker | null = null
  let isBusy = false
  let isClosed = false
  const drop = async (): Promise<void> => {
    const dropped = thread
    thread = null
    await dropped?.terminate()
  }
  const running = (): Worker => {
    thread ??= started((ended) => {
      if (thread === ended) thread = null
    })
    return thread
  }
  const work = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    for (let turn = turns.next(); turn !== null; turn = turns.next()) {
      const [next] = turn.served
      const answer = isClosed ? null : await askedThread(running(), next.request(), msMax)
      if (answer === null) await drop()
      next.answer(answer)
      turns.end(turn)
    }
    isBusy = false
  }
  const asked = (agent: string, request: Waiting['request']): Promise<unknown> => {
    return new Promise((answer) => {
      turns.add(agent, { request, answer })
      void work()
    })
  }
  return {
    async framed(agent, given) {
      const answer = await asked(agent, () => frameRequest(given))
      return isFramed(answer) ? answer : null
    },
    async read(agent, given) {
      const answer = await asked(agent, () => ({ kind: 'read', given }))
      return isRead(answer) ? answer : null
    },
    async page(agent, given) {
      const answer = await asked(agent, () => ({ kind: 'page', given }))
      return isPage(answer) ? answer : null
    },
    async close() {
      isClosed = true
      await drop()
    },
  }
}

function frameRequest({ value, ...given }: ToFrameApart): ThreadRequest {
  const json = isWritten(value) ? value.json : Buffer.from(JSON.stringify(value))
  return { kind: 'frame', given, json }
}

/** What a thread of ours sends is what was asked for, or null. */
function isFramed(answer: unknown): answer is Framed {
  return answer !== null
}

function isPage(answer: unknown): answer is Frame {
  return answer !== null
}

function isRead(answer: unknown): answer is ReadApart {
  return answer !== null
}

function started(onEnd: (worker: Worker) => void): Worker {
  const isSource = import.meta.url.endsWith('.ts')
  const program = isSource ? './from-source.mjs' : './thread-program.js'
  const worker = new Worker(new URL(program, import.meta.url), {
    env: {},
    execArgv: isSource ? ['--conditions=warrant-source'] : [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
  })
  // Without a listener an error that comes when nothing waits would end the process.
  worker.on('error', () => onEnd(worker))
  worker.on('exit', () => onEnd(worker))
  return worker
}
