// `warrant backup` and `restore`: all of a log in one file, and back. `warrant export` and
// `verify`: the evidence of one intent, and what it proves.
import type { Command } from 'commander'
import { examples, running } from '#cli/terminal/opening/options'

export function registerExport(program: Command): void {
  const exporting = program
    .command('export')
    .description('write the facts that decide one intent to a file, as evidence')
    .argument('<file>', 'the file to write; nothing is replaced')
    .requiredOption('--intent <intent>', 'intent ID, or its last characters')
    .action(running(async () => (await import('./export.ts')).exportIntent))
  examples(exporting, [
    'warrant export --intent 7QK2M0XA evidence.gz',
    'warrant verify evidence.gz --root-key 3mVq0cO1kXr8ZtYb',
    '',
    'It has the facts about the intent, its agent and its session, all change sets of graph and',
    'catalog with the public keys, and the callback modules: lines of JSON, packed by gzip.',
    'It is derived again before it is written; if that takes more of the log, it has all of it.',
    'Other people’s data may be in it: read it before you send it (`zcat evidence.gz`).',
  ])
  const verifying = program
    .command('verify')
    .description('check an export or a backup: derive it again, from the file alone')
    .argument('<file>', 'what `warrant export` or `warrant backup` wrote')
    .action(running(async () => (await import('./backup.ts')).verifyFile))
  examples(verifying, [
    'warrant verify evidence.gz --root-key 3mVq0cO1kXr8ZtYb',
    'warrant verify log.backup --json',
    '',
    'Exit code 5 if it was changed or does not derive, and 7 if something in it cannot be checked.',
    'Callback modules are code of who wrote the file: they run only with --root-key, which',
    'shows whose catalog pinned them. A part of a log never shows that there was nothing else.',
  ])
}

export function registerBackup(program: Command): void {
  const backup = program
    .command('backup')
    .description('write all facts of the log, and its callback modules, to one file')
    .argument('<file>', 'the file to write; nothing is replaced')
    .action(running(async () => (await import('./backup.ts')).backupLog))
  examples(backup, [
    'warrant backup log.backup',
    'warrant backup /mnt/backups/$(date +%F).backup',
    'warrant backup main.backup --log nats://127.0.0.1:4222',
    '',
    'Others may append meanwhile: it has all facts up to its begin. It is read back and replayed',
    'before the command ends: exit code 5 if a verdict differs, 7 if it lacks a callback module.',
    'No private key is in it: keep copies of those yourself (`warrant keys list` says where).',
  ])
  const restore = program
    .command('restore')
    .description('make a log of a backup, or of the archives of its eras, in a file')
    .argument(
      '<file...>',
      'what `warrant backup` wrote; or archives of eras, and a backup of the rest',
    )
    .option('--with-differences', 'restore it even if a verdict does not derive as recorded')
    .action(running(async () => (await import('./restore.ts')).restoreLog))
  examples(restore, [
    'warrant restore log.backup',
    'warrant restore log.backup --log elsewhere/log.db --root-key 3mVq0cO1kXr8ZtYb',
    'warrant restore archive/main-era-*.backup rest.backup --log elsewhere/log.db',
    '',
    'It goes to --log, else WARRANT_LOG, else .warrant/log.db here, and never replaces a file.',
    'A backup of several cells becomes one file per cell beside that, named by its realm.',
    'Archives without a backup of the rest give the log as it was at the end of the last of them.',
    'Servers stamp facts with their own times, so nothing is restored to servers: restore to a',
    'file to look at it, and use `nats stream restore` for streams.',
  ])
}
