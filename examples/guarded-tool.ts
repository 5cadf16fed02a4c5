// A tool behind a guard: run it in a folder with a log (`warrant init`), as the agent that `init`
// made.   node --conditions=warrant-source --import tsx examples/guarded-tool.ts
import { connect, Refused } from 'warrant-runtime'

const warrant = await connect({ as: 'my-agent' })

const sendEmail = warrant.guard('send_email', ({ to }: { to: string }) => `sent to ${to}`)

try {
  console.log(await sendEmail({ to: 'ann@example.org' }))
} catch (error) {
  if (!(error instanceof Refused)) throw error
  for (const { code, params, recover } of error.reasons) console.log(code, params, recover)
  for (const gap of error.gaps) console.log(gap)
} finally {
  await warrant.close()
}
