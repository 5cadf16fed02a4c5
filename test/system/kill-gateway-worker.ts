// A process that is made to be killed: a gateway on a log in a file, which carries out what it is
// sent, by tools that write a line for each time that they run. At the moment for which it was
// started, a tool stands still and reports it: it dies there, however fast the machine is.
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { localDriver, type LocalTool } from '#gateway/tools/local'
import { toolSecrets } from '#gateway/tools/secrets'
import { ToolFailure } from '#rules/drivers/tool-failure'
import { Fault } from '#record/fault'
import { openGateway, type Gateway } from '#gateway/gateway'
import { findLog } from '#runtime/logs/log-url'
import { provingOn } from '#replay/verdicts/proving'
import { openRuntime } from '#wiring/open'
import { stages } from '#workers/stages'

/** One in so many fails, as the tool itself reports. */
const failsEvery = 5
const toolMsMax = 6

/** Where a run of a tool is: it has not written its line, or it has. */
export type Moment = `${'before' | 'after'} ${'write' | 'put'}`
type Meet = (moment: string) => Promise<void> | void

/** A line is the name of the tool and the key of the call. */
function toolOn(file: string, name: string, meet: Meet): LocalTool {
  return async ({ n }, { key }) => {
    const number = Number(n)
    await pause(number % toolMsMax)
    await meet(`before ${name}`)
    appendFileSync(file, `${name} ${key}\n`)
    await meet(`after ${name}`)
    await pause((number * 7) % toolMsMax)
    if (number % failsEvery === 0) throw new ToolFailure('tool_error', 'yes')
    return { written: number }
  }
}

export function toolsOn(
  file: string,
  meet: Meet = () => undefined,
): ReadonlyMap<string, LocalTool> {
  return new Map(['write', 'put'].map((name) => [name, toolOn(file, name, meet)]))
}

/** Says that the moment has come, and lets that run never go on. */
function standingAt(moment: string): Meet {
  return (met) => {
    if (met !== moment) return undefined
    process.send?.({ intent: null, end: 'stands' })
    return new Promise(() => undefined)
  }
}

/** A message of this process: that it is ready, that a tool stands still, or how a call ended. */
export type Ending = { readonly intent: string | null; readonly end: string }

async function ended(gateway: Gateway, intent: string): Promise<Ending> {
  try {
    await gateway.call({ intent, presenter: 'bot' })
    return { intent, end: 'done' }
  } catch (error) {
    return { intent, end: error instanceof Fault ? error.code : String(error) }
  }
}

async function work(log: string, file: string, moment: string): Promise<void> {
  const runtime = await openRuntime({ log: findLog(log, {}), stages: [] })
  const secrets = toolSecrets({ variables: {}, folder: null })
  const drivers = [localDriver({ tools: toolsOn(file, standingAt(moment)), secrets })]
  const proving = provingOn(runtime, stages, null)
  const gateway = openGateway({ runtime, proving, drivers, name: 'victim' })
  process.on('message', (intent: string) => {
    void ended(gateway, intent).then((end) => process.send?.(end))
  })
  process.send?.({ intent: null, end: 'ready' })
}

// Only a process of its own takes calls.
if (process.argv[1] === import.meta.filename) {
  // No one is left who could end it.
  process.once('disconnect', () => process.exit())
  const [, , log = '', file = '', moment = ''] = process.argv
  await work(log, file, moment)
}
