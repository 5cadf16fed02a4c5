// Frames made in one worker thread, which is started with the first large result, kept, and
// replaced where it ends or hangs.
import { Worker } from 'node:worker_threads'
import type { Framed, ToFrame } from '#core/firewall/framed'
import type { Framing } from '#ports/framing'
import type { FrameRequest } from './thread-program.ts'

/** Far longer than what is bounded takes on a slow machine. */
const framingMsMax = 120_000
/** What needs more ends the thread. */
const heapMegabytesMax = 2_048

interface Waiting {
  readonly given: ToFrame
  readonly answer: (framed: Framed | null) => void
}

/** `msMax` is for tests. */
export function threadFraming(msMax = framingMsMax): Framing {
  /** By agent, whose turn is next first. */
  const waiting = new Map<string, Waiting[]>()
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
    for (let next = nextIn(waiting); next !== null; next = nextIn(waiting)) {
      const framed = isClosed ? null : await askedOf(running(), next.given, msMax)
      if (framed === null) await drop()
      next.answer(framed)
    }
    isBusy = false
  }
  return {
    framed(agent, given) {
      return new Promise((answer) => {
        const others = waiting.get(agent)
        if (others === undefined) waiting.set(agent, [{ given, answer }])
        else others.push({ given, answer })
        void work()
      })
    },
    async close() {
      isClosed = true
      await drop()
    },
  }
}

/** The oldest of the agent whose turn it is, which then comes after the others. */
function nextIn(waiting: Map<string, Waiting[]>): Waiting | null {
  const [first] = waiting
  if (first === undefined) return null
  const [agent, [next, ...rest]] = first
  waiting.delete(agent)
  if (rest.length > 0) waiting.set(agent, rest)
  return next ?? null
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

/** Null where the thread ends, fails or takes too long. */
function askedOf(
  thread: Worker,
  { value, ...rest }: ToFrame,
  msMax: number,
): Promise<Framed | null> {
  return new Promise((resolve) => {
    const settle = (framed: Framed | null): void => {
      clearTimeout(timeout)
      thread.off('message', settle)
      thread.off('error', fail)
      thread.off('exit', fail)
      // Only while something waits for it may the thread keep the process alive.
      thread.unref()
      resolve(framed)
    }
    const fail = (): void => settle(null)
    const timeout = setTimeout(fail, msMax)
    thread.ref()
    thread.on('message', settle)
    thread.on('error', fail)
    thread.on('exit', fail)
    const request: FrameRequest = { ...rest, text: JSON.stringify(value) }
    thread.postMessage(request)
  })
}
