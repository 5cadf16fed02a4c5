// Runs the bundle that a browser loads as a worker, under Node: a list of texts on standard input,
// a line of JSON with the last answer to each.
//   node bundled.mjs WORKER
import { pathToFileURL } from 'node:url'
import { text } from 'node:stream/consumers'

let heard
let answered
globalThis.addEventListener = (_, listener) => (heard = listener)
globalThis.postMessage = (answer) => answer.isLast && answered(answer)
await import(pathToFileURL(process.argv[2]).href)
for (const texts of JSON.parse(await text(process.stdin))) {
  const answer = new Promise((resolve) => (answered = resolve))
  heard({ data: { number: 1, texts } })
  process.stdout.write(`${JSON.stringify(await answer)}\n`)
}
