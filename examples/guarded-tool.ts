// A tool behind a guard: run it in a folder with a log (`warrant init`), as the agent that `init`
// made.   node --conditions=warrant-source --import tsx examples/guarded-tool.ts
import { connect, Pending, Refused } from 'warrant-runtime'

const warrant = await connect({ as: 'my-agent' })

const sendEmail = warrant.guard('send_email', ({ to }: { to: string }) => `sent to ${to}`, {
  // What was decided and what is known; where people are asked, once before that, with no verdict.
  onTrace: ({ verdict, text }) => console.error(verdict?.outcome ?? 'people are asked', text),
  // People are asked about the call, or about what is not known: false would not wait for them.
  onReview: ({ people }) => people.length > 0,
  onLearn: () => false,
})

try {
  const justification = 'Ann asked for her invoice'
  console.log(await sendEmail({ to: 'ann@example.org' }, { justification }))
} catch (error) {
  if (!(error instanceof Refused || error instanceof Pending)) throw error
  console.log(error.forModel())
} finally {
  await warrant.close()
}
