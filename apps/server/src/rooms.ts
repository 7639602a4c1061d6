import type { AppContext } from './platform/context.ts'

/** Registers every room of the server, in order. */
export async function registerRooms(_app: AppContext): Promise<void> {}
