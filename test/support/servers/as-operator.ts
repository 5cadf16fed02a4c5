// One connection as an operator, for as long as some work takes.
import { NatsLink } from '#log/nats/link'
import { Requests } from '#log/nats/requests'

/** Without accounts everyone is an operator. */
export async function asOperator<T>(
  url: string,
  work: (requests: Requests) => Promise<T>,
): Promise<T> {
  const requests = new Requests(await NatsLink.open({ servers: url }))
  try {
    return await work(requests)
  } finally {
    requests.close()
    await requests.link.close()
  }
}
