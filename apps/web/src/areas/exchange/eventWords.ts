import { eventActions, eventOf } from '@ordinator/model/areas/exchange/webhook'
import { entityAt } from '@ordinator/model/entities'

/** An event in Russian, «Клиент: изменение»; what is no event stays as it is. */
export function eventWords(name: string): string {
  const event = eventOf(name)
  const entity = event && entityAt(event.path)
  return entity ? `${entity.label[0]}: ${eventActions[event.action]}` : name
}
