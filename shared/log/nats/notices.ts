// What goes beside the log as plain messages, which no stream keeps: `<realm>.notice.<intent>` with
// the verdict's name as body, `<realm>.toreview.<person>.<review>` with the review, and
// `<realm>.missed.<person>`. They go over the link of the log, which is not closed from here.
import { besidePattern } from '#record/roles'
import type { Notices } from '#ports/notices'
import type { NatsLink } from './link.ts'

const bodyBytesMax = 1_024

export function natsNotices(link: NatsLink, realm: string): Notices {
  const publish: NatsLink['publish'] = (...message) => {
    try {
      link.publish(...message)
    } catch {
      // The link is closed. Who waits finds it without.
    }
  }
  return {
    report(address, verdict) {
      publish(`${realm}.notice.${address}`, verdict)
    },
    async receive(agent, received) {
      const stop = link.subscribe(besidePattern(realm, 'notice', agent), ({ subject, bytes }) => {
        if (bytes.length > bodyBytesMax) return
        const address = subject.slice(`${realm}.notice.`.length)
        received({ address, verdict: Buffer.from(bytes).toString('utf8') })
      })
      try {
        await link.flush()
      } catch {
        // Once the link is back, so is this.
      }
      return stop
    },
    toReview({ person, for: absent, name, bytes }) {
      const review = name.split('.').slice(3).join('.')
      // What an identifier may hold, a header may not.
      const of = encodeURIComponent(absent?.toWellFormed() ?? '')
      const options = of === '' ? {} : { header: { [deputyHeader]: of } }
      publish(`${realm}.toreview.${person}.${review}`, bytes, options)
    },
    missed(asked) {
      const subject = besidePattern(realm, 'missed', '*')
      const received = ({ subject: from }: { readonly subject: string }): void =>
        asked(from.slice(`${realm}.missed.`.length))
      // One of all who listen is enough.
      return link.subscribe(subject, received, 'confirmation')
    },
  }
}

/** In whose place someone may answer. */
const deputyHeader = 'Warrant-For'
