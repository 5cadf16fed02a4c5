// Compares what two runs of the conformance suite wrote: `compare-checks.mjs DIRECT PROXIED`. Each
// check that the server passes by itself must pass behind the proxy; ends with 1 where one does not.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The fixture lacks that tool: a server reports an error of the protocol, the proxy a denial. */
const byDesign = /^server-input-required-result-validate-input /

function checksIn(folder) {
  const checks = new Map()
  for (const run of readdirSync(folder)) {
    const scenario = run.replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    for (const { id, status } of JSON.parse(readFileSync(join(folder, run, 'checks.json')))) {
      const key = `${scenario} ${id}`
      if (checks.get(key) === undefined || status !== 'SUCCESS') checks.set(key, status)
    }
  }
  return checks
}

const [direct, proxied] = process.argv.slice(2).map(checksIn)
const passed = [...direct].filter(([, status]) => status === 'SUCCESS').map(([key]) => key)
const lost = passed.filter((key) => proxied.get(key) !== 'SUCCESS' && !byDesign.test(key))
for (const key of lost) {
  process.stderr.write(`lost behind the proxy: ${key} (${proxied.get(key)})\n`)
}
process.stdout.write(
  `${passed.length} checks pass directly, ${passed.length - lost.length} of them behind the proxy\n`,
)
process.exitCode = lost.length === 0 && passed.length > 0 ? 0 : 1
