// Runs the stages that were named, says so, and drains when it is told to stop.
import { stages } from '#services/stages'
import { exitCodes } from '../exit.ts'
import { usage } from '../failure.ts'
import type { GlobalOptions } from '../options.ts'
import { aborted, onInterrupt } from './interrupt.ts'
import { withRuntime } from './opened.ts'
import { findLog } from '#runtime/log-url'

export async function up(names: readonly string[], options: GlobalOptions): Promise<number> {
  const known = stages.map(({ name }) => name)
  const unknown = names.find((name) => !known.some((each) => each === name))
  if (unknown !== undefined) {
    throw usage(`no stage \`${unknown}\`: there are ${known.join(', ')}`)
  }
  const running = stages.filter(({ name }) => names.length === 0 || names.includes(name))
  const interrupt = onInterrupt()
  try {
    // Somebody who says where the log is may start the stages before anybody seeds it.
    const isGiven = (options.log ?? process.env['WARRANT_LOG']) !== undefined
    const create = isGiven ? { create: 'in_file' as const } : {}
    const opening = { stages: running, level: 'info', ...create }
    await withRuntime(options, opening, async ({ follower, logger }) => {
      const { url } = findLog(options.log, process.env)
      const which = running.map(({ name }) => name)
      const { position } = follower.world
      logger.info({ log: url, realm: options.realm, stages: which, position }, 'stages running')
      await aborted(interrupt.signal)
      logger.info('draining')
    })
  } finally {
    interrupt.release()
  }
  return exitCodes.yes
}
