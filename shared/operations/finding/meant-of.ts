// Whether what is counted or listed is of the time, and of the agents, that are meant.
import { token } from '#record/names'

export interface MeantTime {
  /** Milliseconds since 1970. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export function isInTime({ since = -Infinity, until = Infinity }: MeantTime, at: number): boolean {
  return at >= since && at <= until
}

/** Of any agent where none is named. */
export function isOfAgents(
  { agent }: { readonly agent?: readonly string[] | undefined },
  id: string,
): boolean {
  return agent?.some((each) => token(each) === token(id)) !== false
}
