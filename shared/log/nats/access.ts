// Who connects to NATS, and with which secrets: they come from files alone, and never leave by an
// error.
import { secretText } from '#system/secret-file'

/** Where the servers are and who connects. Secrets come from files alone. */
export interface NatsAccess {
  /** `nats://host:port`, several with commas. */
  readonly servers: string
  readonly nkeyFile?: string | undefined
  readonly credsFile?: string | undefined
  readonly caFile?: string | undefined
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
  /** How the JetStream API is reached: `$JS.API`, or `LOG.API` through an account's imports. */
  readonly api?: string | undefined
  /** What the server calls this connection. */
  readonly name?: string | undefined
}

/** What the file holds, without the white space around it. */
export async function secretIn(file: string): Promise<Uint8Array> {
  return new TextEncoder().encode((await secretText(file, 'the credentials')).trim())
}
