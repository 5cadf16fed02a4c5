// Envoy itself, before the external authorization that it asks. Where it is not, its test is
// skipped, and the run reports it at its end.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { assert } from '#record/fault'
import { endWithTest } from '../vitest/endings.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const given = process.env['WARRANT_ENVOY'] ?? ''

/** CI demands it with `WARRANT_ENVOY`. */
export const hasEnvoy: boolean = given !== ''
assert(!hasEnvoy || existsSync(given), 'WARRANT_ENVOY is the program of Envoy')

const startMsMax = 600_000

/** Where it listens. It asks that server, as docs/agents/authzen.md says, and answers by itself. */
export async function envoyBefore(url: string, httpService: object): Promise<string> {
  const folder = await temporaryFolder()
  const file = join(folder, 'envoy.json')
  await writeFile(file, JSON.stringify(settings(new URL(url), httpService)))
  const admin = join(folder, 'admin')
  // Without a restart that takes over, it leaves no shared memory behind.
  const alone = ['--disable-hot-restart', '--concurrency', '1', '--log-level', 'error']
  const args = ['--config-path', file, '--admin-address-path', admin, ...alone]
  const envoy = spawn(given, args, { stdio: 'ignore' })
  endWithTest(async () => {
    const ended = new Promise((resolve) => envoy.once('close', resolve))
    if (envoy.exitCode === null) envoy.kill('SIGKILL')
    else return
    await ended
  })
  const end = Date.now() + startMsMax
  for (;;) {
    assert(envoy.exitCode === null && Date.now() < end, 'Envoy starts')
    const at = await listenerOf(admin)
    if (at !== null) return at
    await after(50)
  }
}

// Both of its ports are whichever were free: the one that it writes leads to the other.
async function listenerOf(admin: string): Promise<string | null> {
  try {
    const where = (await readFile(admin, 'utf8')).trim()
    const text = await (await fetch(`http://${where}/listeners`)).text()
    const [, address] = /^in::(\S+)/m.exec(text) ?? []
    return address === undefined ? null : `http://${address}`
  } catch {
    return null
  }
}

const type = (name: string): string => `type.googleapis.com/envoy.extensions.filters.${name}`

function settings({ hostname, port }: URL, authz: object): object {
  const socket = (address: string, port_value: number) => ({
    socket_address: { address, port_value },
  })
  const here = socket('127.0.0.1', 0)
  const answer = { status: 200, body: { inline_string: 'reached' } }
  const manager = {
    '@type': type('network.http_connection_manager.v3.HttpConnectionManager'),
    stat_prefix: 'in',
    route_config: {
      virtual_hosts: [
        {
          name: 'all',
          domains: ['*'],
          routes: [{ match: { prefix: '/' }, direct_response: answer }],
        },
      ],
    },
    http_filters: [
      {
        name: 'envoy.filters.http.ext_authz',
        typed_config: { '@type': type('http.ext_authz.v3.ExtAuthz'), ...authz },
      },
      {
        name: 'envoy.filters.http.router',
        typed_config: { '@type': type('http.router.v3.Router') },
      },
    ],
  }
  const filter = { name: 'envoy.filters.network.http_connection_manager', typed_config: manager }
  const endpoint = { address: socket(hostname, Number(port)) }
  const load_assignment = {
    cluster_name: 'warrant',
    endpoints: [{ lb_endpoints: [{ endpoint }] }],
  }
  return {
    admin: { address: here },
    static_resources: {
      listeners: [{ name: 'in', address: here, filter_chains: [{ filters: [filter] }] }],
      clusters: [{ name: 'warrant', type: 'STATIC', load_assignment }],
    },
  }
}
