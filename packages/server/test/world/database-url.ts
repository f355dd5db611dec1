import type { ConnectionSettings } from '../../src/platform/db/open.ts'

/** Connection settings as a URL. A socket's folder goes into the query, as libpq expects. */
export function urlOf(connection: ConnectionSettings): string {
  if ('connectionString' in connection) return connection.connectionString
  const { user, password, database, host, port } = connection
  return (
    `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@localhost/${database}?` +
    `host=${encodeURIComponent(host)}&port=${port}`
  )
}

/** Settings of a server that does not exist. */
export const nobodysServer: ConnectionSettings = {
  host: '127.0.0.1',
  port: 9,
  user: 'u',
  password: 'p',
  database: 'd',
}
