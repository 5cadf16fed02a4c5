// What an intent without a verdict can wait for. It stands alone, so that a client over HTTP reads
// it without all that finds out which.
/**
 * `stages`: one of them, where it cannot be read which. `message`: the log has no such intent.
 * `repeated`: what was published later under its address opens nothing. `log`: it gives no answer.
 */
export const waitedFor = [
  'grounding',
  'policy',
  'learning',
  'people',
  'confirmation',
  'stages',
  'message',
  'repeated',
  'log',
] as const
