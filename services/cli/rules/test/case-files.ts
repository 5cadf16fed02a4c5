// Finds and reads the files of test cases of a seed folder, before any case is tried.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  caseBytesMax,
  casesOf,
  casesRefused,
  isLines,
  isYaml,
  type WrittenCase,
} from '#cases/case-texts'
import { Fault } from '#record/fault'
import { fileProblem } from '#system/file-problem'

const testsFolder = 'tests'
const casesMax = 100_000

/** The files that hold cases: those that were named, or all in FOLDER/tests. */
export async function caseFilesIn(
  folder: string,
  named: readonly string[],
): Promise<readonly string[]> {
  if (named.length > 0) return named
  const place = join(folder, testsFolder)
  const there = await namesIn(place)
  const files = there.filter((name) => isYaml(name) || isLines(name)).toSorted()
  if (files.length > 0) return files.map((name) => join(place, name))
  const how = 'write `.yaml` or `.ndjson` files there, or name files'
  throw new Fault('cases_invalid', `\`${place}\` has no test cases: ${how}`)
}

async function namesIn(place: string): Promise<readonly string[]> {
  try {
    return await readdir(place)
  } catch {
    return []
  }
}

export async function readCases(files: readonly string[]): Promise<readonly WrittenCase[]> {
  const all: WrittenCase[] = []
  for (const file of files) {
    all.push(...casesOf(file, await bytesOf(file)))
    if (all.length > casesMax) throw casesRefused(file, `more than ${casesMax} cases: divide them`)
  }
  return all
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file)
    if (size > caseBytesMax) throw casesRefused(file, `larger than ${caseBytesMax} bytes`)
    return await readFile(file)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    throw casesRefused(file, fileProblem(cause, 'it cannot be read'), cause)
  }
}
