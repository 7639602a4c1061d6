/**
 * Ports of the browser tests' server and simulators: below the system's ephemeral ports (from 32,768 on Linux). Parallel
 * runs must not collide; workers inherit the choice of the first process.
 */
const ROOM = 7_000
process.env.E2E_PORT ??= String(10_000 + (process.pid % ROOM))

export const PORT = Number(process.env.E2E_PORT)
export const SMS_PORT = PORT + ROOM
export const AMI_PORT = PORT + 2 * ROOM
