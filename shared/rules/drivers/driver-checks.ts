// What must hold of the drivers of a catalog before anything runs by them: each template can be
// read, names arguments that the schema has, and puts secrets only where no one sees them.
import type { Driver, ToolServer } from '#schemas/action/driver'
import type { Capability } from '#schemas/catalog'
import { mayHold } from '#knowledge/known/placed'
import { pointersIn, readTemplate, secretsIn } from './call-template.ts'
import { pointerToken } from '#record/pointer-token'

/** `at` is a path below the entry, or below all servers. */
export interface DriverFault {
  readonly code: 'driver_unusable' | 'server_repeated' | 'still_used' | 'unknown_server'
  readonly at: string
  readonly message: string
}

interface Templated {
  readonly at: string
  readonly text: string
  /** Whether arguments may stand in it, and secrets. */
  readonly takes: 'both' | 'arguments' | 'secrets'
}

/** What is wrong with how the capability is carried out; null where nothing is. */
export function driverFault(
  { driver, argsSchema }: Pick<Capability, 'driver' | 'argsSchema'>,
  servers: readonly ToolServer[],
): DriverFault | null {
  if (driver === undefined) return null
  const slip = templatesFault(templatesOf(driver), argsSchema) ?? ownFault(driver, argsSchema)
  if (slip !== null) return { code: 'driver_unusable', ...slip, at: `driver/${slip.at}` }
  if (driver.kind !== 'mcp' || servers.some(({ id }) => id === driver.server)) return null
  const message = `no server \`${driver.server}\`: add it to \`servers\`, or fix the name`
  return { code: 'unknown_server', at: 'driver/server', message }
}

/** What is wrong with the servers of tools, or with who names them. */
export function serversFault(
  servers: readonly ToolServer[],
  capabilities: Iterable<Pick<Capability, 'id' | 'driver'>>,
): DriverFault | null {
  const seen = new Set<string>()
  for (const [index, server] of servers.entries()) {
    if (seen.has(server.id)) {
      const message = `two servers are called \`${server.id}\`: rename one of them`
      return { code: 'server_repeated', at: `${index}/id`, message }
    }
    seen.add(server.id)
    const slip = serverSlip(server)
    if (slip !== null) return { code: 'driver_unusable', ...slip, at: `${index}/${slip.at}` }
  }
  for (const { id, driver } of capabilities) {
    if (driver?.kind !== 'mcp' || seen.has(driver.server)) continue
    const message = `\`capabilities/${id}\` still names \`${driver.server}\`: fix that first`
    return { code: 'still_used', at: driver.server, message }
  }
  return null
}

type Slip = Pick<DriverFault, 'at' | 'message'>

function serverSlip(server: ToolServer): Slip | null {
  const shared = 'command' in server ? programOf(server) : headersOf(server.headers)
  // One server serves many calls: no argument of one of them can stand in it.
  const templates = shared.map((one) => ({ ...one, takes: 'secrets' as const }))
  const fault = templatesFault(templates, {})
  if (fault !== null || 'command' in server) return fault
  return addressFault(server.url, 'url')
}

function templatesOf(driver: Driver): readonly Templated[] {
  switch (driver.kind) {
    case 'local':
    case 'mcp':
      return []
    case 'http':
      return [{ at: 'url', text: driver.url, takes: 'arguments' }, ...headersOf(driver.headers)]
    case 'shell':
      return programOf(driver)
  }
}

function headersOf(headers: Readonly<Record<string, string>> = {}): readonly Templated[] {
  return Object.entries(headers).map(([name, text]) => {
    return { at: `headers/${name}`, text, takes: 'both' as const }
  })
}

// What is an argument of a program is seen by all who list the processes of the machine.
function programOf({
  command,
  env = {},
}: {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>> | undefined
}): readonly Templated[] {
  return [
    ...command.map((text, index) => {
      return { at: `command/${index}`, text, takes: 'arguments' as const }
    }),
    ...Object.entries(env).map(([name, text]) => {
      return { at: `env/${name}`, text, takes: 'both' as const }
    }),
  ]
}

function templatesFault(
  templates: readonly Templated[],
  schema: Capability['argsSchema'],
): Slip | null {
  for (const { at, text, takes } of templates) {
    const { fault } = readTemplate(text)
    if (fault !== undefined) return { at, message: fault }
    const [secret] = secretsIn([text])
    if (secret !== undefined && takes === 'arguments') {
      const message = `\`${secret}\` would be seen there: put secrets into \`headers\` or \`env\``
      return { at, message }
    }
    const pointers = pointersIn([text])
    const [first] = pointers
    if (first !== undefined && takes === 'secrets') {
      return { at, message: `\`${first}\`: no argument can stand here` }
    }
    const missing = pointers.find((pointer) => !mayHold(schema, pointer))
    if (missing !== undefined) {
      const message = `\`argsSchema\` has no argument at \`${missing}\`: add it, or fix the pointer`
      return { at, message }
    }
  }
  return null
}

function ownFault(driver: Driver, schema: Capability['argsSchema']): Slip | null {
  if (driver.kind === 'shell') {
    const [program = ''] = driver.command
    if (program.includes('${')) {
      return { at: 'command/0', message: 'the program is written out: no argument names it' }
    }
    return driver.cwd === undefined || driver.cwd.startsWith('/')
      ? null
      : { at: 'cwd', message: 'give an absolute folder' }
  }
  if (driver.kind !== 'http') return null
  const missing = (driver.query ?? []).find((name) => !mayHold(schema, `/${pointerToken(name)}`))
  if (missing !== undefined) {
    return { at: 'query', message: `\`argsSchema\` has no argument \`${missing}\`` }
  }
  return addressFault(driver.url, 'url')
}

const origin = /^https?:\/\/[A-Za-z0-9._~[\]:-]+(?:[/?]|$)/

/** Where a request goes is never for an argument to say. */
function addressFault(url: string, at: string): Slip | null {
  if (origin.test(url)) return null
  const message = 'begin with `https://` and a host that is written out, without user and password'
  return { at, message }
}
