// A process that is made to be killed: a gateway on a log in a file, which carries out what it is
// sent, by tools that write a line for each time that they run.
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { localDriver, type LocalTool } from '#adapters/tools/local'
import { toolSecrets } from '#adapters/tools/secrets'
import { ToolFailure } from '#core/drivers/tool-failure'
import { Fault } from '#core/kernel/fault'
import { openGateway, type Gateway } from '#runtime/gateway/gateway'
import { findLog } from '#runtime/logs/log-url'
import { provingOn } from '#runtime/verdicts/proving'
import { openRuntime } from '#runtime/wiring/open'
import { stages } from '#services/stages'

/** One in so many fails, as the tool itself reports. */
const failsEvery = 5
const toolMsMax = 6

/** A line is the name of the tool and the key of the call. */
function toolOn(file: string, name: string): LocalTool {
  return async ({ n }, { key }) => {
    const number = Number(n)
    await pause(number % toolMsMax)
    appendFileSync(file, `${name} ${key}\n`)
    await pause((number * 7) % toolMsMax)
    if (number % failsEvery === 0) throw new ToolFailure('tool_error', 'yes')
    return { written: number }
  }
}

export function toolsOn(file: string): ReadonlyMap<string, LocalTool> {
  return new Map(['write', 'put'].map((name) => [name, toolOn(file, name)]))
}

/** A message of this process: that it is ready, or how a call ended. */
export type Ending = { readonly intent: string | null; readonly end: string }

async function ended(gateway: Gateway, intent: string): Promise<Ending> {
  try {
    await gateway.call({ intent, presenter: 'bot' })
    return { intent, end: 'done' }
  } catch (error) {
    return { intent, end: error instanceof Fault ? error.code : String(error) }
  }
}

async function work(log: string, file: string): Promise<void> {
  const runtime = await openRuntime({ log: findLog(log, {}), stages: [] })
  const secrets = toolSecrets({ variables: {}, folder: null })
  const drivers = [localDriver({ tools: toolsOn(file), secrets })]
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
  const [, , log = '', file = ''] = process.argv
  await work(log, file)
}
