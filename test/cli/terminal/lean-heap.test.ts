// What is new takes little memory in a lean process, and what V8 likes again after it.
import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { builtFile } from '../../support/vitest/built.ts'

const leanHeap = pathToFileURL(builtFile('services/cli/terminal/lean-heap.ts')).href

const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { keepHeapLean } from '${leanHeap}'
  const kept = []
  const grown = () => {
    // So much of it survives that V8 makes more room where it may.
    for (let index = 0; index < 400_000; index += 1) kept.push({ index, of: [index] })
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    return space.space_size
  }
  const growAgain = keepHeapLean()
  const lean = grown()
  growAgain()
  console.log(JSON.stringify([lean, grown()]))`

test('what is new takes little while the heap is lean, and as much as ever after it', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program])
  const [lean, after] = z.tuple([z.int(), z.int()]).parse(JSON.parse(printed.toString('utf8')))
  expect(lean).toBeLessThan(5_000_000)
  expect(after).toBeGreaterThan(2 * lean)
})
