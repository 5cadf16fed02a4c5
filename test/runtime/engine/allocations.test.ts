// What a verdict allocates is kept from growing unseen: bytes are the same on a busy machine, where
// times are not. The benches print which functions they are of.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { canStartNats } from '../../support/servers/nats-server.ts'

const isOldest = process.versions.node.startsWith('20.')

/**
 * Measured on Node 20, and the first on 24: what grows by a twentieth has to be looked at. On NATS
 * it grows by a tenth where the machine is busy, since less goes together.
 */
const bytesMax = {
  allocations: isOldest ? 26_800 : 32_300,
  'call-allocations': isOldest ? 378_000 : 586_000,
  'door-allocations': isOldest ? 96_000 : 125_000,
  ...(canStartNats && { 'nats-allocations': isOldest ? 79_000 : 98_000 }),
}

test.each(Object.entries(bytesMax))(
  'no more by the bench `%s` than before',
  async (bench, most) => {
    const source = ['--conditions=warrant-source', '--import', 'tsx', 'bench/main.ts']
    const { stdout } = await promisify(execFile)(process.execPath, [...source, bench, '--json'])
    const { name, median } = JSON.parse(stdout.slice(0, stdout.indexOf('\n')))
    expect(name).toBe('all functions')
    expect(median).toBeGreaterThan(10_000)
    expect(median).toBeLessThan(most)
  },
)
