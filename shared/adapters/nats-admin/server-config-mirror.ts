// How the mirror is fed where it has an account of its own. Anyone who may make followers of a
// stream may have them deliver to any subject of its account that someone listens to, also to that
// of a queue; in an account with nothing but the mirror there is none.
import type { Place } from '#core/kernel/names'
import { configText } from './server-config-text.ts'
import { externalOf, streamNames } from '../nats/stream.ts'

export const logSide = 'LOG'
export const mirrorSide = 'MIRROR'

/** What the JetStream API of the mirror's account is called in that of the log: the operator's. */
export const apiOfMirror = 'MIRROR.API'

/** What one account grants the other, and takes of it. */
export interface Joint {
  readonly exports: readonly string[]
  readonly imports: readonly string[]
}

// Any stream's, and not the log's alone: an import without a wildcard would be a subject that
// someone listens to.
const makeFollower = '$JS.API.CONSUMER.CREATE.*'

export function linkOfLog(places: readonly Place[]): Joint {
  const to = `accounts: [${mirrorSide}]`
  return {
    exports: [
      `{ service: ${configText(makeFollower)}, ${to} }`,
      ...places.flatMap((place) => [
        `{ service: ${configText(flowOf(place))}, ${to} }`,
        `{ stream: ${configText(`${externalOf(place).deliver}.>`)}, ${to} }`,
      ]),
    ],
    imports: [
      `{ service: { account: ${mirrorSide}, subject: "$JS.API.>" }, to: "${apiOfMirror}.>" }`,
    ],
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
