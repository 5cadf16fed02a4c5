// Notifies people of reviews that wait for them, until it is asked to stop. It runs no stage, holds
// no key, and decides nothing.
import { withoutEnd } from '#record/reading/text-end'
import { reviewMessage } from '#present/outreach/review-message'
import { configuration } from '#wiring/config'
import { outreachOn } from '#wiring/own-outreach'
import { reachFileFor } from '../reach/run.ts'
import { usage } from '#cli/terminal/failure'
import { upUntilStopped, watchedAt, type UpServerOptions } from './serving.ts'

interface OutreachUpOptions extends UpServerOptions {
  readonly reach?: string
}

export async function upOutreach(options: OutreachUpOptions): Promise<number> {
  const url = consoleUrlOf(options.url ?? configuration().consoleUrl)
  const of = { reach: reachFileFor(options), url, words: reviewMessage }
  const { listen } = options
  const watched = listen === undefined ? null : await watchedAt(listen)
  const observe = watched === null ? [] : [watched.metrics.observe, watched.health.observe]
  try {
    return await upUntilStopped(options, {
      opening: { observe },
      async begin(runtimes, { logger }) {
        const outreach = await outreachOn(runtimes, of)
        watched?.metrics.gauge({ ...unreachedGauge, read: () => outreach.unreached() })
        for (const runtime of runtimes) watched?.health.serve(runtime)
        const realms = runtimes.map(({ place }) => place.realm).join(', ')
        logger.info({ realms, channels: outreach.channels.join(', ') }, 'outreach ready')
        return { close: (drainMs) => outreach.stop(drainMs), left: 'messages left unsent' }
      },
    })
  } finally {
    await watched?.health.close()
  }
}

const unreachedGauge = {
  name: 'warrant_reviews_unreached',
  help: 'Open reviews of which no one who could answer was notified',
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
