// Runs the stages that were named, reports it, and drains when it is asked to stop.
import { configuration } from '#wiring/config'
import { settingInvalid } from '#runtime/reporting/setting-invalid'
import { settingTable } from '#schemas/settings/table'
import type { Settings } from '#schemas/settings/settings'
import type { Stage } from '#stages/stage'
import type { Model } from '#ports/models'
import type { Health } from '#health/health'
import type { Listen } from '#serving/listening'
import { withoutSecrets } from '#runtime/reporting/without-secrets'
import { findLog, isRemote } from '#runtime/logs/log-url'
import type { Observe } from '#runtime/engine/observer'
import type { Runtime } from '#runtime/engine/runtime'
import { tracingBy } from '#health/tracing'
import { allStages as stages } from '#workers/all-stages'
import { usage } from '#cli/terminal/failure'
import { listenOf } from '#cli/terminal/opening/listen'
import { modelOf, type ModelOptions } from '#cli/terminal/opening/model'
import { upUntilStopped, watchedAt, type UpServerOptions } from './serving.ts'

export interface UpOptions extends UpServerOptions, ModelOptions {
  readonly production?: boolean
  readonly monitor?: readonly string[]
}

export async function up(names: readonly string[], options: UpOptions): Promise<number> {
  const running = stagesNamed(names)
  const model = await modelFor(running, options)
  const listen = options.listen ?? listenGiven(configuration())
  const watched = listen === null ? null : await watchedAt(listen)
  const health = watched?.health ?? null
  const tracing = await tracingBy(configuration())
  const watching = watched === null ? [] : [watched.metrics, watched.health]
  const observe = [...watching, ...(tracing === null ? [] : [tracing])].map((each) => each.observe)
  const onConnection = (isThere: boolean) => health?.connected(isThere)
  try {
    if (isRemote(findLog(options.log, configuration()))) onConnection(false)
    return await upUntilStopped(options, {
      opening: { ...openingOf(options, running, { observe, model }), onConnection },
      async begin(runtimes) {
        for (const runtime of runtimes) {
          health?.serve(runtime)
          sayRunning(runtime, running, { options, health })
        }
        return {
          ends: runtimes.map(({ workers }) => workers),
          // Out of reach, a log cannot be released in order; what was not ended is redelivered.
          left: 'log left open',
          async close(drainMs) {
            health?.drain()
            await Promise.all(runtimes.map((runtime) => runtime.stop(drainMs)))
          },
        }
      },
    })
  } finally {
    await tracing?.close()
    await health?.close()
  }
}

function stagesNamed(names: readonly string[]): readonly Stage[] {
  const known = stages.map(({ name }) => name)
  const unknown = names.find((name) => !known.some((each) => each === name))
  if (unknown !== undefined) {
    throw usage(`no stage \`${unknown}\`: there are ${known.join(', ')}`)
  }
  return stages.filter(({ name }) => names.length === 0 || names.includes(name))
}

const asking: ReadonlySet<string> = new Set(['learning', 'verification'])

async function modelFor(running: readonly Stage[], options: UpOptions): Promise<Model | null> {
  if (running.some(({ name }) => asking.has(name))) return modelOf(options, configuration())
  const { model, modelUrl, modelTimeout } = options
  if ([model, modelUrl, modelTimeout].every((each) => each === undefined)) return null
  throw usage('a model is asked by learning and by verification: run one of these stages too')
}

function listenGiven({ listen: text }: Settings): Listen | null {
  if (text === undefined) return null
  const listen = listenOf(text)
  if (listen === null) throw settingInvalid(settingTable.listen, text)
  return listen
}

function openingOf(
  options: UpOptions,
  running: readonly Stage[],
  { observe, model }: { readonly observe: readonly Observe[]; readonly model: Model | null },
) {
  // Someone who says where the log is may start the stages before anyone seeds it.
  const isGiven = (options.log ?? configuration().log) !== undefined
  return {
    stages: running,
    observe,
    ...(model !== null && { model }),
    ...(isGiven && { create: 'in_file' as const }),
  }
}

function sayRunning(
  { follower, logger, model }: Runtime,
  running: readonly Stage[],
  { options, health }: { readonly options: UpOptions; readonly health: Health | null },
): void {
  const fields = {
    log: withoutSecrets(findLog(options.log, configuration()).url),
    realm: follower.state.place.realm,
    stages: running.map(({ name }) => name),
    position: follower.state.position,
    ...(model !== undefined && { model: model.name }),
    ...(health !== null && { listen: health.url }),
  }
  logger.info(fields, 'stages running')
}
