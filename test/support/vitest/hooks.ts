// What every test file does at its end, whatever it is about.
import { afterAll, afterEach } from 'vitest'
import { endFile, endTest } from './endings.ts'

afterEach(endTest)
afterAll(endFile)
