// Runs the tests beside one spinning process for each core, as on a machine that others use too, on
// cases that no run has drawn before. The arguments go to vitest.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

const spinning = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', 'for (;;) {}']),
)
const vitest = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: { WARRANT_TEST_SEED: 'random', ...process.env },
  },
)
const end = () => {
  for (const one of spinning) one.kill('SIGKILL')
}
process.once('exit', end)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => vitest.kill(signal))
vitest.once('exit', (code) => {
  process.exitCode = code ?? 1
  end()
})
