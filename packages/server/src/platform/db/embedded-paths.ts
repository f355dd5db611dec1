import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'

/** The port in the socket's file name; no TCP port is opened. */
export const socketPort = 5432

/** The longest socket path we use, in bytes: the kernel's limit is 107 on Linux and 103 on macOS. */
export const maxSocketPathBytes = 100

/** Everything the embedded database keeps in the data folder. */
export type EmbeddedPaths = {
  dataDir: string
  /** The cluster itself (PGDATA). */
  cluster: string
  /** Written into the cluster before it gets its final name: a cluster without it was never finished. */
  marker: string
  password: string
  serverLog: string
  /** Links to the shared libraries, used only when the installation is read-only. */
  libraries: string
}

/** Names every file and folder of the embedded database below one data folder. */
export function buildPaths(dataDir: string): EmbeddedPaths {
  const root = resolve(dataDir)
  return {
    dataDir: root,
    cluster: join(root, 'postgres'),
    marker: join(root, 'postgres', 'les-cluster.json'),
    password: join(root, 'postgres-password'),
    serverLog: join(root, 'postgres.log'),
    libraries: join(root, 'postgres-lib'),
  }
}

/** The socket file PostgreSQL makes in a socket folder. */
export function buildSocketPath(socketDir: string, port: number = socketPort): string {
  return join(socketDir, `.s.PGSQL.${port}`)
}

/** The file in which a running server names its process and socket. */
export function buildPostmasterPath(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/**
 * The folder of the unix socket: inside the data folder when the path fits, else a short one under `tempDir`,
 * distinct for each data folder and user of the server so that two users never fight over one name.
 */
export function buildSocketDir(dataDir: string, tempDir: string, uid: number): { path: string; temporary: boolean } {
  const root = resolve(dataDir)
  const inside = join(root, 'socket')
  if (Buffer.byteLength(buildSocketPath(inside)) <= maxSocketPathBytes) return { path: inside, temporary: false }
  const hash = createHash('sha256').update(`${uid}\0${root}`).digest('hex').slice(0, 16)
  const short = join(tempDir, `les-${hash}`)
  // A long TMPDIR would bring the problem back; /tmp exists wherever unix sockets do.
  const fits = Buffer.byteLength(buildSocketPath(short)) <= maxSocketPathBytes
  return { path: fits ? short : join('/tmp', `les-${hash}`), temporary: true }
}

/** What the server writes into `postmaster.pid`; the socket folder and port appear shortly after the pid. */
export type PostmasterFile = { pid: number; socketDir: string | null; port: number | null }

/** Reads the text of a `postmaster.pid`, or null when it names no process. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n').map((line) => line.trim())
  // A server in single-user mode writes its pid negated.
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  if (!Number.isSafeInteger(pid) || pid <= 1) return null
  const port = Number.parseInt(lines[3] ?? '', 10)
  return { pid, socketDir: lines[4] || null, port: Number.isSafeInteger(port) && port > 0 ? port : null }
}
