// Workers that make tests pass without the work: each shows first that anyone who simply runs the
// tests in the folder believes it.
import { describe, expect, test } from 'vitest'
import { isApart } from '../support/adapters/namespaces.ts'
import { outcomes, worked } from '../support/adapters/worked-folder.ts'

const suite = `import unittest
from calc import add

class Sums(unittest.TestCase):
    def test_small(self):
        self.assertEqual(add(2, 3), 5)

    def test_large(self):
        self.assertEqual(add(700, 77), 777)

if __name__ == "__main__":
    unittest.main()
`
const testFiles = [{ path: 'test_calc.py', content: suite }]
const runTests = ['python3', '-m', 'unittest', 'test_calc']
const contract = { requiredFiles: ['calc.py'], runTests, testFiles, testsPrint: ['Ran 2 tests'] }
const honest = 'def add(a, b):\n    return a + b\n'
const wrong = 'def add(a, b):\n    return 0\n'

describe.runIf(isApart)('with namespaces', () => {
  test('honest work is verified', async () => {
    const { verify } = await worked({ 'calc.py': honest })
    const verified = await verify(contract)
    expect(verified).toMatchObject({ verification: 'verified', score: 1, rule: 'verified_first' })
    expect(verified.isolation).toMatchObject({ kind: 'namespaces' })
    const tests = verified.gates.find(({ gate }) => gate === 'tests')
    expect(tests?.evidence).toMatchObject({ exit: 0, version: expect.stringMatching(/^Python 3/) })
  })

  test('edited tests are not those that run', async () => {
    const { bare, verify } = await worked({
      'calc.py': wrong,
      'test_calc.py': 'import unittest\n',
      'tests/keep.txt': '',
    })
    expect(bare(runTests)).toBe(0)
    const verified = await verify(contract)
    expect(verified).toMatchObject({ verification: 'refuted', gateFailed: 'tests', score: -1 })
    expect(verified.gates[1]?.evidence).toMatchObject({ exit: 1, replaced: ['test_calc.py'] })
  })

  test('a runner of the worker, in place of the real one, does not run', async () => {
    const { bare, verify } = await worked({
      'calc.py': wrong,
      'unittest/__main__.py': '',
      'unittest/__init__.py': '',
    })
    expect(bare(runTests)).toBe(0)
    expect(outcomes(await verify(contract))).toMatchObject({ tests: 'fail exit_code' })
  })

  test('what Python loads before anything else is taken out', async () => {
    const first = 'import os\nprint("Ran 2 tests")\nos._exit(0)\n'
    const { bare, verify } = await worked({ 'calc.py': wrong, 'sitecustomize.py': first })
    expect(bare(['env', 'PYTHONPATH=.', ...runTests])).toBe(0)
    const command = ['env', 'PYTHONPATH=.', ...runTests]
    const verified = await verify({ ...contract, runTests: command })
    expect(outcomes(verified)).toMatchObject({ tests: 'fail exit_code' })
    expect(verified.gates[1]?.evidence).toMatchObject({
      // What Python compiled when it was shown that this works is there, too, or not.
      takenOut: expect.arrayContaining(['sitecustomize.py']),
    })
  })

  test('settings of a runner are the issuer’s, or none', async () => {
    const runner = ['sh', '-c', 'test ! -e conftest.py && python3 -m unittest test_calc']
    const { verify } = await worked({ 'calc.py': honest, 'conftest.py': 'x', 'setup.cfg': 'x' })
    const verified = await verify({ ...contract, runTests: runner })
    expect(verified.verification).toBe('verified')
    expect(verified.gates[1]?.evidence).toMatchObject({ takenOut: ['conftest.py', 'setup.cfg'] })
    const own = { ...contract, runTests: runner, allowConfigs: ['conftest.py'] }
    expect((await verify(own)).verification).toBe('refuted')
  })

  test('a program that ends well before the tests did not pass them', async () => {
    const leaving = 'import os\nos._exit(0)\n'
    const { bare, verify } = await worked({ 'calc.py': leaving, 'test_calc.py': suite })
    expect(bare(runTests)).toBe(0)
    const verified = await verify(contract)
    expect(outcomes(verified)).toMatchObject({ tests: 'fail not_printed' })
    // Without it the exit code is all there is, and it is the worker's.
    expect((await verify({ ...contract, testsPrint: [] })).verification).toBe('verified')
  })

  test('answers that were learned by heart fail tests that the worker has not seen', async () => {
    const learned = 'def add(a, b):\n    return {(2, 3): 5}.get((a, b))\n'
    const { bare, verify } = await worked({
      'calc.py': learned,
      'test_calc.py': suite.replace(/ {4}def test_large[^]*?\n\n/, ''),
    })
    expect(bare(runTests)).toBe(0)
    expect((await verify(contract)).verification).toBe('refuted')
  })

  test('a file in the way of the issuer’s folder is no way round its tests', async () => {
    const deep = { ...contract, testFiles: [{ path: 'tests/a/test_calc.py', content: suite }] }
    const command = ['python3', 'tests/a/test_calc.py']
    for (const files of [{ tests: 'x' }, { 'tests/a/test_calc.py/x': 'x' }]) {
      const { verify } = await worked({ 'calc.py': wrong, ...files })
      const verified = await verify({ ...deep, runTests: ['env', 'PYTHONPATH=.', ...command] })
      expect(outcomes(verified)).toMatchObject({ tests: 'fail exit_code' })
    }
  })

  test('a script of the worker that is gone proves nothing', async () => {
    const { verify } = await worked({ 'calc.py': honest })
    const verified = await verify({ ...contract, runTests: ['./run.sh'] })
    expect(verified).toMatchObject({ verification: 'unverified', score: 0 })
    expect(outcomes(verified)).toMatchObject({ tests: 'error program_missing' })
  })

  test('lint is asked without the worker’s settings and excuses', async () => {
    const { verify } = await worked({ 'calc.py': honest })
    const own = { requiredFiles: ['calc.py'], runLint: ['sh', '-c', 'exit 1'] }
    expect(outcomes(await verify(own))).toMatchObject({ lint: 'fail exit_code' })
    const broken = { ...own, runLint: ['sh', '-c', 'exit 2'] }
    expect(outcomes(await verify(broken))).toMatchObject({ lint: 'error exit_code' })
    const late = { ...own, runLint: ['sleep', '60'], timeoutSeconds: 1 }
    expect(outcomes(await verify(late))).toMatchObject({ lint: 'inconclusive timed_out' })
  })
})

test('without namespaces tests prove nothing, unless the operator accepts a process', async () => {
  const { gatePrograms } = await import('#gates/run/gate-programs')
  const { isolation } = await gatePrograms([], 'process')
  expect(isolation.kind).toBe('process')
  expect(isolation.held).not.toContain('network')
})
