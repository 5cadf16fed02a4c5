// Which calls of coding agents are judged beside the thread that serves everyone, and in which
// order.
import { describe, expect, test } from 'vitest'
import { readHookTables, shippedHookSeeds } from '#judging/hook-seed'
import type { JudgedEvent } from '#judging/judging'
import { judgingPool } from '#judging/judging-pool'
import { packageRoot } from '#cli/terminal/opening/package-root'
import { endWithTest } from '../support/vitest/endings.ts'

const folders = shippedHookSeeds(packageRoot())
const tables = await readHookTables(folders)

function pool(msMax?: number) {
  const limit = msMax === undefined ? {} : { msMax }
  const made = judgingPool({ tables, folders, key: new Uint8Array(32), readable: [], ...limit })
  endWithTest(() => made.close())
  return made
}

const called = (command: string, principal = 'ada'): JudgedEvent => ({
  principal,
  host: 'claude-code',
  call: {
    tool: 'Bash',
    args: { command },
    cwd: '/srv/shop',
    root: '/srv/shop',
    session: 's',
    callId: null,
  },
  declared: { 'shell.run': ['command', 'cwd'] },
  isAhead: true,
})

const loops = (depth: number, body: string): string =>
  Array.from({ length: depth }, (_, at) => at).reduce(
    (inner, at) => `for v${at} in a b c d e f g h; do ${inner}; done`,
    body,
  )
const passed = Array.from({ length: 14 }, (_, at) => `f${at}() { f${at + 1} "$1$1"; }; `).join('')
const doubled = 'x="ls; "; ' + 'x=$x$x; '.repeat(14)

describe('a call that is short', () => {
  test.each(['ls src && git status', 'for a in b c; do echo "$a"; done | sort', 'npm test'])(
    '%s: is judged at once where it takes little',
    async (command) => {
      const { concepts } = await pool(1).judged(called(command))
      expect(concepts).not.toContain('unparsed.command')
    },
  )

  test.each([
    ['a loop in a loop', loops(20, 'x=$v0$v1$x; cd $v1; rm $x')],
    ['a value doubled, and run', `${doubled}eval "$x"`],
    ['a value doubled, and given', `${doubled}psql -c "$x"`],
    ['arguments doubled', `${passed}f14() { psql -c "$1"; }; f0 a`],
    ['functions that call two', `${loops(3, 'f')}; ${'f() { g; g; }; '.repeat(30)} f`],
  ])('%s: is not judged in the thread that serves everyone', async (_, command) => {
    expect(command.length).toBeLessThan(1_000)
    // No thread has answered so soon.
    await expect(pool(1).judged(called(command))).rejects.toThrow('it took longer than')
  })
})

describe('calls that wait', () => {
  const dear = loops(5, 'x=$v0$v1$v2$v3; eval $x')
  const lessDear = loops(3, 'x=$v0$v1$v2$v3; eval $x')

  test('of one caller are judged one at a time, and another does not wait for them', async () => {
    const on = pool(600_000)
    const order: string[] = []
    const judged = (principal: string, command: string) =>
      on.judged(called(command, principal)).then(() => order.push(principal))
    const five = Array.from({ length: 5 }, () => judged('ada', dear))
    await Promise.all([...five, judged('ben', lessDear)])
    // On a busy machine that may be late, and yet not behind all five.
    expect(order.indexOf('ben')).toBeLessThan(5)
  })

  test('of one caller are at most so many', async () => {
    const on = pool(600_000)
    const ends = Array.from({ length: 70 }, () => on.judged(called(dear)))
    ends.push(on.judged(called(dear, 'ben')))
    // At once: a refusal that no one awaits yet would be an error of the run.
    const settled = Promise.allSettled(ends)
    await expect(ends[69]).rejects.toThrow('of this caller wait')
    await on.close()
    const refused = (await settled).flatMap((one) => {
      return one.status === 'rejected' ? [String(one.reason)] : []
    })
    const count = (why: string) => refused.filter((one) => one.includes(why)).length
    expect(count('of this caller wait')).toBe(5)
    expect(count('the server is stopping')).toBe(64)
  })
})
