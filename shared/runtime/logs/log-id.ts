// The log's identity as the environment says it, for whoever signs and cannot read it off the log.
import { Fault } from '#core/kernel/fault'
import { Digest } from '#schemas/values'

/** Null where `WARRANT_LOG_ID` says nothing. */
export function logIdIn(environment: NodeJS.ProcessEnv): string | null {
  const text = environment['WARRANT_LOG_ID']
  if (text === undefined || text === '') return null
  if (Digest.safeParse(text).success) return text
  const fix = 'set it to `sha256:…`, as `warrant replay` prints it'
  throw new Fault('usage', `WARRANT_LOG_ID is \`${text}\`: ${fix}`)
}
