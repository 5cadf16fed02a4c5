// How an intent is named short, and what a person types to agree to it.
const shownCharacters = 8
const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * The end of an address, which `trace` and the like take for the whole. Only the end of a ULID
 * distinguishes it from all others; any other address is shown in full.
 */
export function shortIntent(address: string): string {
  const last = address.slice(address.lastIndexOf('.') + 1)
  return ulid.test(last) ? last.slice(-shownCharacters) : address
}

/** How the review of an intent is agreed to. */
export function approving(address: string, takesReason: boolean): string {
  return `approve ${shortIntent(address)}${takesReason ? ' --note "why it should run"' : ''}`
}
