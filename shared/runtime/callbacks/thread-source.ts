// The program of a callback thread, as text, because a thread must start alike from source and from
// an installed package. One that may not look outside loses what differs from run to run before any
// callback is loaded; it must never answer for one that looks outside.

/** CommonJS source for `new Worker(…, { eval: true, workerData: { outside, progress } })`. */
export const threadSource = `'use strict'
// In a function: what a script declares at its top every module of the thread would see.
;(() => {
const { parentPort, workerData } = require('node:worker_threads')
const process = require('node:process')
const quantumMs = 50
// Callbacks may change what is global: what is used here is kept.
const { parse, stringify } = JSON
const copied = structuredClone
const { hasOwn } = Object
const { add } = Atomics
const turn = setImmediate
const elapsed = performance.now.bind(performance)
const real = { Date, fetch: globalThis.fetch, now: Date.now.bind(Date) }
const refused = new WeakMap()
const refuse = (what) => function () {
  const error = new Error('differs from run to run: ' + what)
  refused.set(error, what)
  throw error
}

const deprive = () => {
  const zoned = /(Z|[+-][0-9]{2}:?[0-9]{2})$/
  const dateOnly = /^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$/
  const parse = (text) => {
    if (!zoned.test(text) && !dateOnly.test(text)) refuse('zone')()
    return real.Date.parse(text)
  }
  const Dated = function (...args) {
    if (new.target === undefined || args.length === 0) refuse('time')()
    if (args.length > 1) refuse('local_time')()
    const given = typeof args[0] === 'string' ? parse(args[0]) : args[0]
    return Reflect.construct(real.Date, [given], new.target)
  }
  Dated.prototype = real.Date.prototype
  Dated.prototype.constructor = Dated
  Object.defineProperty(Dated, 'name', { value: 'Date' })
  Object.assign(Dated, {
    UTC: real.Date.UTC,
    now: refuse('time'),
    parse: (text) => parse(String(text)),
  })
  for (const name of Object.getOwnPropertyNames(real.Date.prototype)) {
    const local = /^(get|set)(?!UTC|Time$)/.test(name) || /^to(Locale|Date|Time)/.test(name)
    if (local || name === 'toString') real.Date.prototype[name] = refuse('local_time')
  }
  const local = ['localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase']
  for (const type of [String, Number, BigInt, Array]) {
    for (const name of local) {
      if (name in type.prototype) type.prototype[name] = refuse('locale')
    }
  }
  const kept = new Set(
    [
      'globalThis Object Function Array Number parseFloat parseInt Infinity NaN undefined',
      'Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError',
      'ReferenceError SyntaxError TypeError URIError JSON Math ArrayBuffer Uint8Array Int8Array',
      'Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array',
      'Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet',
      'Proxy Reflect Iterator decodeURI decodeURIComponent encodeURI encodeURIComponent',
      'structuredClone TextEncoder TextDecoder URL URLSearchParams atob btoa Buffer',
    ]
      .join(' ')
      .split(' '),
  )
  // Text that becomes code could import whatever it likes.
  const noText = refuse('code')
  noText.prototype = Function.prototype
  for (const made of [() => 0, async () => 0, function* () {}, async function* () {}]) {
    Object.defineProperty(Object.getPrototypeOf(made), 'constructor', { value: noText })
  }
  globalThis.Function = noText
  globalThis.Date = Dated
  Math.random = refuse('randomness')
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!kept.has(name)) delete globalThis[name]
  }
}
if (!workerData.outside) deprive()

const outside = Object.freeze({ fetch: real.fetch, now: real.now })
const fault = (code, params = {}) => ({ fault: { code, params } })
const said = (answer) => {
  try {
    return { answer: stringify(answer) }
  } catch {
    return fault('answer_not_json')
  }
}
const answered = async (module, name, given) => {
  const callback = hasOwn(module, name) ? module[name] : undefined
  if (typeof callback !== 'function') return fault('callback_missing')
  const recorded = callback.recorded === true
  if (recorded && !workerData.outside) return { outside: true }
  const value = typeof given === 'string' ? parse(given) : copied(given)
  const answer = recorded ? await callback(value, outside) : callback(value)
  if (!(answer instanceof Promise)) return said(answer)
  answer.catch(() => undefined)
  return fault('answered_promise')
}
// What an error says, and what it does when it is looked at, is not ours.
const thrown = (error) => {
  try {
    if (refused.has(error)) return fault('not_repeatable', { what: refused.get(error) })
    return fault('threw', error instanceof Error ? { error: String(error.name) } : {})
  } catch {
    return fault('threw', {})
  }
}
const modules = new Map()
const moduleOf = (id) => {
  const known = modules.get(id)
  return typeof known === 'string' ? import(known) : known
}
// Each call ends with everything that it has begun and not finished: no other pays for that.
const ended = () => new Promise((resolve) => turn(resolve))
process.on('unhandledRejection', () => undefined)
const { progress } = workerData
parentPort.on('message', async ({ load, texts, calls }) => {
  for (const [id, url] of load) modules.set(id, url)
  const replies = []
  const began = elapsed()
  for (const [id, name, place] of calls) {
    let reply
    try {
      const module = await moduleOf(id)
      modules.set(id, module)
      reply = await answered(module, name, texts[place])
    } catch (error) {
      reply = thrown(error)
    }
    await ended()
    replies.push(reply)
    add(progress, 0, 1)
    if (elapsed() - began > quantumMs) break
  }
  parentPort.postMessage(stringify(replies))
})
parentPort.postMessage('ready')
})()
`
