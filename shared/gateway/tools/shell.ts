// Programs as tools: an argument vector from the catalog, never a shell. It must leave nothing of
// the call running once the call has settled.
import { tmpdir } from 'node:os'
import { commandLine, describedCommand, type CommandLine } from '#rules/drivers/command-line'
import { abortFailure } from '#system/egress/aborting'
import { ToolFailure } from '#rules/drivers/tool-failure'
import type { ToolCall, ToolDriver } from '#ports/tools'
import type { Driver } from '#schemas/action/driver'
import { plainEnvironment, startProgram, type RunningProgram } from '#system/processes'
import { bytesMaxOf, failureReadBytesMax, guardedRun, guardedShow } from './outcome.ts'
import { tooLarge, type ToolAnswered } from './outcome.ts'
import type { Secrets } from './secrets.ts'
import { shownAsItComes } from './streams.ts'

export interface ShellOptions {
  readonly secrets: Secrets
  /** What every program finds in its environment; the catalog adds to it. */
  readonly environment?: Readonly<Record<string, string>>
}

export function shellDriver({ secrets, environment = plainEnvironment }: ShellOptions): ToolDriver {
  const running = new Set<RunningProgram>()
  let isOpen = true
  const read = ({ capability: { driver }, args }: ToolCall): [ShellDriver, CommandLine] => {
    if (!isOpen || driver?.kind !== 'shell') throw new ToolFailure('driver_invalid', 'no')
    return [driver, commandLine(driver, args)]
  }
  const run = async (call: ToolCall): Promise<ToolAnswered> => {
    const [driver, line] = read(call)
    const env = { ...environment, ...(await environmentOf(line, call, secrets)) }
    const { program, args, cwd } = line
    const started = await startProgram({ program, args, cwd: cwd ?? tmpdir(), env })
    running.add(started)
    try {
      return await answerOf(started, { call, driver, secrets })
    } finally {
      running.delete(started)
    }
  }
  return {
    kind: 'shell',
    describe: (call) => guardedShow(secrets, () => describedCommand(read(call)[1])),
    run: (call) => guardedRun(call, secrets, () => run(call)),
    async close() {
      isOpen = false
      await Promise.all([...running].map((one) => one.stop()))
    },
  }
}

type ShellDriver = Extract<Driver, { kind: 'shell' }>

async function environmentOf(
  { env }: CommandLine,
  { capability, key }: ToolCall,
  secrets: Secrets,
): Promise<Readonly<Record<string, string>>> {
  const filled: Record<string, string> = {}
  for (const [name, text] of env) filled[name] = await secrets.filled(text)
  // As HTTP has a header for it.
  if (capability.execution?.idempotent === true) filled['IDEMPOTENCY_KEY'] = key
  return filled
}

interface Running {
  readonly call: ToolCall
  readonly driver: ShellDriver
  readonly secrets: Secrets
}

async function answerOf(started: RunningProgram, given: Running): Promise<ToolAnswered> {
  const { call, driver } = given
  const stop = (): void => void started.stop()
  call.signal.addEventListener('abort', stop)
  if (call.signal.aborted) stop()
  started.input.end()
  const output = outputOf(started, given)
  const errors = beginningOf(started)
  const { code, signal } = await started.ended
  call.signal.removeEventListener('abort', stop)
  await output.shown()
  if (output.isTooLarge()) throw tooLarge(call, 'unknown')
  const isSuccess = code === 0 || (code !== null && (driver.exitCodes ?? []).includes(code))
  if (call.signal.aborted && !isSuccess) throw abortFailure(call.signal, 'unknown')
  if (code === null) throw new ToolFailure('killed', 'unknown', { signal: signal ?? '' })
  if (!isSuccess) throw new ToolFailure('exit_code', 'yes', { exit: code, text: errors.text() })
  return { bytes: output.bytes(), form: 'rows', happened: 'unknown' }
}

/** Standard output, up to what a result may have; then the program is stopped. */
function outputOf(started: RunningProgram, { call, secrets }: Running) {
  const bytesMax = bytesMaxOf(call)
  const chunks: Buffer[] = []
  const shown = shownAsItComes(call, secrets, 'lines')
  let size = 0
  started.output.on('data', (chunk: Buffer) => {
    const wasWithin = size <= bytesMax
    size += chunk.length
    if (!wasWithin) return
    if (size > bytesMax) {
      void started.stop()
      return
    }
    chunks.push(chunk)
    shown?.push(chunk)
  })
  return {
    isTooLarge: () => size > bytesMax,
    shown: () => shown?.end(size <= bytesMax),
    bytes: () => Buffer.concat(chunks),
  }
}

/** The beginning of standard error; the rest is read, so that the program is not held up. */
function beginningOf({ errors }: RunningProgram): { text(): string } {
  const chunks: Buffer[] = []
  let size = 0
  errors.on('data', (chunk: Buffer) => {
    if (size < failureReadBytesMax) chunks.push(chunk)
    size += chunk.length
  })
  return {
    text: () => Buffer.concat(chunks).subarray(0, failureReadBytesMax).toString('utf8'),
  }
}
