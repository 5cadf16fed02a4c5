// Whether the process with a number runs still, on this machine.
import { hasCode } from './file-problem.ts'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // One of another user is alive, too.
    return hasCode(error, 'EPERM')
  }
}
