// What the port of drivers promises, as cases that each driver is held to.
import { expect, onTestFinished, test } from 'vitest'
import type { ToRead } from '#rules/drivers/answer-reading'
import type { ReadApart } from '#ports/framing'
import { ToolFailure, type DriverResult, type ToolCall, type ToolDriver } from '#ports/tools'
import { Capability, type JsonObject } from '#schemas/catalog'
import { ToolServer } from '#schemas/action/driver'

export const canary = 'canary-7f3a/+9=secret value'

/** A call of a capability as a catalog would have it. */
export function callOf(
  driver: object,
  args: JsonObject = {},
  { server = null, execution, imported, ...rest }: CallOptions = {},
): ToolCall {
  const capability = Capability.parse({
    id: 'tool',
    safetyClass: 'WRITE',
    driver,
    ...(execution === undefined ? {} : { execution }),
    ...(imported === undefined ? {} : { imported }),
  })
  return {
    capability,
    server: server === null ? null : ToolServer.parse(server),
    args,
    key: 'key-1',
    signal: AbortSignal.timeout(20_000),
    ...rest,
  }
}

interface CallOptions extends Partial<Omit<ToolCall, 'server'>> {
  readonly server?: object | null
  readonly execution?: object
  readonly imported?: object
}

export async function failureOf(run: Promise<DriverResult>): Promise<ToolFailure> {
  const error: unknown = await run.then(
    ({ value }) => expect.fail(`succeeded with ${JSON.stringify(value)}`),
    (failure: unknown) => failure,
  )
  if (error instanceof ToolFailure) return error
  throw error
}

/** Everything that an error can show to someone. */
export function shownBy(error: ToolFailure): string {
  return [error.message, error.stack, String(error.cause), JSON.stringify(error)].join('\n')
}

/** What a driver has for the suite: the same tool in its own way. */
export interface DriverHarness {
  readonly driver: ToolDriver
  /** Gives the arguments back as JSON, and counts itself. */
  readonly echo: (args: JsonObject) => ToolCall
  /** Counts itself and answers after a minute. */
  readonly slow: (options: Partial<ToolCall>) => ToolCall
  /** Answers with an error that repeats the secret. */
  readonly failing: () => ToolCall
  /** Answers with `bytes` letters; a result may have `bytesMax`. */
  readonly large: (bytes: number, bytesMax: number) => ToolCall
  /** Answers with the secret, which it was given as the catalog says. */
  readonly leaking: () => ToolCall
  /** How often any of them ran. */
  readonly runs: () => Promise<number>
  /** Arguments that are called like parts of a driver, as far as they can be passed. */
  readonly tempting: JsonObject
}

type Open = () => Promise<DriverHarness>

export function driverConformance(name: string, open: Open): void {
  const harness = async (): Promise<DriverHarness> => {
    const opened = await open()
    onTestFinished(() => opened.driver.close())
    return opened
  }
  passesOn(name, harness)
  settles(name, harness)
  isBounded(name, harness)
  keepsSecrets(name, harness)
}

function passesOn(name: string, harness: Open): void {
  test(`${name}: the judged arguments arrive, all of them and no others`, async () => {
    const { driver, echo } = await harness()
    const { value, bytes } = await driver.run(echo({ to: 'a@b.example', count: 3 }))
    expect(value).toEqual({ to: 'a@b.example', count: 3 })
    expect(bytes).toBeGreaterThan(10)
  })

  test(`${name}: an argument that is called like a part of the driver is an argument`, async () => {
    const { driver, echo, tempting, runs } = await harness()
    expect((await driver.run(echo(tempting))).value).toEqual(tempting)
    expect(await runs()).toBe(1)
  })

  test(`${name}: what stands in an argument is never a template`, async () => {
    const { driver, echo } = await harness()
    const args = { to: '${secret:CANARY} ${args:/count}', count: 1 }
    expect((await driver.run(echo(args))).value).toEqual(args)
  })
}

