// What every test file does, whatever it is about.
import fc from 'fast-check'
import { afterAll, afterEach } from 'vitest'
import { seedMeant } from './counts.ts'
import { endFile, endTest } from './endings.ts'

// Each run draws the same cases, so what fails fails again; other seeds draw others.
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  ...(seedMeant !== undefined && { seed: seedMeant }),
})

afterEach(endTest)
afterAll(endFile)
