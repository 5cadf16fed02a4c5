// How an intent is named short, and what a person types to agree to it.
const shownCharacters = 8
/** What is drawn by chance or a digest at the end of an address, so that its own end is enough. */
const random =
  /(?:^[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{32,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** A digest of a call alone: an equal one in another session has the same. */
const ofCall = /^call-[0-9a-f]{32,}$/

/**
 * The end of an address, which `trace` and the like take for the whole. Only the end of a ULID,
 * a UUID or a digest distinguishes it from all others, that of a framework's call in its session;
 * any other address is shown in full.
 */
export function shortIntent(address: string): string {
  const [last = address, session = '-'] = address.split('.').toReversed()
  if (!random.test(last)) return address
  const end = last.slice(-shownCharacters)
  return ofCall.test(last) && session !== '-' ? `${session}.${end}` : end
}

/** How the review of an intent is agreed to. */
export function approving(address: string, takesReason: boolean): string {
  return `approve ${shortIntent(address)}${takesReason ? ' --note "why it should run"' : ''}`
}
