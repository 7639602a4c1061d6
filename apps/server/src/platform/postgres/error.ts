/** The start is stopped and `message`, a Russian sentence, shown. */
export class PostgresError extends Error {
  override name = 'PostgresError'
}

export function fail(message: string): never {
  throw new PostgresError(message)
}