function settles(name: string, harness: Open): void {
  test(`${name}: a call that was cancelled before does nothing`, async () => {
    const { driver, slow, runs } = await harness()
    const failure = await failureOf(driver.run(slow({ signal: AbortSignal.abort() })))
    expect(failure).toMatchObject({ code: 'cancelled', happened: 'no' })
    expect(await runs()).toBe(0)
  })

  test(`${name}: a call that takes too long settles, and what happened is not known`, async () => {
    const { driver, slow } = await harness()
    const failure = await failureOf(driver.run(slow({ signal: AbortSignal.timeout(1_500) })))
    expect(failure).toMatchObject({ code: 'timed_out', happened: 'unknown' })
  })

  test(`${name}: a call that is cancelled in between settles, and what happened is not known`, async () => {
    const { driver, slow, runs } = await harness()
    const controller = new AbortController()
    const run = failureOf(driver.run(slow({ signal: controller.signal })))
    await expect.poll(runs).toBe(1)
    controller.abort()
    expect(await run).toMatchObject({ code: 'cancelled', happened: 'unknown' })
  })

  test(`${name}: a tool that answers with an error is attempted once`, async () => {
    const { driver, failing, runs } = await harness()
    const failure = await failureOf(driver.run(failing()))
    expect(failure.happened).toBe('yes')
    expect(await runs()).toBe(1)
  })

  test(`${name}: after it was closed, a call does nothing`, async () => {
    const { driver, echo, runs } = await harness()
    await driver.close()
    const failure = await failureOf(driver.run(echo({ to: 'x', count: 1 })))
    expect(failure.happened).toBe('no')
    expect(await runs()).toBe(0)
  })
}

function isBounded(name: string, harness: Open): void {
  test(`${name}: a result may have as many bytes as the capability lets it, and not one more`, async () => {
    const { driver, large } = await harness()
    const { value, bytes } = await driver.run(large(5_000, 6_000))
    expect(JSON.stringify(value)).toContain('x'.repeat(5_000))
    expect(bytes).toBeGreaterThanOrEqual(5_000)
    const failure = await failureOf(driver.run(large(50_000, 6_000)))
    expect(failure).toMatchObject({ code: 'result_too_large', detail: { bytesMax: 6_000 } })
    expect(failure.happened).not.toBe('no')
  })

  test(`${name}: a result may have as many values as the capability lets it, and not one more`, async () => {
    const { driver, echo } = await harness()
    const wide = (valuesMax: number): ToolCall => {
      const call = echo({ to: 'x', count: 1 })
      return { ...call, capability: { ...call.capability, execution: { valuesMax } } }
    }
    expect((await driver.run(wide(3))).value).toEqual({ to: 'x', count: 1 })
    const failure = await failureOf(driver.run(wide(2)))
    expect(failure).toMatchObject({ code: 'result_too_large', detail: { valuesMax: 2 } })
    expect(failure.happened).not.toBe('no')
  })

  test(`${name}: a large result is read apart where it can be, and a small one is not`, async () => {
    const { driver, large } = await harness()
    const value = { json: Buffer.from('1'), digest: 'sha256:of', rows: 1 }
    const asked: number[] = []
    const readApart = async ({ bytes }: ToRead): Promise<ReadApart> => {
      asked.push(bytes.length)
      return { ok: true, value }
    }
    const small = await driver.run({ ...large(5_000, 10_000), readApart })
    expect(JSON.stringify(small.value)).toContain('x'.repeat(5_000))
    expect(asked).toEqual([])
    const apart = await driver.run({ ...large(300_000, 400_000), readApart })
    expect(apart.value).toEqual(value)
    expect(asked).toEqual([apart.bytes])
    const given = { ...large(300_000, 400_000), readApart: () => Promise.resolve(null) }
    expect(await failureOf(driver.run(given))).toMatchObject({ code: 'result_invalid' })
  })
}

function keepsSecrets(name: string, harness: Open): void {
  test(`${name}: a description does nothing, and has secrets by reference`, async () => {
    const { driver, echo, leaking, runs } = await harness()
    await driver.run(leaking())
    const before = await runs()
    const described = JSON.stringify([
      driver.describe(leaking()),
      driver.describe(echo({ to: 'x', count: 1 })),
    ])
    expect(described).not.toContain('canary')
    expect(await runs()).toBe(before)
  })

  test(`${name}: a secret stands in nothing that comes out`, async () => {
    const { driver, failing, leaking } = await harness()
    const parts: unknown[] = []
    const result = await driver.run({ ...leaking(), onPart: (part) => parts.push(part) })
    expect(JSON.stringify(result.value)).toContain('[SECRET]')
    const failure = await failureOf(driver.run(failing()))
    for (const text of [JSON.stringify([result, parts]), shownBy(failure)]) {
      expect(text).not.toContain('canary')
      expect(text).not.toContain('secret value')
    }
  })
}
