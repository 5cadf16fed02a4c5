// The program of the thread that makes frames: it does nothing but answer what it is given. It is
// started by its file, from source and from an installed package alike.
import { parentPort } from 'node:worker_threads'
import { framed, type ToFrame } from '#core/firewall/framed'
import type { Json } from '#core/kernel/canonical'
import { parseJson } from '#core/kernel/json'

/** A result on its way into the thread: as text, which is handed over faster than a value. */
export interface FrameRequest extends Omit<ToFrame, 'value'> {
  readonly text: string
}

parentPort?.on('message', ({ text, ...rest }: FrameRequest) => {
  const value = parseJson(text)
  parentPort?.postMessage(isParsed(value) ? framed({ ...rest, value }) : null)
})

function isParsed(value: unknown): value is Json {
  return value !== undefined
}
