// Whether this machine's clock is right where the log was quiet for long: said by a flag, or by a
// person at a terminal. Nothing else does.
import { utc } from '#present/wording'
import { quietSince } from '#runtime/logs/clock-doubt'
import type { LogPlace } from '#runtime/logs/log-url'
import type { GlobalOptions } from './options.ts'
import { openQuestions } from '../questions.ts'

export async function isClockAccepted(
  { acceptClock = false }: GlobalOptions,
  place: LogPlace,
): Promise<boolean> {
  const { stdin: input, stderr: output } = process
  if (acceptClock || !input.isTTY || !output.isTTY) return acceptClock
  const since = await quietSince(place)
  if (since === null) return false
  const questions = openQuestions({ input, output })
  try {
    const now = utc(Date.now())
    const question = `the last fact of the log is of ${utc(since)}; is it ${now} now`
    return await questions.yes({ question, flag: '--accept-clock' })
  } finally {
    questions.close()
  }
}
