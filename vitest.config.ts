import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { filesOf, type Project } from './test/support/vitest/projects.ts'
import { Summary } from './test/support/vitest/summary.ts'

const cores = availableParallelism()
const project = (name: Project, globalSetup: string[], own: object = {}) => {
  return { extends: true as const, test: { name, include: filesOf(name), globalSetup, ...own } }
}
// What is not the test's own process is mostly waited for, so more of them wait at once.
const waiting = { maxWorkers: 2 * cores, sequence: { groupOrder: 1 } }
const minutes = 60_000
const compile = 'test/support/vitest/compile.ts'
const runFolder = 'test/support/vitest/run-folder.ts'

// vitest asks for a default export here; nowhere else is one used.
export default defineConfig({
  resolve: { conditions: ['warrant-source'] },
  ssr: { resolve: { conditions: ['warrant-source'] } },
  test: {
    environment: 'node',
    // Files share a process: a test leaves nothing behind in what it imports.
    isolate: false,
    // No test depends on how fast the machine is: this is the last resort, for what hangs.
    testTimeout: 15 * minutes,
    hookTimeout: 15 * minutes,
    expect: { poll: { timeout: 10 * minutes } },
    // What was transformed once is kept in node_modules, by its content.
    experimental: { fsModuleCache: true },
    setupFiles: ['test/support/vitest/hooks.ts'],
    // Vitest itself would leave one core idle.
    maxWorkers: cores,
    // No test looks at or makes keys of the user who runs it, or rests on who that is; and no hook
    // leaves a process behind. Nor on whether npm runs them, or `npx`.
    env: {
      WARRANT_KEYS: '/dev/null/keys',
      WARRANT_USER: 'you',
      WARRANT_HOOK_IDLE: '0',
      npm_lifecycle_event: 'test',
    },
    reporters: ['default', new Summary()],
    projects: [
      project('servers', [compile, runFolder], waiting),
      project('processes', [compile], waiting),
      project('system', []),
      project('unit', []),
    ],
  },
})
