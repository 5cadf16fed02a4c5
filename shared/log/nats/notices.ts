// Notices as plain messages, which no stream keeps: `<realm>.notice.<intent>`, with the verdict's
// name as body. They go over the link of the log, which is not closed from here.
import { noticesAbout } from '#record/roles'
import type { Notices } from '#ports/notices'
import type { NatsLink } from './link.ts'

const bodyBytesMax = 1_024

export function natsNotices(link: NatsLink, realm: string): Notices {
  return {
    report(address, verdict) {
      try {
        link.publish(`${realm}.notice.${address}`, verdict)
      } catch {
        // The link is closed. A client that waits finds the verdict by itself.
      }
    },
    async receive(agent, received) {
      const stop = link.subscribe(noticesAbout(realm, agent), ({ subject, bytes }) => {
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
  }
}
