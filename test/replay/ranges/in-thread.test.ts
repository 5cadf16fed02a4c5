// A thread that ends, fails or answers with an error has found nothing: that is never a success.
import { expect, test } from 'vitest'
import { Fault } from '#record/fault'
import { replayFault, inThread } from '#cli/run/replay/in-thread'

function program(text: string): URL {
  const head = "import { parentPort, workerData } from 'node:worker_threads'\n"
  return new URL(`data:text/javascript,${encodeURIComponent(head + text)}`)
}

const nothing = (): void => undefined

test('a thread that ends without a word is an error, whatever its exit code', async () => {
  for (const text of ['process.exit(0)', 'process.exit(1)', '']) {
    const outcome = inThread({}, { onProgress: nothing, entry: program(text) })
    await expect(outcome).rejects.toThrow('ended without a report')
  }
})

test('what a thread throws is thrown', async () => {
  const entry = program("throw new Error('its disk is full')")
  await expect(inThread({}, { onProgress: nothing, entry })).rejects.toThrow('its disk is full')
})

test('a thread that is stopped is an error', async () => {
  const ending = new AbortController()
  const { signal } = ending
  const entry = program('parentPort.postMessage({ progress: {} }); setInterval(() => {}, 1000)')
  const outcome = inThread({}, { onProgress: () => ending.abort(), entry, signal })
  await expect(outcome).rejects.toThrow('ended without a report')
})

test('an error that it reports, and what it found, come as they are', async () => {
  const error = { code: 'log_cut', message: 'it begins later' } as const
  const entry = program('parentPort.postMessage(workerData)')
  const outcome = await inThread({ error }, { onProgress: nothing, entry })
  expect(outcome).toEqual({ error })
  expect(replayFault(error)).toBeInstanceOf(Fault)
  expect(replayFault(error)).toMatchObject(error)
})
