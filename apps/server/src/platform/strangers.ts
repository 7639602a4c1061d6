/** Marks work requested by clients that are not signed in: it uses separate database connections (db.ts). */
import { AsyncLocalStorage } from 'node:async_hooks'

const asked = new AsyncLocalStorage<boolean>()

export const isStranger = (): boolean => asked.getStore() === true

/** Runs as work of a client that is not signed in, or as work of staff and the server itself. */
export const runFor = <T>(stranger: boolean, run: () => T): T => asked.run(stranger, run)
