/** Whether what runs now was asked by somebody who is not signed in: it has database connections of its own (db.ts). */
import { AsyncLocalStorage } from 'node:async_hooks'

const asked = new AsyncLocalStorage<boolean>()

export const isStranger = (): boolean => asked.getStore() === true

/** Runs as work of a stranger, or as that of the staff and of the server itself. */
export const runFor = <T>(stranger: boolean, run: () => T): T => asked.run(stranger, run)
