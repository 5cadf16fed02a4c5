// The offer that a message cites (`_extras.routing`): what its agent was offered before it asked.
// It stands where no rule reads it.

interface WithExtras {
  readonly _extras?: Readonly<Record<string, unknown>> | undefined
}

const offerPattern = /^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){2}$/

/** `<agent>.<session>.<id>`, or null where the message cites none. */
export function offerCited(message: WithExtras | null): string | null {
  const cited = message?._extras?.['routing']
  return typeof cited === 'string' && offerPattern.test(cited) ? cited : null
}
