import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// vitest asks for a default export here; nowhere else is one used.
export default defineConfig({
  resolve: { conditions: ['warrant-source'] },
  ssr: { resolve: { conditions: ['warrant-source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    globalSetup: ['test/support/vitest/compile.ts'],
    // Without it one core is left idle.
    maxWorkers: availableParallelism(),
    // No test looks at or makes keys of whoever runs it.
    env: { WARRANT_KEYS: '/dev/null/keys' },
  },
})
