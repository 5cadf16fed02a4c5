// All that is recorded of what a stranger can see.
import { auditingTools } from './recorders/auditing-tools.ts'
import { consoleReading } from './recorders/console-reading.ts'
import { doors } from './recorders/doors.ts'
import { exportsOfEntries } from './recorders/exports.ts'
import { folders } from './recorders/folders.ts'
import { formats } from './recorders/formats.ts'
import { help } from './recorders/help.ts'
import { httpActing } from './recorders/http-acting.ts'
import { httpReading } from './recorders/http-reading.ts'
import { natsStreams } from './recorders/nats-streams.ts'
import { offline } from './recorders/offline.ts'
import { posted } from './recorders/posted.ts'
import { proxyTools } from './recorders/proxy-tools.ts'
import { reading } from './recorders/reading.ts'
import { refusals } from './recorders/refusals.ts'
import { eraStates, keepingLogs, stored } from './recorders/stored.ts'
import { tables } from './recorders/tables.ts'
import type { Subject } from './subject.ts'

export const subjects: readonly Subject[] = [
  help,
  refusals,
  reading,
  offline,
  httpReading,
  httpActing,
  consoleReading,
  auditingTools,
  proxyTools,
  doors,
  natsStreams,
  exportsOfEntries,
  ...folders,
  ...posted,
  tables,
  eraStates,
  stored,
  keepingLogs,
  ...formats,
]
