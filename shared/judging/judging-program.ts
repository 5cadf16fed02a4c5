// The program of a thread that judges calls of coding agents: it reads the tables once, and then
// does nothing but answer what it is given.
import { parentPort, workerData } from 'node:worker_threads'
import { readHookTables } from './hook-seed.ts'
import { judgeHere } from './judging.ts'
import type { JudgedEvent } from './judging.ts'
import { PoolData } from './pool-data.ts'

const { folders, key, readable } = PoolData.parse(workerData)
const judge = readHookTables(folders).then((tables) => judgeHere({ tables, key, readable }))

parentPort?.on('message', (event: JudgedEvent) => {
  void judge
    .then((ready) => ready.judged(event))
    .then(
      (asked) => parentPort?.postMessage({ asked }),
      (error: unknown) => {
        parentPort?.postMessage({ failed: error instanceof Error ? error.message : 'it failed' })
      },
    )
})
