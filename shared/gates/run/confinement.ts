// How a program of a gate is held: in user, PID, network and mount namespaces of its own, on a root
// that has the work, what the system is made of, and nothing else. It must never report that
// something held that was not tried on this machine.
import type { HardLimit } from './hard-limits.ts'

/** What a program is given to run in. */
export interface Confining {
  /** Holds `work`, which is copied, and an empty `root`. */
  readonly top: string
  readonly diskMb: number
  readonly limits: readonly string[]
  /** Further folders that may be read. */
  readonly readable: readonly string[]
  readonly command: readonly string[]
}

/** The user that the work is run as where the verifier itself is root. */
export const unprivilegedId = 65_534
const inodesMax = 65_536

/**
 * What `sh` does as the first process of the namespaces. It reports on standard error before the
 * program starts: its version, and `ready`, or `missing`.
 */
const setup = `set -eu
umask 022
top=$1 disk=$2 inodes=$3 readable=$4
shift 4
cd "$top"
mount -t tmpfs -o "mode=755,nosuid,nodev,size=4m,nr_inodes=4k" root root
cd root
here=$(pwd -P)
mkdir box dev etc old proc tmp usr work
held() {
  mkdir -p "./$1"
  mount --rbind "$1" "./$1"
  made=
  while read -r _ _ _ _ at _; do
    case $at in *\\\\*) at=$(printf '%b' "$at") ;; esac
    case $at in
      "$here$1" | "$here$1"/*)
        mount -o remount,bind,ro "$at"
        made=$made.
        ;;
    esac
  done < /proc/self/mountinfo
  [ -n "$made" ]
}
held /usr
for each in bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$each" ]; then cp -P "/$each" .; elif [ -d "/$each" ]; then held "/$each"; fi
done
if [ -d /etc/alternatives ]; then held /etc/alternatives; fi
if [ -f /etc/ld.so.cache ]; then cp /etc/ld.so.cache etc; fi
printf 'root:x:0:0:root:/tmp:/bin/sh\\n' > etc/passwd
printf 'root:x:0:\\n' > etc/group
printf '127.0.0.1 localhost\\n::1 localhost\\n' > etc/hosts
for each in null zero full random urandom; do
  : > "dev/$each"
  mount --bind "/dev/$each" "dev/$each"
done
ln -s /proc/self/fd dev/fd
ln -s /tmp dev/shm
mount -t proc -o nosuid,nodev,noexec proc proc
mount -t tmpfs -o "mode=755,nosuid,nodev,size=$disk,nr_inodes=$inodes" box box
mkdir box/tmp box/work
mount --bind box/tmp tmp
mount --bind box/work work
while [ "$readable" -gt 0 ]; do held "$1"; shift; readable=$((readable - 1)); done
cp -R -P --preserve=mode "$top/work/." work/
pivot_root . old
umount -l /old
rmdir /old
umount -l /box
mount -o remount,ro root /
{ ip link set lo up || true; } 2>/dev/null
{ echo 0 > /proc/sys/user/max_user_namespaces || true; } 2>/dev/null
cd /
limited=$1
shift
apart() {
  # shellcheck disable=SC2086
  prlimit $limited -- setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- "$@"
}
case $1 in
  */*) ;;
  *)
    command -v "$1" > /dev/null || { echo missing >&2; exit 127; }
    printf 'version %s\\n' "$(apart "$1" --version 2>&1 < /dev/null | head -n 1 | head -c 200)" >&2
    ;;
esac
cd /work
case $1 in */*) [ -x "$1" ] || { echo missing >&2; exit 127; } ;; esac
echo ready >&2
# A first process reaps what is left without a parent, as programs do not.
exec prlimit $limited -- setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- \\
  sh -c '"$@"; exit $?' sh "$@"
`

/**
 * No namespace takes away the keys of the kernel that a process has in its session's keyring, so
 * all begins with an empty one. Where nothing here can ask for that there must be no such keys.
 */
const keyless = `set -eu
call=
case $(uname -m) in
  x86_64) call=250 ;;
  aarch64 | loongarch64 | riscv64) call=219 ;;
  ppc64le) call=271 ;;
  s390x) call=280 ;;
esac
if [ -n "$call" ] && command -v perl > /dev/null; then
  exec perl -e '
    my $got = syscall(shift() + 0, 1, 0);
    exit 1 if $got < 0 && $! != 1 && $! != 38;
    exec { $ARGV[0] } @ARGV;
    exit 127' "$call" "$@"
fi
if [ -n "$call" ] && command -v python3 > /dev/null; then
  exec python3 -I -S -c '
import ctypes, os, sys
got = ctypes.CDLL(None, use_errno=True).syscall(int(sys.argv[1]), 1, None)
if got < 0 and ctypes.get_errno() not in (1, 38): sys.exit(1)
os.execvp(sys.argv[2], sys.argv[2:])' "$call" "$@"
fi
if [ -e /proc/keys ]; then
  while read -r _ _ _ _ _ _ _ type _; do
    case $type in asymmetric | blacklist | keyring) ;; *) exit 1 ;; esac
  done < /proc/keys
fi
exec "$@"
`

const namespaces = [
  '--user',
  '--map-root-user',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--net',
  '--ipc',
  '--uts',
]

/** The whole argument vector, program first. */
export function confinedCommand(confining: Confining, isRoot: boolean): readonly string[] {
  const { top, diskMb, limits, readable, command } = confining
  const id = String(unprivilegedId)
  const dropped = ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups', '--']
  return [
    ...(isRoot ? dropped : []),
    'sh',
    '-c',
    keyless,
    'sh',
    'unshare',
    ...namespaces,
    '--',
    'sh',
    '-c',
    setup,
    'sh',
    top,
    `${diskMb}m`,
    String(inodesMax),
    String(readable.length),
    ...readable,
    limits.join(' '),
    ...command,
  ]
}

/** Without namespaces: the limits of one process, where they can be set. */
export function limitedCommand(
  limits: readonly string[],
  command: readonly string[],
): readonly string[] {
  return limits.length === 0 ? command : ['prlimit', ...limits, '--', ...command]
}

export interface ProcessLimits {
  readonly memoryMb: number
  readonly fileMb: number
  readonly processes: number
  readonly timeoutSeconds: number
}

const megabyte = 1_048_576
const filesMax = 1_024

interface Limiting {
  /** Processes are counted by user, so a limit is set only for one who is apart. */
  readonly isApart: boolean
  /** What this process may at most, which a user who is not root cannot raise. */
  readonly hard: HardLimit
}

/** For `prlimit`. */
export function processLimits(
  { memoryMb, fileMb, processes, timeoutSeconds }: ProcessLimits,
  { isApart, hard }: Limiting,
): readonly string[] {
  const asked: readonly (readonly [Parameters<HardLimit>[0], number])[] = [
    ['data', memoryMb * megabyte],
    ['fsize', fileMb * megabyte],
    ['nofile', filesMax],
    ['cpu', timeoutSeconds + 5],
    ['core', 0],
    ...(isApart ? [['nproc', processes] as const] : []),
  ]
  return asked.map(([name, limit]) => `--${name}=${Math.min(limit, hard(name) ?? limit)}`)
}
