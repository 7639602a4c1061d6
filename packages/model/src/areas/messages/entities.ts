import { Message } from './message.ts'
import { MessageTemplate } from './messageTemplate.ts'

/** Entities of this area. */
export const entities = [MessageTemplate, Message] as const
