// Tools in the gateway's own process.
import { describe, expect, test } from 'vitest'
import { localDriver, type LocalTool } from '#gateway/tools/local'
import { toolSecrets } from '#gateway/tools/secrets'
import { ToolFailure } from '#ports/tools'
import type { JsonValue } from '#schemas/catalog'
import { callOf, canary, driverConformance, failureOf } from './driver-conformance.ts'

const variables = { WARRANT_SECRET_CANARY: canary }
const noSecrets = toolSecrets({ variables: {}, folder: null })

driverConformance('local', async () => {
  const secrets = toolSecrets({ variables, folder: null })
  await secrets.load('CANARY')
  let runs = 0
  const counted =
    (tool: LocalTool): LocalTool =>
    (args, call) => {
      runs += 1
      return tool(args, call)
    }
  const tools = new Map<string, LocalTool>([
    ['echo', counted((args) => args)],
    ['slow', counted(() => new Promise((resolve) => setTimeout(resolve, 60_000).unref()))],
    ['failing', counted(() => Promise.reject(new Error(`database said ${canary}`)))],
    ['large', counted(({ bytes }) => 'x'.repeat(Number(bytes)))],
    [
      'leaking',
      counted((_, { onPart }) => {
        onPart({ part: canary })
        return { [canary]: [canary] }
      }),
    ],
  ])
  const local = (operation: string) => ({ kind: 'local', operation })
  return {
    driver: localDriver({ tools, secrets }),
    echo: (args) => callOf(local('echo'), args),
    slow: (options) => callOf(local('slow'), {}, options),
    failing: () => callOf(local('failing')),
    large: (bytes, bytesMax) => callOf(local('large'), { bytes }, { execution: { bytesMax } }),
    leaking: () => callOf(local('leaking')),
    runs: async () => runs,
    tempting: { operation: 'failing', kind: 'shell', tool: 'failing', command: ['failing'] },
  }
})

describe('a local tool', () => {
  const run = (tool: LocalTool, onPart?: (part: JsonValue) => void) => {
    const driver = localDriver({ tools: new Map([['tool', tool]]), secrets: noSecrets })
    const call = callOf({ kind: 'local', operation: 'tool' }, { list: [1] })
    return driver.run({ ...call, ...(onPart === undefined ? {} : { onPart }) })
  }

  test('that is not in the table does nothing', async () => {
    const driver = localDriver({ tools: new Map(), secrets: noSecrets })
    for (const operation of ['tool', 'constructor', '__proto__']) {
      const failure = await failureOf(driver.run(callOf({ kind: 'local', operation })))
      expect(failure).toMatchObject({ code: 'unknown_operation', happened: 'no' })
      expect(() => driver.describe(callOf({ kind: 'local', operation }))).toThrow(ToolFailure)
    }
  })

  test('that throws answered with an error; one that knows better decides', async () => {
    const thrown = await failureOf(run(() => expect.unreachable('pipe burst')))
    expect(thrown).toMatchObject({ code: 'tool_error', happened: 'yes', message: 'tool_error' })
    const own = new ToolFailure('unreachable', 'no')
    const failure = await failureOf(run(() => Promise.reject(own)))
    expect(failure).toMatchObject({ code: 'unreachable', happened: 'no' })
  })

  test.each([[() => 1n], [() => () => 1], [() => new Map()], [() => Number.NaN], [() => '\ud800']])(
    'that answers with no JSON (%s) fails',
    async (tool) => {
      expect(await failureOf(run(tool))).toMatchObject({ code: 'result_invalid' })
    },
  )

  test('gets a copy, its key and a place for parts; nothing is null', async () => {
    const parts: JsonValue[] = []
    const call = callOf({ kind: 'local', operation: 'tool' }, { list: [1] })
    const tool: LocalTool = (args, { key, onPart }) => {
      args['list'] = null
      onPart(key)
    }
    const driver = localDriver({ tools: new Map([['tool', tool]]), secrets: noSecrets })
    const result = await driver.run({ ...call, onPart: (part) => parts.push(part) })
    expect(result).toEqual({ value: null, bytes: 4 })
    expect(call.args).toEqual({ list: [1] })
    expect(parts).toEqual(['key-1'])
  })
})
