// Files of a worker that steer how tests run: settings of test runners, modules that stand in for
// them, and what is loaded before any test. With them a worker judges itself, so they are taken out
// of what tests run on, unless the contract lets them in or brings its own.
import { coversPath } from './path-pattern.ts'

/** A module beside the work hides the one that runs the tests. */
const runnerModules = ['pytest', '_pytest', 'pluggy', 'unittest', 'doctest', 'nose', 'nose2']

const names: readonly string[] = [
  ...runnerModules.map((name) => `${name}.py`),
  'conftest.py',
  'sitecustomize.py',
  'usercustomize.py',
  '*.pth',
  '*.pyc',
  'pytest.ini',
  '.pytest.ini',
  'pytest.toml',
  '.pytest.toml',
  'tox.ini',
  'setup.cfg',
  'pyproject.toml',
  'jest.config.*',
  'vitest.config.*',
  'vitest.workspace.*',
  'vite.config.*',
  'karma.conf.*',
  'ava.config.*',
  '.mocharc*',
  '.taprc',
  '.babelrc*',
  'babel.config.*',
  '.npmrc',
  '.env',
]

const folders: ReadonlySet<string> = new Set([
  ...runnerModules,
  'node_modules',
  'site-packages',
  '__pycache__',
  '.git',
])

/** Whether the file is taken out. `allowed`: what the contract lets in, as paths or patterns. */
export function isSteering(path: string, allowed: readonly string[]): boolean {
  // A file system may hold `Conftest.py` for `conftest.py`.
  const parts = path.toLowerCase().split('/')
  const name = parts.pop() ?? ''
  const isOne =
    parts.some((part) => folders.has(part)) || names.some((one) => coversPath(one, name))
  return isOne && !allowed.some((pattern) => coversPath(pattern, path))
}
