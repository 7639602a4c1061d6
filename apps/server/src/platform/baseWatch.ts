/** Waits for a slow database during start, reports it, and gives up only after two minutes without an answer. */
import pg from 'pg'
import { StartError } from './startErrors.ts'

const LOOK_MS = 2_000
const ANSWER_MS = 5_000
/** Silence before the first line is shown, and between two lines. */
const SAY_MS = 6_000
const SAY_AGAIN_MS = 20_000
const GIVE_UP_MS = 120_000

/** SQLSTATE of PostgreSQL while it starts or recovers. */
export const STARTING_UP = '57P03'
const SLOW = 'База данных отвечает медленно, ждём…'

export interface BaseWatch {
  /** Runs a step of the start. @throws StartError when the database has not answered for two minutes meanwhile */
  during<T>(work: Promise<T>): Promise<T>
  end(): void
}

/**
 * Checks every two seconds whether the database answers.
 * @param setting the setting named in the error: `DATABASE_URL`
 * @param say prints a line for the operator
 */
export function watchBase(url: string, setting: string, say: (line: string) => void, giveUpMs = GIVE_UP_MS): BaseWatch {
  const began = Date.now()
  let answered = began
  let lastSaid = 0
  let over = false
  let timer: NodeJS.Timeout | undefined
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => {})

  const look = async () => {
    const answers = await answersAt(url)
    if (over) return
    const now = Date.now()
    if (answers) answered = now
    else {
      const silence = now - answered
      if (silence >= giveUpMs) {
        over = true
        const minutes = Math.round(giveUpMs / 60_000)
        return fail(
          new StartError(
            `${setting}: база данных не отвечает уже ${minutes} мин. Проверьте, не занят ли сервер, и повторите.`,
          ),
        )
      }
      if (silence >= SAY_MS && now - lastSaid >= SAY_AGAIN_MS) {
        lastSaid = now
        say(SLOW)
      }
    }
    timer = setTimeout(look, LOOK_MS)
  }
  timer = setTimeout(look, LOOK_MS)

  return {
    during: (work) => Promise.race([work, failed]),
    end() {
      over = true
      clearTimeout(timer)
    },
  }
}

/** Any reply counts, including an error; only a timeout does not. */
async function answersAt(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch (error) {
    const { code } = error as { code?: string }
    return code?.length === 5 && code !== STARTING_UP
  } finally {
    // A silent database does not answer the disconnect either: do not wait.
    void client.end().catch(() => {})
  }
}
