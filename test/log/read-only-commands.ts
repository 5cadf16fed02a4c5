// Runs commands in the folder it is started in, and prints what came of each: a test starts it as a
// user who may do less.
import { run } from '../support/cli-runner.ts'

const commands: unknown = JSON.parse(process.argv[2] ?? '[]')
const ran: unknown[] = []
for (const args of Array.isArray(commands) ? commands : []) {
  ran.push(await run(Array.isArray(args) ? args.map(String) : [], { cwd: process.cwd() }))
}
process.stdout.write(JSON.stringify(ran))
