// Who works in the work demo: one honest worker, one careless, and a cheat for each way to cheat,
// with twenty tasks in all. Each cheat is an agent of its own, so that its standing is its own.
import { careless } from './tasks/careless.ts'
import { cheatsOfCode } from './tasks/cheats-of-code.ts'
import { cheatsOfText } from './tasks/cheats-of-text.ts'
import { honest } from './tasks/honest.ts'
import type { Worker } from './task.ts'

export const workers: readonly Worker[] = [honest, careless, ...cheatsOfCode, ...cheatsOfText]
