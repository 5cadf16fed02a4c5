// A kept result as bytes on a disk: AES-256-GCM under the store's key, bound to the name of its
// file, so that neither its bytes nor its place can be changed unseen.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isWritten } from '#rules/drivers/written-json'
import { Fault } from '#record/fault'
import { parseJson } from '#record/json'
import type { KeptResult, ResultToKeep } from '#ports/results'

export const sealKeyBytes = 32

const algorithm = 'aes-256-gcm'
const header = Buffer.from('warrant-result-1\n')
const ivBytes = 12
const tagBytes = 16

const About = z.strictObject({
  intent: z.string(),
  owner: z.string(),
  capability: z.string(),
  expiresAt: z.number(),
})

/** It stands before the value: no text in JSON has it inside. */
const beforeValue = ',"value":'

export function resultJson(value: ResultToKeep['value']): Uint8Array {
  return isWritten(value) ? value.json : Buffer.from(JSON.stringify(value))
}

export function sealed(result: ResultToKeep, key: Uint8Array, name: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(name))
  const { intent, owner, capability, expiresAt, value } = result
  const about = JSON.stringify({ intent, owner, capability, expiresAt })
  const pieces = [
    Buffer.from(`${about.slice(0, -1)}${beforeValue}`),
    resultJson(value),
    Buffer.from('}'),
  ]
  const body = Buffer.concat([...pieces.map((piece) => cipher.update(piece)), cipher.final()])
  return Buffer.concat([header, iv, cipher.getAuthTag(), body])
}

/** Throws a Fault `result_unreadable` for anything but what was sealed under that key and name. */
export function unsealed(bytes: Buffer, key: Uint8Array, name: string): Omit<KeptResult, 'id'> {
  const at = header.length
  try {
    if (!bytes.subarray(0, at).equals(header)) throw new Error('it begins otherwise')
    const iv = bytes.subarray(at, at + ivBytes)
    const tag = bytes.subarray(at + ivBytes, at + ivBytes + tagBytes)
    const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(name)).setAuthTag(tag)
    const body = bytes.subarray(at + ivBytes + tagBytes)
    const content = Buffer.concat([decipher.update(body), decipher.final()])
    const end = content.indexOf(beforeValue)
    const about = About.parse(parseJson(`${content.toString('utf8', 0, end)}}`))
    return { ...about, json: content.subarray(end + beforeValue.length, -1) }
  } catch (cause) {
    throw new Fault('result_unreadable', `the kept result \`${name}\` is not what was kept`, {
      cause,
    })
  }
}
