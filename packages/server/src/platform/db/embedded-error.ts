/** Something about this machine or data folder that keeps the embedded database from running; the message says what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** Builds the error for a machine or folder on which the embedded database cannot run at all. */
export function cannotRun(reason: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL cannot run here: ${reason}. ` +
      'Either set LES_DATA_DIR to a folder that an ordinary user can enter and write to and start the service as that user, ' +
      'or set DATABASE_URL to a PostgreSQL (15 to 18) that you run yourself.',
    cause === undefined ? {} : { cause },
  )
}

/** The `code` of a system or database error (`ENOENT`, `28P01`), or an empty string. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
