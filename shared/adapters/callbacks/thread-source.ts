// The program of the callback thread, as text, because a thread must start alike from source and from
// an installed package. It takes away what differs from run to run before any callback is loaded.

/** CommonJS source for `new Worker(…, { eval: true })`. */
export const threadSource = `'use strict'
const { parentPort } = require('node:worker_threads')
const real = { Date, fetch: globalThis.fetch, now: Date.now.bind(Date) }
const refuse = (what) => () => { throw new Error(what + ' differs from run to run') }

const zoned = /(Z|[+-][0-9]{2}:?[0-9]{2})$/
const dateOnly = /^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$/
const parse = (text) => {
  if (!zoned.test(text) && !dateOnly.test(text)) refuse('a time without its zone')()
  return real.Date.parse(text)
}
globalThis.Date = class Date extends real.Date {
  constructor(...args) {
    if (args.length === 0) refuse('the time of day')()
    if (args.length > 1) refuse('local time')()
    super(typeof args[0] === 'string' ? parse(args[0]) : args[0])
  }
  static now() { return refuse('the time of day')() }
  static parse(text) { return parse(String(text)) }
}
for (const name of Object.getOwnPropertyNames(real.Date.prototype)) {
  const local = /^(get|set)(?!UTC|Time$)/.test(name) || /^to(Locale|Date|Time)/.test(name)
  if (local || name === 'toString') real.Date.prototype[name] = refuse('local time')
}
Math.random = refuse('randomness')
for (const type of [String, Number, BigInt, Array]) {
  for (const name of ['localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase']) {
    if (name in type.prototype) type.prototype[name] = refuse('the locale')
  }
}
const kept = new Set(['globalThis', 'Object', 'Function', 'Array', 'Number', 'parseFloat', 'parseInt',
  'Infinity', 'NaN', 'undefined', 'Boolean', 'String', 'Symbol', 'Date', 'Promise', 'RegExp', 'Error',
  'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError',
  'JSON', 'Math', 'ArrayBuffer', 'Uint8Array', 'Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array',
  'Int32Array', 'Float32Array', 'Float64Array', 'Uint8ClampedArray', 'BigUint64Array', 'BigInt64Array',
  'DataView', 'Map', 'BigInt', 'Set', 'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'Iterator',
  'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'structuredClone',
  'TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'Buffer'])
for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (!kept.has(name)) delete globalThis[name]
}

const outside = Object.freeze({ fetch: real.fetch, now: real.now })
const answered = async ({ url, name, context }) => {
  const module = await import(url)
  const callback = Object.hasOwn(module, name) ? module[name] : undefined
  if (typeof callback !== 'function') return { faulted: 'no such callback: ' + name }
  const recorded = callback.recorded === true
  const value = JSON.parse(context)
  const answer = recorded ? await callback(value, outside) : callback(value)
  return { answer: JSON.stringify(answer), recorded }
}
parentPort.on('message', (call) => {
  answered(call).then(
    (reply) => parentPort.postMessage(reply),
    (error) => {
      const why = error instanceof Error ? error.name + ': ' + error.message : 'no error'
      parentPort.postMessage({ faulted: 'it threw ' + why.slice(0, 500) })
    },
  )
})
parentPort.postMessage('ready')
`
