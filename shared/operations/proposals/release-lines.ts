// The held intents that wait for a question, with what they would do: what a ruling signs as seen.
import { short } from '#record/quote'
import { jsonText, utc } from '#present/wording'
import type { Line } from '#present/lines'
import { argsCharactersMax } from '#runtime/learning/releases'
import type { ReleasedHeld } from '#schemas/console/turned'

const othersShownMax = 10
const nameCharactersMax = 256

/** What is signed as seen is shown, all of it: only what is beyond that is counted. */
export function heldLines(
  waiting: readonly { readonly intent: string; readonly until: string }[],
  releases: readonly ReleasedHeld[],
): readonly string[] {
  const byIntent = new Map(releases.map((one) => [one.intent, one]))
  const seen = waiting.filter(({ intent }) => byIntent.has(intent))
  const others = waiting.filter(({ intent }) => !byIntent.has(intent))
  const lines = [...seen, ...others.slice(0, othersShownMax)].flatMap(({ intent, until }) => {
    const release = byIntent.get(intent)
    const does = release === undefined ? [] : [`  ${releasedText(release)}`]
    return [`${intent} until ${utc(until)}`, ...does]
  })
  const left = others.length - othersShownMax
  return left > 0 ? [...lines, `and ${left} more`] : lines
}

/** What may go on, and is signed as seen. */
export function releaseLines(releases: readonly ReleasedHeld[]): readonly Line[] {
  if (releases.length === 0) return []
  const lines = releases.map((one) => `    ${releasedText(one)}  (${one.intent})`)
  return ['  these wait for it', ...lines]
}

/** Such as `WRITE send_email {"to":"ann@example.com"}`. */
function releasedText({ safetyClass, tool, args }: ReleasedHeld): string {
  return `${safetyClass} ${short(tool, nameCharactersMax)} ${jsonText(args, argsCharactersMax)}`
}
