// Which NATS the tests run on: a URL, else a binary, else a container where Docker answers. What is
// named and does not work is a mistake, and never passed over for something else.
import { delimiter, join } from 'node:path'
import { assert } from '#record/fault'

export type NatsChoice =
  | { readonly by: 'url'; readonly url: string }
  | { readonly by: 'binary'; readonly file: string }
  | { readonly by: 'container' }
  | { readonly by: 'nothing' }

/** What has to be looked at outside. */
export interface NatsLooks {
  readonly home: string
  /** What the file answers to `--version`, or null where it cannot be run. */
  version(file: string): string | null
  dockerAnswers(): Promise<boolean>
}

/** The minor version of nats-server 2 from which all that the log is built on was tried. */
const minorMin = 15

export async function chooseNats(
  environment: Readonly<Record<string, string | undefined>>,
  looks: NatsLooks,
): Promise<NatsChoice> {
  const url = given(environment, 'WARRANT_NATS_URL')
  if (url !== null) return { by: 'url', url }
  const named = given(environment, 'WARRANT_NATS_SERVER')
  if (named !== null) {
    assert(suits(looks.version(named)), `WARRANT_NATS_SERVER is a nats-server from 2.${minorMin}`)
    return { by: 'binary', file: named }
  }
  const file = placesOf(environment, looks.home).find((each) => suits(looks.version(each)))
  if (file !== undefined) return { by: 'binary', file }
  if (await looks.dockerAnswers()) return { by: 'container' }
  const isRequired = given(environment, 'WARRANT_NATS_REQUIRED') !== null
  assert(!isRequired, 'nats-server is here, or Docker: it is required')
  return { by: 'nothing' }
}

function placesOf(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): readonly string[] {
  const path = (given(environment, 'PATH') ?? '').split(delimiter).filter((each) => each !== '')
  const go = (given(environment, 'GOPATH') ?? join(home, 'go')).split(delimiter)
  return [...path, ...go.map((each) => join(each, 'bin'))].map((each) => join(each, 'nats-server'))
}

function suits(version: string | null): boolean {
  const minor = /\bv2\.([0-9]+)\./.exec(version ?? '')?.[1]
  return minor !== undefined && Number(minor) >= minorMin
}

function given(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | null {
  const value = environment[name]
  return value === undefined || value === '' ? null : value
}
