// What the fold keeps of what people said beside their answers: the keys of browsers that answer
// for them, and who is away. It is replaced, never changed in place; what has ended is forgotten.
import type { AbsenceData, EnrolmentData } from '#schemas/people/said'
import type { Placed } from '#record/event'

/** The key of a browser, and the console at which a passkey enrolled it. */
export interface Enrolled extends Placed<EnrolmentData> {
  readonly console: string
}

export interface PeopleSaid {
  readonly enrolments: readonly Enrolled[]
  /** By the person who is away; the latest of each counts. */
  readonly absences: ReadonlyMap<string, Placed<AbsenceData>>
}

export const noneSaid: PeopleSaid = { enrolments: [], absences: new Map() }

/** Of one person. */
const enrolmentsOfOneMax = 16

/** Why one more, or the end of one, counts for nothing; null where it may count. */
export function enrolmentFault(
  { enrolments }: PeopleSaid,
  { confirmer, key, until }: EnrolmentData,
  now: number,
): string | null {
  const own = enrolments.filter((one) => one.data.confirmer === confirmer && isBefore(now, one))
  if (until === null) {
    return own.some(({ data }) => data.key === key) ? null : 'no such browser answers'
  }
  const full = `\`${confirmer}\` has ${enrolmentsOfOneMax} browsers already`
  return own.length < enrolmentsOfOneMax ? null : full
}

export function withEnrolment(said: PeopleSaid, enrolled: Enrolled): PeopleSaid {
  const { confirmer, key, until } = enrolled.data
  const isEnded = ({ data }: Enrolled): boolean =>
    until === null && data.confirmer === confirmer && data.key === key
  const standing = said.enrolments.filter((one) => {
    return isBefore(enrolled.appendedAt, one) && !isEnded(one)
  })
  return { ...said, enrolments: until === null ? standing : [...standing, enrolled] }
}

/** Whether its last moment is then, or is still to come. */
export function isBefore(at: number, { data: { until } }: Enrolled): boolean {
  return until !== null && at <= Date.parse(until)
}

export function withAbsence(said: PeopleSaid, absence: Placed<AbsenceData>): PeopleSaid {
  const absences = new Map(said.absences)
  const { confirmer, deputy } = absence.data
  if (deputy === null) absences.delete(confirmer)
  else absences.set(confirmer, absence)
  return { ...said, absences }
}

/** Of whom that person is the deputy at that time, in the order in which they went. */
export function standsInFor(
  said: Pick<PeopleSaid, 'absences'>,
  deputy: string,
  at: number,
): readonly { readonly person: string; readonly until: string; readonly note: string | null }[] {
  return [...said.absences].flatMap(
    ([
      person,
      {
        data: { until, note = null },
      },
    ]) => {
      const isTheirs = until !== null && deputyOf(said, person, at) === deputy
      return isTheirs ? [{ person, until, note }] : []
    },
  )
}

/** Who answers for that person at that time; null where no one does. */
export function deputyOf(
  { absences }: Pick<PeopleSaid, 'absences'>,
  person: string,
  at: number,
): string | null {
  const absence = absences.get(person)
  if (absence === undefined || at < absence.appendedAt) return null
  const { deputy, until } = absence.data
  return until !== null && at <= Date.parse(until) ? deputy : null
}
