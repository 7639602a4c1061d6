import { Notification } from './notification.ts'

/** Entities of this area. */
export const entities = [Notification] as const
