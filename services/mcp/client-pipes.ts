// The pipes of one client, served until it has left. A script writes its requests and ends its
// input at once: the library would end with that, so it learns of it when all are answered.
import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/server'
import { isJSONRPCResponse, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { pipeline, Transform, type Readable, type Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { timedOut, withTimeout } from '#runtime/engine/timeout'
import type { Timer } from '#ports/clock'

export interface Pipes {
  readonly input: Readable
  readonly output: Writable
}

export interface PipeOptions {
  readonly timer: Timer
  /** So long an answer is waited for after the end of the input, or after the answer before it. */
  readonly answerMsMax: () => number
  readonly onError: (error: Error) => void
}

export interface PipeServing {
  /** Resolves when the client has left, and each of its requests is answered. */
  readonly ended: Promise<void>
  /** Ends it at once. */
  close(): Promise<void>
}

export function servedPipes(
  factory: Parameters<typeof serveStdio>[0],
  { input, output }: Pipes,
  options: PipeOptions & { readonly bytesMax: number },
): PipeServing {
  const lines = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, chunk),
    flush(done) {
      // The last line may have no end of its own.
      lines.push('\n')
      void leaving(done)
    },
  })
  const inner = new StdioServerTransport(lines, output, { maxBufferSize: options.bytesMax })
  const wire = answering(inner)
  const serving = serveStdio(factory, { transport: wire.transport, onerror: options.onError })
  const leaving = async (done: () => void): Promise<void> => {
    while (lines.readableLength > 0 && !lines.destroyed) await turn()
    await wire.answered(options)
    await serving.close()
    done()
  }
  pipeline(input, lines, () => undefined)
  return { ended: wire.ended, close: () => serving.close() }
}

const Cancelled = z.looseObject({ requestId: z.union([z.string(), z.number()]) })
const subscribed = 'notifications/subscriptions/acknowledged'
const Subscribed = z.looseObject({
  _meta: z.looseObject({ [SUBSCRIPTION_ID_META_KEY]: z.union([z.string(), z.number()]) }),
})
const serverError = -32_000

interface Answering {
  readonly transport: Transport
  /** Resolves when the transport is closed. */
  readonly ended: Promise<void>
  /** From now on the client answers nothing more; resolves when nothing is owed to it. */
  answered(options: Pick<PipeOptions, 'timer' | 'answerMsMax'>): Promise<void>
}

/** The same transport, which knows what the client is owed. */
function answering(inner: StdioServerTransport): Answering {
  const owed = new Map<RequestId, number>()
  const asked = new Set<RequestId>()
  let hasLeft = false
  let wake = (): void => undefined
  const settle = (id: RequestId): void => {
    const left = (owed.get(id) ?? 0) - 1
    if (left > 0) owed.set(id, left)
    else owed.delete(id)
    wake()
  }
  // What the client is asked once it has left is as if its user had put it away.
  const putAway = (id: RequestId): void => {
    transport.onmessage?.({ jsonrpc: '2.0', id, result: { action: 'cancel' } })
  }
  const transport: Transport = {
    start: () => inner.start(),
    async send(message) {
      if (isJSONRPCRequest(message)) {
        if (!hasLeft) asked.add(message.id)
        else {
          putAway(message.id)
          return
        }
      }
      await inner.send(message)
      const id = settledBy(message)
      if (id !== undefined) settle(id)
    },
    close: () => inner.close(),
  }
  const onmessage = (message: JSONRPCMessage): void => {
    if (isJSONRPCRequest(message)) owed.set(message.id, (owed.get(message.id) ?? 0) + 1)
    else if (isJSONRPCResponse(message) && message.id !== undefined) asked.delete(message.id)
    const cancelled = isJSONRPCNotification(message) && message.method === 'notifications/cancelled'
    const { data } = Cancelled.safeParse(cancelled ? message.params : undefined)
    transport.onmessage?.(message)
    if (data !== undefined) settle(data.requestId)
  }
  const ended = new Promise<void>((resolve) => {
    const onclose = (): void => {
      owed.clear()
      wake()
      transport.onclose?.()
      resolve()
    }
    const onerror = (error: Error): void => transport.onerror?.(error)
    Object.assign(inner, { onmessage, onerror, onclose })
  })
  const answered: Answering['answered'] = async ({ timer, answerMsMax }) => {
    hasLeft = true
    for (const id of asked) putAway(id)
    while (owed.size > 0) {
      const next = new Promise<void>((resolve) => (wake = resolve))
      const ms = answerMsMax()
      if ((await withTimeout(timer, ms, next)) !== timedOut) continue
      const until = `within ${ms / 1_000} s after the end of the input`
      const message = `no answer came ${until}; it may have happened`
      const error = { code: serverError, message }
      for (const id of owed.keys()) {
        await transport.send({ jsonrpc: '2.0', id, error }).catch(() => undefined)
      }
    }
  }
  return { transport, ended, answered }
}

/** The request that is answered with that message. */
function settledBy(message: JSONRPCMessage): RequestId | undefined {
  if (isJSONRPCResponse(message)) return message.id
  // A subscription is answered when it ends.
  if (!isJSONRPCNotification(message) || message.method !== subscribed) return undefined
  const { data } = Subscribed.safeParse(message.params)
  return data?._meta[SUBSCRIPTION_ID_META_KEY]
}
