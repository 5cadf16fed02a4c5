// What reviewers of a council are asked, printed for reviewers of one's own: a prompt a seat, whose
// reply counts with the nonce, and which is no vote if a reply repeats it.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { warrant } from '../../offline/program.ts'

const contract = {
  taskId: 'T-1',
  objective: 'limit the rate of each user',
  acceptanceCriteria: ['a burst is refused'],
  userProvidedContext: 'each user has a key',
  councilSize: 2,
}
const work = { 'limits.md': 'ten a minute', 'src/a.ts': 'export {}' }

const Prompts = z.strictObject({
  seats: z.int(),
  nonce: z.string(),
  schema: z.looseObject({ required: z.array(z.string()) }),
  prompts: z.array(z.strictObject({ system: z.string(), user: z.string() })),
})

async function asked(line: object) {
  const { code, answers } = await warrant(['council', '--prompts'], `${JSON.stringify(line)}\n`)
  expect(code).toBe(0)
  return Prompts.parse(JSON.parse(answers))
}

test('each seat has a prompt with the task, the work and the nonce, and its reply counts', async () => {
  const { seats, nonce, schema, prompts } = await asked({ contract, work, nonce: 'N-1' })
  expect([seats, nonce, prompts.length]).toEqual([2, 'N-1', 2])
  expect(schema.required).toEqual(['verdict', 'nonce'])
  const parts = [contract.objective, 'a burst is refused', 'each user has a key', 'N-1']
  for (const { system, user } of prompts) {
    expect(system).toContain('You review finished work')
    for (const part of [...parts, ...Object.keys(work), ...Object.values(work)]) {
      expect(user).toContain(part)
    }
  }
  const vote = JSON.stringify({ verdict: 'approve', nonce })
  const counted = async (replies: readonly string[]) => {
    const { answers } = await warrant(['council'], `${JSON.stringify({ seats, replies, nonce })}\n`)
    return JSON.parse(answers)
  }
  expect(await counted([vote, vote])).toMatchObject({ passed: true, approvals: 2 })
  expect(await counted(prompts.map(({ user }) => user))).toMatchObject({ approvals: 0 })
})

test('the same line comes to the same, and without a nonce to one that no one knew', async () => {
  const line = { contract, work, nonce: 'N-1' }
  expect(await asked(line)).toEqual(await asked(line))
  const [one, other] = [await asked({ contract, work }), await asked({ contract, work })]
  expect(one.nonce).not.toBe(other.nonce)
  const own = await asked({ contract: { ...contract, councilPrompt: 'Be brief.' }, work })
  expect(own.prompts[0]?.system).toMatch(/^Be brief[.]\n/)
})

test('what is no such line is reported with its place', async () => {
  const wrong: readonly (readonly [object, string])[] = [
    [{ work }, 'contract'],
    [{ contract: { taskId: 'T' }, work }, 'contract/objective'],
    [{ contract }, 'work'],
    [{ contract, work: {} }, 'work'],
    [{ contract, work, seats: 3 }, 'seats'],
  ]
  const input = wrong.map(([line]) => `${JSON.stringify(line)}\n`).join('')
  const { code, answers } = await warrant(['council', '--prompts'], input)
  expect(code).toBe(6)
  const errors = answers.trim().split('\n')
  expect(errors.map((line) => JSON.stringify(JSON.parse(line).error))).toEqual(
    wrong.map(([, at]) => expect.stringContaining(at)),
  )
})
