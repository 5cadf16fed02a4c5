// Notifies people of reviews that wait for them, until it is asked to stop. It runs no stage, holds
// no key, and decides nothing.
import { withoutEnd } from '#record/reading/text-end'
import { reviewMessage } from '#present/outreach/review-message'
import { aborted } from '#runtime/engine/timeout'
import type { Runtime } from '#runtime/engine/runtime'
import type { Listen } from '#serving/listening'
import { configuration } from '#wiring/config'
import { drainMsDefault } from '#wiring/open'
import { outreachOn, type OwnOutreach } from '#wiring/own-outreach'
import { withCells } from '#cli/terminal/opening/opened'
import type { GlobalOptions } from '#cli/terminal/opening/options'
import { reachFileFor } from '../reach/run.ts'
import { usage } from '#cli/terminal/failure'
import { watchedAt } from './metrics.ts'
import { lost, untilStopped } from './until-stopped.ts'

export interface OutreachUpOptions extends GlobalOptions {
  readonly listen?: Listen
  /** Milliseconds. */
  readonly drain?: number
  readonly url?: string
  readonly reach?: string
  readonly cells?: readonly number[]
}

export async function upOutreach(options: OutreachUpOptions): Promise<number> {
  const url = consoleUrlOf(options.url ?? configuration().consoleUrl)
  const of = { reach: reachFileFor(options), url, words: reviewMessage }
  const { listen } = options
  const watched = listen === undefined ? null : await watchedAt(listen)
  return untilStopped(async (stopping, begin) => {
    try {
      const observe = watched === null ? [] : [watched.metrics.observe, watched.health.observe]
      const opening = { level: 'info', awaits: true, observe }
      await withCells(options, opening, options.cells, async (runtimes) => {
        begin()
        const outreach = await outreachOn(runtimes, of)
        watched?.metrics.gauge({ ...unreachedGauge, read: () => outreach.unreached() })
        for (const runtime of runtimes) watched?.health.serve(runtime)
        await notify(runtimes, outreach, { stopping, options })
      })
    } finally {
      await watched?.health.close()
    }
  })
}

const unreachedGauge = {
  name: 'warrant_reviews_unreached',
  help: 'Open reviews of which no one who could answer was notified',
}

async function notify(
  runtimes: readonly Runtime[],
  outreach: OwnOutreach,
  { stopping, options }: { stopping: AbortSignal; options: OutreachUpOptions },
): Promise<void> {
  const { drain: drainMs = drainMsDefault } = options
  const realms = runtimes.map(({ place }) => place.realm).join(', ')
  const [first] = runtimes
  first?.logger.info({ realms, channels: outreach.channels.join(', ') }, 'outreach ready')
  try {
    await Promise.race([aborted(stopping), ...runtimes.map(lost)])
  } finally {
    first?.logger.info({ drainMs }, 'draining')
    await outreach.stop(drainMs)
  }
}

/** Messages lead there, so that no one is asked by what leads nowhere. */
function consoleUrlOf(text: string | undefined): string {
  if (text === undefined) {
    throw usage('messages lead to the console: name its address with --url or WARRANT_CONSOLE_URL')
  }
  const isFit = URL.canParse(text) && /^https?:\/\/[^@?#]+$/.test(text)
  if (isFit) return withoutEnd(text, /\//)
  throw usage('--url takes an address such as https://warrant.example')
}
