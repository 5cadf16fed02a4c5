// A tool behind a guard in a program that reaches Warrant over HTTP alone. Where `warrant up http`
// runs, with the token of an agent in WARRANT_TOKEN:
//   node --conditions=warrant-source --import tsx examples/over-http.ts
import { connectHttp, Pending, Refused } from 'warrant-runtime/http'

const url = process.env['WARRANT_URL'] ?? 'http://127.0.0.1:7718'
const warrant = await connectHttp({ url, token: process.env['WARRANT_TOKEN'] ?? '' })

const sendEmail = warrant.guard('send_email', ({ to }: { to: string }) => `sent to ${to}`)

try {
  const justification = 'Ann asked for her invoice'
  console.log(await sendEmail({ to: 'ann@example.org' }, { justification }))
} catch (error) {
  if (!(error instanceof Refused || error instanceof Pending)) throw error
  console.log(error.forModel())
} finally {
  await warrant.close()
}
