// How a mirror is fed where it has an account of its own. Anyone who may make followers of a stream
// may have them deliver to any subject of its account that someone listens to, also to that of a
// queue; in an account with nothing but the mirror there is none. Workers and people have a mirror
// each, since a stream has room for so many followers, and people must not take that of workers.
import type { Place } from '#record/names'
import { configText } from './text.ts'
import { externalOf, streamNames } from '../nats/stream.ts'

export const logSide = 'LOG'

/** Whose mirror it is. */
export type MirrorOf = 'workers' | 'people'
export const allMirrors: readonly MirrorOf[] = ['workers', 'people']

/** The account of a mirror. */
export const mirrorSides: Readonly<Record<MirrorOf, string>> = {
  workers: 'MIRROR',
  people: 'MIRROR_PEOPLE',
}

/** What the JetStream API of a mirror's account is called in that of the log: the operator's. */
export function apiOfMirror(of: MirrorOf): string {
  return `${mirrorSides[of]}.API`
}

/** What one account grants the other, and takes of it. */
export interface Joint {
  readonly exports: readonly string[]
  readonly imports: readonly string[]
}

// Any stream's, and not the log's alone: an import without a wildcard would be a subject that
// someone listens to.
const makeFollower = '$JS.API.CONSUMER.CREATE.*'

export function linkOfLog(places: readonly Place[]): Joint {
  const to = `accounts: [${allMirrors.map((of) => mirrorSides[of]).join(', ')}]`
  return {
    exports: [
      `{ service: ${configText(makeFollower)}, ${to} }`,
      ...places.flatMap((place) => [
        `{ service: ${configText(flowOf(place))}, ${to} }`,
        `{ stream: ${configText(`${externalOf(place).deliver}.>`)}, ${to} }`,
      ]),
    ],
    imports: allMirrors.map((of) => {
      const api = `service: { account: ${mirrorSides[of]}, subject: "$JS.API.>" }`
      return `{ ${api}, to: "${apiOfMirror(of)}.>" }`
    }),
  }
}

export function linkOfMirror(places: readonly Place[]): Joint {
  const service = (subject: string) =>
    `service: { account: ${logSide}, subject: ${configText(subject)} }`
  const known = makeFollower.replace('$JS.API', 'LOG.API')
  return {
    exports: [`{ service: "$JS.API.>", accounts: [${logSide}] }`],
    imports: [
      `{ ${service(makeFollower)}, to: ${configText(known)} }`,
      ...places.flatMap((place) => {
        const subject = configText(`${externalOf(place).deliver}.>`)
        return [
          `{ ${service(flowOf(place))} }`,
          `{ stream: { account: ${logSide}, subject: ${subject} } }`,
        ]
      }),
    ],
  }
}

/** Where a mirror says that it can take more. */
function flowOf(place: Place): string {
  return `$JS.FC.${streamNames(place).log}.>`
}
