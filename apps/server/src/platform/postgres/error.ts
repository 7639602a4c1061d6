/** The start is stopped and `message`, a Russian sentence, shown. */
export class PostgresError extends Error {
  override name = 'PostgresError'
}

export function fail(message: string): never {
  throw new PostgresError(message)
}

/** What its programs have said, in English, as one sentence where the disk is to blame. */
export const failure = (what: string, output: string): PostgresError =>
  new PostgresError(
    output.includes('No space left on device')
      ? 'На диске с базой данных не осталось места: освободите его и запустите снова.'
      : `${what}\n${output.trim()}`,
  )
