/**
 * Where the server of the browser tests listens, and what is played beside it: below the ports that a system gives out by
 * itself (from 32,768 on Linux). Runs side by side must not meet; the workers inherit what the first process chose.
 */
const ROOM = 7_000
process.env.E2E_PORT ??= String(10_000 + (process.pid % ROOM))

export const PORT = Number(process.env.E2E_PORT)
export const SMS_PORT = PORT + ROOM
export const AMI_PORT = PORT + 2 * ROOM
