import { eventActions, eventOf } from '@ordinator/model/areas/exchange/webhook'
import { briefAt } from '#records/declarations.ts'

/** An event in Russian, «Клиент: изменение»; an unknown name is unchanged. */
export function eventWords(name: string): string {
  const event = eventOf(name)
  const entity = event && briefAt(event.path)
  return entity ? `${entity.label[0]}: ${eventActions[event.action]}` : name
}
