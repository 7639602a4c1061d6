import { Contact } from '@ordinator/model/areas/sales/contact'
import { Lead, LeadComment, LeadLink, LeadResponsible, LeadTag, LeadTask } from '@ordinator/model/areas/sales/lead'
import { Offer, OfferService } from '@ordinator/model/areas/sales/offer'
import type { Entity } from '@ordinator/model/entity'
import { useLive } from '#realtime/useLive.ts'
import type { LiveEvent } from '#realtime/wire.ts'
import type { DealStore } from './dealStore.ts'
import { silentRecords } from './deals.ts'

/** Applies live events to the cards. After a gap that cannot be replayed, reloads. */
export function useDealEvents(store: DealStore): void {
  const { idFunnel } = store.scope
  const onReset = () => store.readAgain()
  const ofFunnel = (relation: string) => ({ filter: { [`${relation}stage.idFunnel`]: idFunnel }, onReset })
  useLive(Lead.path, (batch) => store.refresh(batch.map((event) => event.id)), ofFunnel(''))
  const parts =
    (entity: Entity, lead: LeadPath = 'idLead') =>
    (batch: LiveEvent[]) =>
      void takeParts(store, entity, lead, batch)
  const of = ofFunnel('lead.')
  useLive(Contact.path, parts(Contact), of)
  useLive(LeadResponsible.path, parts(LeadResponsible), of)
  useLive(LeadTag.path, parts(LeadTag), of)
  useLive(LeadTask.path, parts(LeadTask), of)
  useLive(LeadLink.path, parts(LeadLink), of)
  useLive(LeadComment.path, parts(LeadComment), of)
  // Offers and their lines affect whether a deal can be completed.
  useLive(Offer.path, parts(Offer), of)
  useLive(OfferService.path, parts(OfferService, 'offer.idLead'), ofFunnel('offer.lead.'))
}

/** Path from a part to its deal. */
type LeadPath = 'idLead' | 'offer.idLead'

/** Events contain only the part's id: its deal is looked up on the board, or requested. */
async function takeParts(store: DealStore, entity: Entity, lead: LeadPath, batch: LiveEvent[]): Promise<void> {
  const ids = new Set(batch.map((event) => event.id))
  const holds = (list: readonly { id: number }[]) => list.some((part) => ids.has(part.id))
  const holders = store.cards
    .all()
    .filter((deal) => holds(deal.contacts) || holds(deal.responsible) || holds(deal.tags))
  store.refresh(holders.map((deal) => deal.id))
  const ask = async (wanted: LiveEvent[], deleted: boolean) => {
    if (!wanted.length) return
    const { items } = await silentRecords.list(entity, {
      filter: { id: { in: [...new Set(wanted.map((event) => event.id))] } },
      fields: [lead],
      expand: lead === 'offer.idLead' ? ['offer'] : [],
      limit: 500,
      deleted,
    })
    const shown = new Set(store.cards.all().map((deal) => deal.id))
    store.refresh(
      items
        .map((part) => part.idLead ?? part.offer?.idLead)
        .filter((id) => id !== undefined && shown.has(id)) as number[],
    )
  }
  try {
    await ask(
      batch.filter((event) => event.action !== 'delete'),
      false,
    )
    if (entity.soft)
      await ask(
        batch.filter((event) => event.action === 'delete'),
        true,
      )
  } catch {
    // Retried by the next event or opening.
  }
}
