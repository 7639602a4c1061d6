import { EgiszDocument, EgiszStaff } from './egisz.ts'
import { ExchangeMessage } from './exchangeMessage.ts'
import { Mapping } from './mapping.ts'
import { Webhook } from './webhook.ts'

/** Entities of this area. */
export const entities = [Webhook, ExchangeMessage, EgiszDocument, EgiszStaff, Mapping] as const
