// What helpers open for a test, and end when it has ended. Helpers are loaded once for many test
// files, so they cannot leave a hook behind: test/support/vitest/hooks.ts has the hooks.
type End = () => void | Promise<void>

const ofTest: End[] = []
const ofFile: End[] = []

/** Is called when the present test has ended. */
export function endWithTest(end: End): void {
  ofTest.push(end)
}

/** Is called when the tests of the present file have ended. */
export function endWithFile(end: End): void {
  ofFile.push(end)
}

export async function endTest(): Promise<void> {
  for (const end of ofTest.splice(0)) await end()
}

export async function endFile(): Promise<void> {
  for (const end of ofFile.splice(0)) await end()
}
