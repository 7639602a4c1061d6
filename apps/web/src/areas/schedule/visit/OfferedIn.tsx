import { Anchor } from '@mantine/core'
import { can } from '@ordinator/model/access'
import { OfferService } from '@ordinator/model/areas/sales/offer'
import type { Expanded } from '@ordinator/model/client'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'

type Offered = Expanded<typeof OfferService, 'offer'>

/** Offers in deals that contain services of the visit, by right. */
export function useOffered(idAppointment: number): readonly Offered[] {
  const list = useList(
    OfferService,
    { filter: { 'couponService.coupon.idAppointment': idAppointment }, expand: ['offer'], limit: 100 },
    { forbidden: 'silent', enabled: can(useActor(), 'view', OfferService) },
  )
  useRevealDelay(list.isLoading)
  return list.data?.items ?? []
}

/** Links from lines to the deals of their offers. */
export function OfferedIn({ lines }: { lines: readonly Offered[] }) {
  return lines.map(({ id, offer }) => (
    <Fine key={id}>
      Предложение:{' '}
      <Anchor inherit renderRoot={(props) => <PageLink {...props} page="deals" search={{ lead: offer.idLead }} />}>
        {offer.name}
      </Anchor>
    </Fine>
  ))
}
