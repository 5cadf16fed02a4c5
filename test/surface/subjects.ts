// All that is recorded of what a stranger can see.
import { consoleReading } from './recorders/console-reading.ts'
import { help } from './recorders/help.ts'
import { httpReading } from './recorders/http-reading.ts'
import { offline } from './recorders/offline.ts'
import { reading } from './recorders/reading.ts'
import { refusals } from './recorders/refusals.ts'
import type { Subject } from './subject.ts'

export const subjects: readonly Subject[] = [
  help,
  refusals,
  reading,
  offline,
  httpReading,
  consoleReading,
]
