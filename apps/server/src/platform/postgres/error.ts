/** Aborts the start and shows `message`, a Russian sentence. */
export class PostgresError extends Error {
  override name = 'PostgresError'
}

export function fail(message: string): never {
  throw new PostgresError(message)
}

/** Output of PostgreSQL's programs (in English); a single sentence when the disk is the cause. */
export const failure = (what: string, output: string): PostgresError =>
  new PostgresError(
    output.includes('No space left on device')
      ? 'На диске с базой данных не осталось места: освободите его и запустите снова.'
      : `${what}\n${output.trim()}`,
  )
