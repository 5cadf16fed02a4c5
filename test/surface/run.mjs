// Compares what a stranger can see of the package with what is recorded; with `--write` it records
// what is ours again, if the CHANGELOG has a line about it that is not committed yet.
import { spawnSync } from 'node:child_process'

const words = process.argv.slice(2)
const changed = spawnSync('git', ['diff', '--quiet', 'HEAD', '--', 'CHANGELOG.md']).status === 1
const mode = words.includes('--write') ? (changed ? 'write' : 'first') : 'compare'
if (mode === 'first') {
  process.stderr.write('CHANGELOG.md has no new line: only what was never recorded is written\n')
}
const given = words.filter((word) => word !== '--write')
const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/surface', ...given]
const env = { ...process.env, WARRANT_SURFACE: mode }
const { status } = spawnSync(process.execPath, vitest, { stdio: 'inherit', env })
process.exitCode = status ?? 1
