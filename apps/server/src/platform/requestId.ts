/** The id of the request that is being answered, for what its work leaves behind: log, journal, messages to others. */
import { AsyncLocalStorage } from 'node:async_hooks'

const answered = new AsyncLocalStorage<string>()

/** Absent in a job and in work of the server itself. */
export const currentRequestId = (): string | undefined => answered.getStore()

/** Runs the work of a request. */
export const bindRequestId = <T>(id: string, run: () => T): T => answered.run(id, run)
